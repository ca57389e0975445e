#!/bin/sh
# The case files under --sanitize=race: silent, but for what sanitize_cases.txt lists as right.  A line that is listed and no longer
# reported is a failure too.
#   CASERUN      how caserun is called (make check says it)
srcdir=${srcdir:-.}
list=$srcdir/tests/sanitize_cases.txt
out=sanitize.$$.out
trap 'rm -f "$out"' EXIT
${CASERUN:-./caserun} --sanitize=race "$srcdir"/tests/cases/*.mlir > "$out"
awk -v list="$list" '
BEGIN {
    while ((getline line < list) > 0) {
        if (split(line, word, " ") >= 3 && word[1] != "#")
            listed[word[1] " " word[2] " " word[3]] = 1
    }
}
$1 == "FAIL" && $4 == "reported" {
    file = $2
    sub(/.*\//, "", file)
    sub(/:$/, "", file)
    fn = $3
    sub(/:$/, "", fn)
    kind = $6
    sub(/\047$/, "", kind)
    reports++
    if ((file " " fn " " kind) in listed)
        seen[file " " fn " " kind] = 1
    else if ((file " * " kind) in listed)
        seen[file " * " kind] = 1
    else {
        print "not listed: " file " " fn " " kind " (" detail ")"
        bad++
    }
    next
}
$1 == "FAIL" { print; bad++; next }
/^     / { detail = $0 }
/ passed, / { passed = $1 }
END {
    for (entry in listed)
        if (!(entry in seen)) {
            print "listed, but not reported: " entry
            bad++
        }
    print passed + 0 " calls watched, " reports + 0 " reports, " bad + 0 " of them or of the list wrong"
    exit bad || !passed
}' "$out"
