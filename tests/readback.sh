#!/bin/sh
# Every --emit text reads back: going on from it gives the code, constants and types of the direct way.
# Positions in the source differ, so lines that tell them are left out.
# usage: readback.sh [FILE...]; without files, the case files.
: "${VMC:=./vmc}" "${srcdir:=.}"
test -z "$EMULATOR" || exit 77 # 1,600 starts of vmc: native only
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- "$srcdir"/tests/cases/*.mlir
failed=0
compared=0

code() {
    grep -vE '^ *\.(line|source)' "$1"
}

for file in "$@"; do
    for option in "" -O0 --fp=contract; do
        # shellcheck disable=SC2086
        $VMC "$file" $option --emit=asm -o "$work/direct" 2>/dev/null || continue # cases of refused programs
        code "$work/direct" >"$work/direct.code"
        for level in parse core buffers schedule; do
            # shellcheck disable=SC2086
            if ! $VMC "$file" $option --emit=$level -o "$work/text.mlir" 2>"$work/messages" ||
                ! $VMC "$work/text.mlir" --emit=asm -o "$work/again" 2>"$work/messages"; then
                echo "FAIL $file $option $level: $(head -n 1 "$work/messages")"
                failed=1
                continue
            fi
            code "$work/again" >"$work/again.code"
            compared=$((compared + 1))
            if ! cmp -s "$work/direct.code" "$work/again.code"; then
                echo "FAIL $file $option $level: other code"
                diff "$work/direct.code" "$work/again.code" | head -n 6
                failed=1
            fi
        done
    done
done
echo "$compared texts compared"
[ "$compared" -gt 0 ] && exit $failed
exit 1
