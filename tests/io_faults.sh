#!/bin/sh
# Files and streams that fail, from outside: exit code 6 and a message that names the file; an output is whole or not there.
: "${VMC:=./vmc}" "${VMRUN:=./vmrun}" "${srcdir:=.}"
dir=$(mktemp -d "${TMPDIR:-/tmp}/bufvm-io.XXXXXX") || exit 99
trap 'rm -rf "$dir"' EXIT
passed=0
failed=0

# expect CODE TEXT COMMAND: what sh gives for it, and TEXT in the output
expect() {
    out=$(sh -c "$3" 2>&1)
    got=$?
    if test "$got" = "$1" && { test -z "$2" || printf '%s' "$out" | grep -qF -e "$2"; }; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL (exit %s, wanted %s with "%s"): %s\n%s\n' "$got" "$1" "$2" "$3" "$out"
    fi
}

cat >"$dir/a.mlir" <<'END'
func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @large() -> tensor<100000xi64> {
  %r = arith.constant dense<-1> : tensor<100000xi64>
  return %r : tensor<100000xi64>
}
func.func @fill(%m: memref<4xi32>) {
  %c = arith.constant 7 : i32
  linalg.fill ins(%c : i32) outs(%m : memref<4xi32>)
  return
}
func.func @print(%m: memref<*xf32>) {
  call @printMemrefF32(%m) : (memref<*xf32>) -> ()
  return
}
func.func private @printMemrefF32(memref<*xf32>)
END
expect 0 '' "$VMC $dir/a.mlir -o $dir/a.vmb"
run="$VMRUN $dir/a.vmb --function=twice --input=4xf32=1"
large="$VMRUN $dir/a.vmb --function=large --output_max_element_count=0"

# -- what cannot be read
expect 6 "$dir/none.vmb: No such file" "$VMRUN $dir/none.vmb"
expect 6 "$dir/none.npy: No such file" "$VMRUN $dir/a.vmb --function=twice --input=@$dir/none.npy"
expect 6 "$dir/none.bin: No such file" "$VMRUN $dir/a.vmb --function=twice --input=4xf32=@$dir/none.bin"
expect 6 "$dir/none.npy: No such file" "$run --expected_output=@$dir/none.npy"
expect 6 "$dir/none: No such file" "$VMRUN --flagfile=$dir/none"
expect 6 "$dir/none: No such file" "$VMC --flagfile=$dir/none"
for program in "$VMC $dir" "$VMRUN $dir" "$VMRUN --no-mmap $dir" "$VMRUN --flagfile=$dir" "$VMC --flagfile=$dir" \
    "$VMRUN $dir/a.vmb --function=twice --input=@$dir" "$VMRUN $dir/a.vmb --function=twice --input=4xf32=@$dir" "$run --expected_output=@$dir"; do
    expect 6 "$dir: Is a directory" "$program"
done
expect 6 'Not a directory' "$VMRUN $dir/a.vmb/x"
expect 6 '-: Bad file descriptor' "$VMC - <&-"
expect 6 '-: Bad file descriptor' "$VMRUN - <&-"
expect 6 '-: Is a directory' "$VMC - <$dir"
if test "$(id -u)" != 0; then
    cp "$dir/a.vmb" "$dir/locked"
    chmod 0 "$dir/locked"
    expect 6 "$dir/locked: Permission denied" "$VMRUN $dir/locked"
    expect 6 "$dir/locked: Permission denied" "$VMC $dir/locked"
    expect 6 "$dir/locked: Permission denied" "$VMC $dir/a.mlir -o $dir/locked"
    mkdir "$dir/closed"
    chmod 500 "$dir/closed"
    expect 6 "$dir/closed/x.vmb: Permission denied" "$VMC $dir/a.mlir -o $dir/closed/x.vmb"
fi
: >"$dir/nothing"
expect 3 "$dir/nothing" "$VMRUN $dir/nothing"
expect 3 '' "$VMRUN /dev/null"
expect 0 '' "$VMC /dev/null -o $dir/empty.vmb"
expect 5 'the limit is 100' "$VMRUN $dir/a.vmb --max-module=100"
expect 5 'the limit is 100' "cat $dir/a.vmb | $VMRUN /dev/stdin --max-module=100"
expect 0 'result[0]: 4xf32=2 2 2 2' "cat $dir/a.vmb | $VMRUN /dev/stdin --function=twice --input=4xf32=1"
expect 0 'result[0]: 4xf32=2 2 2 2' "{ head -c 50 $dir/a.vmb; sleep 0.1; tail -c +51 $dir/a.vmb; } | $VMRUN - --function=twice --input=4xf32=1"
# every place where a module may end too early
size=$(wc -c <"$dir/a.vmb")
for n in 1 7 8 63 64 200 $((size / 2)) $((size - 1)); do
    head -c "$n" "$dir/a.vmb" >"$dir/cut.vmb"
    expect 3 "$dir/cut.vmb" "$VMRUN $dir/cut.vmb --list"
    expect 3 "$dir/cut.vmb" "$VMRUN $dir/cut.vmb --list --no-mmap"
    expect 3 '' "$VMRUN - --list <$dir/cut.vmb"
done

# -- what cannot be written
expect 6 'No such file' "$VMC $dir/a.mlir -o $dir/no/x.vmb"
expect 6 "$dir: Is a directory" "$VMC $dir/a.mlir -o $dir"
expect 6 'No such file' "$run --output=@$dir/no/x.npy"
expect 6 "$dir: Is a directory" "$run --output=@$dir"
expect 6 'No such file' "$VMRUN $dir/a.vmb --function=fill --input=4xi32=1 --output_arg=0=@$dir/no/x.npy"
if test -c /dev/full; then
    expect 6 '/dev/full: No space' "$VMC $dir/a.mlir -o /dev/full"
    expect 6 '/dev/full: No space' "$run --output=@/dev/full"
    expect 6 'No space' "$run >/dev/full"
    expect 6 'No space' "$large >/dev/full"
    expect 6 'No space' "$VMRUN $dir/a.vmb --function=fill --input=4xi32=1 >/dev/full"
    expect 6 '' "$VMRUN $dir/a.vmb --function=print --input=4xf32=1 >/dev/full"
    expect 6 '' "$VMRUN $dir/a.vmb --list >/dev/full"
    expect 6 '' "$VMRUN --help >/dev/full"
    expect 6 '' "$VMC --help >/dev/full"
    expect 6 '' "$VMC $dir/a.mlir --emit=core >/dev/full"
    expect 6 '' "$VMC $dir/a.mlir -o - >/dev/full"
    expect 6 '' "$VMC --run $dir/a.mlir --function=twice --input=4xf32=1 >/dev/full"
    expect 6 '' "$VMC --print-op-reference >/dev/full"
    expect 6 '' "$run --expected_output=4xf32=9 >/dev/full"
fi
expect 6 '' "$run >&-"
expect 6 '' "$VMC $dir/a.mlir --emit=core >&-"
expect 6 '' "{ $large; echo \$? >$dir/code; } | head -c 10 >/dev/null; exit \$(cat $dir/code)"
expect 6 '' "{ $VMC --print-op-reference; echo \$? >$dir/code; } | head -c 10 >/dev/null; exit \$(cat $dir/code)"
expect 0 '' "$VMC $dir/nothing-like-it.mlir 2>&-; test \$? = 6"
# with standard streams closed the output is still the output, and nothing else
expect 0 '' "$VMC $dir/a.mlir -o $dir/b.vmb <&- >&- 2>&-; cmp $dir/a.vmb $dir/b.vmb"

# -- an output is the old file or the new one
printf old >"$dir/keep"
short="GCOV_PREFIX=$dir; export GCOV_PREFIX; ulimit -f 1" # a build for coverage would cut its own counts off
expect 6 'File too large' "$short; $VMRUN $dir/a.vmb --function=large --output=@$dir/keep"
expect 0 'old' "cat $dir/keep"
expect 6 '' "$short; $large >$dir/out"
ls -a "$dir" | grep -F 'keep.' && failed=$((failed + 1))
expect 0 '' "$VMRUN $dir/a.vmb --function=large --output=@$dir/keep; test \$(wc -c <$dir/keep) = 800000"
cp "$dir/a.vmb" "$dir/target"
ln -s target "$dir/link"
expect 0 '' "$run --output=@$dir/link && test -L $dir/link && ! cmp -s $dir/a.vmb $dir/target"
chmod 640 "$dir/keep"
expect 0 '640' "$run --output=@$dir/keep >/dev/null && stat -c %a $dir/keep"

# -- .npy headers that lie.  npy NAME HEADER BYTES: version 1.0, the header as long as it says, BYTES zeros behind
npy() {
    length=$(printf '%s' "$2" | wc -c)
    {
        printf '\223NUMPY\001\000'
        # shellcheck disable=SC2059
        printf "\\$(printf %o $((length % 256)))\\$(printf %o $((length / 256)))"
        printf '%s' "$2"
        head -c "$3" /dev/zero
    } >"$dir/$1.npy"
}
refuse() {
    npy bad "$3" "$4"
    expect "$1" "$2" "$VMRUN $dir/a.vmb --function=twice --input=@$dir/bad.npy"
}
npy good "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }" 16
expect 0 'result[0]: 4xf32=0 0 0 0' "$VMRUN $dir/a.vmb --function=twice --input=@$dir/good.npy"
npy big "{'descr': '>f4', 'fortran_order': True, 'shape': (4,), }" 16
expect 0 'result[0]: 4xf32=0 0 0 0' "$VMRUN $dir/a.vmb --function=twice --input=@$dir/big.npy"
refuse 6 'header' "{'descr': '<f4', 'fortran_order': False, 'shape': (4" 16
refuse 6 'header' "{'descr': '<f4', 'fortran_order': False, 'shape': (4,,)}" 16
refuse 6 'header' "{'descr': '<f4', 'fortran_order': False, 'shape': (-4,)}" 16
refuse 6 'header' "{'descr': '<f4', 'fortran_order': False, 'shape': 4}" 16
refuse 6 'header' "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (4,)}" 16
refuse 6 'header' "{'descr': '<f4', 'fortran_order': False}" 16
refuse 6 'header' "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (4,)}" 16
refuse 6 'header' "{'descr': '<f', 'fortran_order': False, 'shape': (4,)}" 16
refuse 6 'header' "'descr" 16
refuse 6 'header' "" 16
refuse 2 "descriptor 'f3'" "{'descr': '<f3', 'fortran_order': False, 'shape': (4,)}" 16
refuse 2 "descriptor 'O8'" "{'descr': '|O8', 'fortran_order': False, 'shape': (4,)}" 32
refuse 2 "descriptor 'f999'" "{'descr': '<f999', 'fortran_order': False, 'shape': (4,)}" 16
refuse 6 '16 bytes of elements expected, 15 are there' "{'descr': '<f4', 'fortran_order': False, 'shape': (4,)}" 15
refuse 6 'more bytes than' "{'descr': '<f4', 'fortran_order': False, 'shape': (4000000000,)}" 16
refuse 6 '' "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904,)}" 16
refuse 6 '' "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}" 16
refuse 6 'more bytes than' "{'descr': '<f4', 'fortran_order': True, 'shape': (4294967296, 4294967296, 4294967296)}" 16
refuse 2 'argument 0' "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4294967296, 4294967296)}" 16
refuse 2 'argument 0' "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)}" 16
refuse 2 'argument 0' "{'descr': '<f8', 'fortran_order': False, 'shape': (4,)}" 32
refuse 6 'header' "{'descr': '<f4', 'fortran_order': False, 'shape': ($(printf '1,%.0s' $(seq 65)))}" 16
printf '\223NUMPY\001\000\377\377{}' >"$dir/long.npy"
expect 6 'header' "$VMRUN $dir/a.vmb --function=twice --input=@$dir/long.npy"
printf '\223NUMPY\002\000\377\377\377\377{}' >"$dir/long.npy"
expect 6 'header' "$VMRUN $dir/a.vmb --function=twice --input=@$dir/long.npy"
printf '\223NUMPY\011\000\002\000{}' >"$dir/version.npy"
expect 6 'version' "$VMRUN $dir/a.vmb --function=twice --input=@$dir/version.npy"
size=$(wc -c <"$dir/good.npy")
for n in 0 1 5 6 9 10 11 40 $((size - 17)) $((size - 1)); do
    head -c "$n" "$dir/good.npy" >"$dir/cut.npy"
    expect 6 "$dir/cut.npy" "$VMRUN $dir/a.vmb --function=twice --input=@$dir/cut.npy"
done
# bytes that are no i1 or i4 become ones
cat >"$dir/bits.mlir" <<'END'
func.func @bits(%x: tensor<3xi1>, %y: tensor<2xi4>) -> (tensor<3xi1>, tensor<2xi4>) {
  return %x, %y : tensor<3xi1>, tensor<2xi4>
}
END
npy bools "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }" 0
printf '\002\000\377' >>"$dir/bools.npy"
printf '\377\027' >"$dir/nibbles.bin"
expect 0 'result[0]: 3xi1=1 0 1' "$VMC --run $dir/bits.mlir --input=@$dir/bools.npy --input=2xi4=@$dir/nibbles.bin"
expect 0 '[SUCCESS]' "$VMC --run $dir/bits.mlir --input=@$dir/bools.npy --input=2xi4=@$dir/nibbles.bin --expected_output=3xi1=1,0,1 --expected_output=2xi4=-1,7"
head -c 15 /dev/zero >"$dir/short.bin"
expect 2 '15 bytes where a value of f32 needs 16' "$VMRUN $dir/a.vmb --function=twice --input=4xf32=@$dir/short.bin"
head -c 17 /dev/zero >"$dir/long.bin"
expect 2 'over 16 bytes where a value of f32 needs 16' "$VMRUN $dir/a.vmb --function=twice --input=4xf32=@$dir/long.bin"

echo "$passed passed, $failed failed"
test "$failed" = 0
