#!/bin/sh
# Each native axis changed alone over the case files: same answers, same bytes.
#   matrix.sh CASERUN FILE...
caserun=$1
shift
reference=$($caserun --print-hash "$@") || { echo "$reference" | grep -v '^hash'; echo "base configuration failed"; exit 1; }
hash=$(echo "$reference" | grep '^hash')
status=0
case $(uname -m) in
aarch64) cpus="--cpu=neon --cpu=fp16 --cpu=bf16 --cpu=dotprod" ;;
*) cpus="--cpu=sse2 --cpu=avx2" ;;
esac
for axis in -O0 -g --switch --threads=2 --threads=7 --cpu=portable $cpus --asm \
    --disable-pass=canonicalize --disable-pass=cse --disable-pass=hoist-invariants --disable-pass=widen-operands --disable-pass=split-zero-points --disable-pass=fold-layouts --disable-pass=fuse-generics --disable-pass=raise-loops --disable-pass=block-rows --disable-pass=plan-memory --disable-pass=match-kernels --disable-pass=match-strips --disable-pass=local-memory; do
    out=$($caserun --print-hash "$axis" "$@")
    if test $? != 0 || test "$(echo "$out" | grep '^hash')" != "$hash"; then
        echo "FAIL $axis"
        echo "$out"
        status=1
    else
        echo "$axis: $(echo "$out" | tail -n 1), same bytes"
    fi
done
exit $status
