#!/bin/sh
# Generated files in the tree must be what their generators write now.
srcdir=${srcdir:-.}
status=0
sh "$srcdir/vm/bytecode/opnames.sh" "$srcdir/vm/bytecode/opcodes.def" | cmp - "$srcdir/vm/bytecode/opnames.h" || {
    echo "vm/bytecode/opnames.h is stale: sh vm/bytecode/opnames.sh vm/bytecode/opcodes.def > vm/bytecode/opnames.h"
    status=1
}
$EMULATOR ./opref "$srcdir/vm/bytecode/opcodes.def" | cmp - "$srcdir/vm/doc/opcodes.md" || {
    echo "vm/doc/opcodes.md is stale: ./opref vm/bytecode/opcodes.def > vm/doc/opcodes.md"
    status=1
}
sed -n 's/^\(OP\|EW\)(\([0-9]*\),.*/\2/p' "$srcdir/vm/bytecode/opcodes.def" | sort -n -c || {
    echo "vm/bytecode/opcodes.def: the rows must stand in the order of their numbers"
    status=1
}
exit $status
