#!/bin/sh
# Lines and branches of vm/ that a tree configured with --enable-gcov has run, a line a file and their sum.
#   coverage.sh SOURCE BUILD       after make check there; add THRESHOLDS="LINES BRANCHES" to fail below them
# A line or branch counts once, whatever number of objects has it.  Left out: what no x86 machine can run (kernels/arm), and
# generators that are no part of the library (doc/opref.c).
source=$(cd "$1" && pwd)
cd "$2" || exit 1
find vm -name '*.gcda' | sort | while read -r data; do
    gcov -b -c -t -o "$(dirname "$data")" "$data" 2>/dev/null
done | awk -v source="$source/" -v thresholds="$THRESHOLDS" '
function clean(path) {
    if (index(path, source) == 1)
        path = substr(path, length(source) + 1)
    while (sub(/^\.\.\//, "", path) || sub(/^\.\//, "", path)) ;
    while (sub(/[^\/]+\/\.\.\//, "", path)) ;
    return path
}
/^ *-: *0:Source:/ {
    sub(/^.*Source:/, "")
    file = clean($0)
    counted = file ~ /^vm\// && file !~ /kernels\/arm|doc\/opref/
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
function percent(a, b) { return b ? 100 * a / b : 100 }
END {
    for (f in lines) {
        printf "%6.1f%% of %5d lines  %6.1f%% of %5d branches  %s\n", percent(run[f], lines[f]), lines[f], percent(taken[f], branches[f]), branches[f], f | "sort -k9"
        all_lines += lines[f]; all_run += run[f]; all_branches += branches[f]; all_taken += taken[f]
    }
    close("sort -k9")
    if (!all_lines) { print "no counts: configure --enable-gcov, make check"; exit 1 }
    printf "%6.1f%% of %5d lines  %6.1f%% of %5d branches  vm\n", percent(all_run, all_lines), all_lines, percent(all_taken, all_branches), all_branches
    split(thresholds, want, " ")
    exit percent(all_run, all_lines) < want[1] + 0 || percent(all_taken, all_branches) < want[2] + 0
}'
