#!/bin/sh
# Lines and branches of vm/ that the tests run, in a tree configured with --enable-gcov: a line a file, most missing first, then
# folders and the sum.
#   coverage.sh run SOURCE BUILD      resets the counters, runs make check, every CPU variant, faults and hostile input, reports
#   coverage.sh report SOURCE BUILD   reports what was counted so far; LIST=REGEX also names what is missing in those files
# Below THRESHOLDS, percents of lines and of branches, a run is a failure.
#
# A line or a branch counts once, in whatever object and whatever expansion of a macro it was run; headers and tables count where
# their lines give code.  Left out and named is only what this machine's compiler makes no code of: the rows of other instruction
# sets.
what=$1
source=$(cd "$2" && pwd)
cd "$3" || exit 1
status=0

say() { echo "coverage: $*"; }
step() { # NAME COMMAND...
    name=$1
    shift
    start=$(date +%s)
    "$@" >coverage.log 2>&1 || { tail -n 30 coverage.log; say "FAIL $name"; status=1; }
    say "$name: $(($(date +%s) - start)) s"
}

run() {
    : "${THRESHOLDS=95 85}"
    jobs=$(nproc 2>/dev/null || echo 2)
    CK_TIMEOUT_MULTIPLIER=20 # a test that is killed takes its counts along, and all is slow here
    export CK_TIMEOUT_MULTIPLIER
    find . -name '*.gcda' -exec rm -f {} +
    step "make check" make -k -s -j"$jobs" check
    case $(uname -m) in
    aarch64) cpus="neon fp16 bf16 dotprod i8mm" ;;
    *) cpus="sse2 avx2 avx512" ;;
    esac
    for axis in --cpu=portable $(for c in $cpus; do echo "--cpu=$c"; done) --switch --threads=3 -O0 -g --asm; do
        step "cases $axis" ./caserun "$axis" "$source"/tests/cases/*.mlir
    done
    test ! -x oom || step "allocations that fail" ./oom --full --stride=7 "$source"/tests/cases/[0-9]*.mlir "$source"/tests/cases/s*.mlir
    step "random modules" ./random_code 300
    step "damaged modules" env STEP=101 srcdir="$source" sh "$source/tests/bytecode/mutate.sh"
    step "seeds of the fuzz targets" seeds
}

seeds() {
    rm -rf coverage-seeds
    VMC=./vmc sh "$source/tests/fuzz/seeds.sh" "$source" coverage-seeds
    for target in module asm mlir compile values; do
        find "coverage-seeds/$target" -type f | sort | xargs "./fuzz_$target" || return 1
    done
    rm -rf coverage-seeds
}

report() {
    find vm -name '*.gcno' | sort | while read -r notes; do
        gcov -b -c -t -o "$(dirname "$notes")" "$notes" 2>/dev/null
    done | awk -v source="$source/" -v thresholds="$THRESHOLDS" -v list="$LIST" -v all="$(cd "$source" && find vm -name '*.c' | sort | tr '\n' ' ')" '
    function clean(path) {
        if (index(path, source) == 1)
            path = substr(path, length(source) + 1)
        while (sub(/^\.\.\//, "", path) || sub(/^\.\//, "", path)) ;
        while (sub(/[^\/]+\/\.\.\//, "", path)) ;
        return path
    }
    function percent(a, b) { return b ? 100 * a / b : 100 }
    function print_row(order, name) {
        printf "%s%6.1f%% of %5d lines, %4d missing  %6.1f%% of %5d branches, %4d missing  %s\n", order, percent(run[name], lines[name]), lines[name],
            lines[name] - run[name], percent(taken[name], branches[name]), branches[name], branches[name] - taken[name], name | sorted
    }
    function add(to, from) { lines[to] += lines[from]; run[to] += run[from]; branches[to] += branches[from]; taken[to] += taken[from] }
    /^ *-: *0:Graph:/ { # of an object that has code, by the name of its source
        sub(/^.*\//, "")
        sub(/^.*-/, "")
        sub(/\.gcno$/, ".c")
        has_code[$0]
        next
    }
    /^ *-: *0:Source:/ {
        sub(/^.*Source:/, "")
        file = clean($0)
        counted = file ~ /^vm\//
        next
    }
    !counted { next }
    /^branch/ {
        key = file ":" line ":" $2
        if (!(key in branch)) { branch[key] = 0; branches[file]++ }
        if ($3 == "taken" && $4 + 0 > 0 && !branch[key]) { branch[key] = 1; taken[file]++ }
        next
    }
    /^ *([0-9]+\*?|#####|=====): *[0-9]+:/ {
        split($0, part, ":")
        line = part[2] + 0
        key = file ":" line
        if (!(key in seen)) { seen[key] = 0; lines[file]++ }
        if (part[1] !~ /[#=]/ && !seen[key]) { seen[key] = 1; run[file]++ }
        next
    }
    /^ *-: *[0-9]+:/ { split($0, part, ":"); line = part[2] + 0 }
    END {
        sorted = "sort -t: -k1,1nr -k2 | cut -d: -f2-"
        for (f in lines)
            file_names[f]
        for (f in file_names) {
            print_row(lines[f] - run[f] + branches[f] - taken[f] ":", f)
            folder = f
            sub(/\/[^\/]*$/, "/", folder)
            add(folder, f)
            add("vm, all", f)
            folders[folder]
        }
        close(sorted)
        if (!lines["vm, all"]) { print "no counts: configure --enable-gcov, make coverage"; exit 1 }
        print ""
        for (f in folders)
            print_row("1:", f)
        close(sorted)
        print_row("0:", "vm, all")
        close(sorted)
        count = split(all, names, " ")
        for (i = 1; i <= count; i++) {
            folder = names[i]
            sub(/^.*\//, "", folder)
            if (!(folder in has_code))
                out = out " " names[i]
        }
        print out == "" ? "nothing left out" : "left out, no code on this machine:" out
        sorted = "sort -t: -k1,1 -k2,2n -k3,3n"
        if (list != "") {
            for (key in seen)
                if (!seen[key] && key ~ list)
                    print key ": not run" | sorted
            for (key in branch)
                if (!branch[key]) {
                    split(key, part, ":")
                    if (key ~ list && seen[part[1] ":" part[2]])
                        print part[1] ":" part[2] ": branch " part[3] " not taken" | sorted
                }
            close(sorted)
        }
        split(thresholds, want, " ")
        exit percent(run["vm, all"], lines["vm, all"]) < want[1] + 0 || percent(taken["vm, all"], branches["vm, all"]) < want[2] + 0
    }'
}

case $what in
run) run ;;
report) ;;
*) sed -n '2,9s/^# *//p' "$0" && exit 2 ;;
esac
report || status=1
exit $status
