#!/bin/sh
# Writes opnames.h from opcodes.def: sh opnames.sh opcodes.def > opnames.h.  tests/bytecode/generated.sh refuses a stale file.
# Macros, not an enumeration, so that names of labels and functions can be made from them.
sed -n 's/^\(OP\|EW\)(\([0-9]*\), \([a-z0-9_.]*\), [A-Z0-9_]*, "\([^"]*\)".*/\1 \2 \3 \4/p' "$1" | awk '
BEGIN {
    print "/* Row numbers as names, dots as underscores, and the forms of elementwise rows as tokens (select: s).  Written by opnames.sh"
    print " * from opcodes.def: change that file, not this one. */"
    print "#ifndef BVM_OPNAMES_H"
    print "#define BVM_OPNAMES_H"
    print ""
}
{ id = $3; gsub(/\./, "_", id); printf "#define BVM_OP_%s %d\n", id, $2 }
$1 == "EW" { form = $4; sub(/[?]/, "s", form); sub(/[\/].*/, "", form); printf "#define BVM_FORM_%s %s\n", id, form }
END { print ""; print "#endif" }'
