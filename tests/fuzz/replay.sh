#!/bin/sh
# The inputs that fuzzing once found or grew, and the seeds that need no making, through the fuzz targets.
srcdir=${srcdir:-.}
folder=fuzz-replay
status=0
rm -rf $folder
for target in module asm mlir compile values; do
    mkdir -p "$folder/$target" || exit 1
    archive=$srcdir/tests/fuzz/corpus/$target.tar.gz
    test ! -f "$archive" || gzip -dc "$archive" | tar -C "$folder/$target" -xf - || exit 1
    set --
    for file in "$srcdir/tests/fuzz/corpus/$target"/* "$folder/$target"/*; do
        test -f "$file" && set -- "$@" "$file"
    done
    test "$target" = asm && set -- "$@" "$srcdir"/tests/bytecode/*.vmasm
    test "$target" = mlir && set -- "$@" "$srcdir"/tests/unit/*.mlir
    test $# = 0 && continue
    # shellcheck disable=SC2086
    $EMULATOR "./fuzz_$target" "$@" || { echo "FAIL fuzz_$target"; status=1; }
done
rm -rf $folder
exit $status
