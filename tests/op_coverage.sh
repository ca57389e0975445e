#!/bin/sh
# Every row of compiler/dialects/*.def has a test that runs it: fails with the names of those that have none.
#   op_coverage.sh [-v]      (srcdir: the source; run in a built tree)
# A row counts as run when it stands in a function that a `// call:` line of tests/cases calls with a wanted result, or that such a
# function calls; rows of the module itself (globals, functions) when their file has such a call.  What is a trap must be called with
# one, what is refused by design must stand in a file that is refused, what only prints in a test of the tools.  With -v: how many
# functions run each row.
source=${srcdir:-.}
vmc=${VMC:-./vmc}
{
    $vmc --print-op-reference | sed -n 's/^### /row /p'
    for file in "$source"/tests/cases/*.mlir; do
        echo file
        # the functions that are called with a result; those that must trap
        awk '/^\/\/ call: @/ { name = substr($3, 2) } /^\/\/ want: error/ { if (name) print "traps", name; name = "" }
             /^\/\/ want:/ { if (name) print "called", name; name = "" } /^\/\/ check/ { name = ""; print "refused" }' "$file"
        $vmc --emit=parse --generic "$file" 2>/dev/null
    done
    echo file
    sed -n 's/.*\(vector\.print\).*/tool \1/p' "$source"/tests/cli.sh
} | awk -v verbose="$1" '
    # What the functions of the last file that ran contained.
    function finish(    changed, f, i, n, list, any) {
        for (f in called) any = 1
        do {
            changed = 0
            for (f in called) {
                n = split(calls[f], list, " ")
                for (i = 1; i <= n; i++)
                    if (!(list[i] in called)) { called[list[i]] = 1; changed = 1 }
            }
        } while (changed)
        for (f in called) { n = split(ops[f], list, " "); for (i = 1; i <= n; i++) runs[list[i]]++ }
        for (f in ops) if (bad) { n = split(ops[f], list, " "); for (i = 1; i <= n; i++) refused[list[i]]++ }
        for (f in traps) { n = split(ops[f], list, " "); for (i = 1; i <= n; i++) trapped[list[i]]++ }
        if (any) { n = split(ops[""], list, " "); for (i = 1; i <= n; i++) runs[list[i]]++ }
        split("", called); split("", traps); split("", ops); split("", calls)
        name = ""
        bad = 0
    }
    $1 == "row" { row[++rows] = $2; next }
    $1 == "file" { finish(); next }
    $1 == "called" { called[$2] = 1; next }
    $1 == "refused" { bad = 1; next }
    $1 == "tool" { tool[$2]++; next }
    $1 == "traps" { traps[$2] = 1; next }
    {
        line = $0
        if (match(line, /^ *"func\.func"/)) {
            indent = match(line, /[^ ]/)
            ops[""] = ops[""] " func.func"
            name = ""
            if (match(line, /sym_name = "[^"]*"/)) name = substr(line, RSTART + 12, RLENGTH - 13)
            next
        }
        if (name != "" && substr(line, indent, 1) == "}") { name = ""; next }
        while (match(line, /callee = @[A-Za-z0-9_$.]+/)) {
            calls[name] = calls[name] " " substr(line, RSTART + 10, RLENGTH - 10)
            line = substr(line, 1, RSTART - 1) substr(line, RSTART + RLENGTH)
        }
        if (match(line, /"func\.constant".*@[A-Za-z0-9_$.]+/)) {
            rest = line
            sub(/.*@/, "", rest)
            sub(/[^A-Za-z0-9_$.].*/, "", rest)
            calls[name] = calls[name] " " rest
        }
        if (match(line, /^ *(%[0-9a-z:]* = )?"[a-z_]+\.[A-Za-z0-9_.]+"\(/)) {
            sub(/^[^"]*"/, "", line)
            sub(/".*/, "", line)
            ops[name] = ops[name] " " line
        }
    }
    END {
        for (i = 1; i <= rows; i++) {
            r = row[i]
            n = runs[r] + tool[r]
            if (r == "ub.unreachable") n += trapped[r]
            if (r ~ /^vector\.(vscale|scalable|reshape|warp)/) n += refused[r]
            if (verbose) print n + 0, r
            if (n) with++
            else without = without " " r
        }
        if (without) { print "rows without a test that runs them:" without; exit 1 }
        if (with < 200) { print "only " with + 0 " rows were seen"; exit 1 }
        print with " rows, each run by a test"
    }'
