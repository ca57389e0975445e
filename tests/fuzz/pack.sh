#!/bin/sh
# Makes the kept corpus of what fuzzing has grown: for each target the inputs that together cover what all cover, in one archive.
#   pack.sh SOURCE [TARGET...]      in a fuzz build after run.sh; writes SOURCE/tests/fuzz/corpus/TARGET.tar.gz
: "${FOLDER:=fuzz}" "${LONGEST:=4096}"
source=$1
shift
test $# != 0 || set -- module asm mlir compile values
for target in "$@"; do
    rm -rf "$FOLDER/$target.least" "$FOLDER/$target.pack"
    mkdir -p "$FOLDER/$target.least" "$FOLDER/$target.pack" "$FOLDER/$target.grown"
    "./fuzz_$target" -merge=1 -max_len="$LONGEST" -timeout=20 "$FOLDER/$target.least" "$FOLDER/$target.grown" "$FOLDER/$target" \
        >"$FOLDER/$target.merge" 2>&1 || { tail -n 20 "$FOLDER/$target.merge"; exit 1; }
    n=1000
    for file in "$FOLDER/$target.least"/*; do
        n=$((n + 1))
        cp "$file" "$FOLDER/$target.pack/$n"
    done
    tar -C "$FOLDER/$target.pack" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 --format=ustar -cf - . |
        gzip -9n >"$source/tests/fuzz/corpus/$target.tar.gz"
    echo "$target: $((n - 1000)) inputs, $(wc -c <"$source/tests/fuzz/corpus/$target.tar.gz") bytes"
done
