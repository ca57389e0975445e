#!/bin/sh
# The inputs that fuzzing once found, and the seeds that need no making, through the fuzz targets.
srcdir=${srcdir:-.}
status=0
for target in module asm mlir compile values; do
    set --
    for file in "$srcdir/tests/fuzz/corpus/$target"/*; do
        test -f "$file" && set -- "$@" "$file"
    done
    test "$target" = asm && set -- "$@" "$srcdir"/tests/bytecode/*.vmasm
    test "$target" = mlir && set -- "$@" "$srcdir"/tests/unit/*.mlir
    test $# = 0 && continue
    # shellcheck disable=SC2086
    $EMULATOR "./fuzz_$target" "$@" || { echo "FAIL fuzz_$target"; status=1; }
done
exit $status
