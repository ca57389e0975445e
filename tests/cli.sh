#!/bin/sh
# The programs from outside: exit codes, messages, files.  Run by make check with VMC and VMRUN set.
: "${VMC:=./vmc}" "${VMRUN:=./vmrun}" "${srcdir:=.}"
dir=$(mktemp -d "${TMPDIR:-/tmp}/bufvm-cli.XXXXXX") || exit 99
trap 'rm -rf "$dir"' EXIT
passed=0
failed=0

# expect CODE TEXT COMMAND...: the exit code, and TEXT somewhere in the output ('' = anything)
expect() {
    code=$1 text=$2
    shift 2
    out=$("$@" 2>&1)
    got=$?
    if test "$got" = "$code" && { test -z "$text" || printf '%s' "$out" | grep -qF -e "$text"; }; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL (exit %s, wanted %s with "%s"): %s\n%s\n' "$got" "$code" "$text" "$*" "$out"
    fi
}
shell() { sh -c "$1"; }

cat >"$dir/a.mlir" <<'END'
func.func @double(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%v: f32, %u: f32):
    %s = arith.addf %v, %v : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @scale(%m: memref<2x2xi32>, %k: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %v = memref.load %m[%i, %j] : memref<2x2xi32>
      %w = arith.muli %v, %k : i32
      memref.store %w, %m[%i, %j] : memref<2x2xi32>
    }
  }
  return
}
func.func @half(%x: i32) -> i32 {
  %z = arith.constant 0 : i32
  %r = arith.divsi %x, %z : i32
  return %r : i32
}
func.func @spin() {
  cf.br ^again
^again:
  cf.br ^again
}
func.func @nibbles(%x: tensor<4xi4>, %y: tensor<2xui8>, %z: tensor<2xcomplex<f32>>, %b: i1) -> (tensor<4xi4>, tensor<2xui8>, tensor<2xcomplex<f32>>, i1) {
  return %x, %y, %z, %b : tensor<4xi4>, tensor<2xui8>, tensor<2xcomplex<f32>>, i1
}
func.func @big() -> i32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<4000xi32>
  %v = memref.load %m[%c0] : memref<4000xi32>
  return %v : i32
}
END
printf 'func.func @f(%%a: i32) -> i32 {\n  %%b = arith.addi %%a, %%c : i32\n  %%d = arith.nonsense %%a : i32\n  return %%b : i32\n}\n' >"$dir/bad.mlir"
printf 'func.func @t() {\n  %%a = util.unfoldable_constant dense<[1, 2]> : tensor<2xi32>\n  check.expect_eq_const(%%a, dense<[1, 2]> : tensor<2xi32>) : tensor<2xi32>\n  return\n}\nfunc.func @u() {\n  %%a = util.unfoldable_constant dense<[1, 3]> : tensor<2xi32>\n  check.expect_eq_const(%%a, dense<[1, 2]> : tensor<2xi32>) : tensor<2xi32>\n  return\n}\n' >"$dir/check.mlir"

expect 0 '' $VMC "$dir/a.mlir" -o "$dir/a.vmb"
expect 0 'result[0]: 4xf32=2 4 6 8' $VMRUN "$dir/a.vmb" --function=double --input=4xf32=1,2,3,4
expect 0 'result[0]: 4xf32=2 4 6 8' $VMC --run "$dir/a.mlir" --function=double '--input=4xf32=[1 2 3 4]'
expect 0 'result[0]: 4xf32=3 3 3 3' $VMRUN "$dir/a.vmb" --function=@double --input=4xf32=1.5
expect 0 'argument[0]: 2x2xi32=[3 6][9 12]' $VMRUN "$dir/a.vmb" --function=scale '--input=2x2xi32=[1 2][3 4]' --input=3
expect 0 '' $VMRUN "$dir/a.vmb" --function=scale '--input=2x2xi32=[1 2][3 4]' --input=i32=3 '--expected_arg=0=2x2xi32=[3 6][9 12]'
expect 1 '1 of 4 elements differ; the worst at [1, 1] is 12, expected 13' $VMRUN "$dir/a.vmb" --function=scale '--input=2x2xi32=[1 2][3 4]' --input=3 '--expected_arg=0=2x2xi32=[3 6][9 13]'
expect 0 '[SUCCESS]' $VMRUN "$dir/a.vmb" --function=double --input=4xf32=1,2,3,4 --expected_output=4xf32=2,4,6,8
expect 1 '[FAILED] result[0]: 2 of 4 elements differ; the worst at [3] is 8, expected 9' $VMRUN "$dir/a.vmb" --function=double --input=4xf32=1,2,3,4 --expected_output=4xf32=2.5,4,6,9
expect 0 '' $VMRUN "$dir/a.vmb" --function=double --input=4xf32=1,2,3,4 --expected_output=4xf32=2.000001,4,6,8 --rtol=1e-5
expect 0 '' $VMRUN "$dir/a.vmb" --function=double --input=4xf32=1,2,3,4 --expected_output=4xf32=2.0000002,4,6,8 --ulp=1
expect 0 '' $VMRUN "$dir/a.vmb" --function=double --input=4xf32=0.1 "--output=@$dir/o.npy"
expect 0 '[SUCCESS]' $VMRUN "$dir/a.vmb" --function=double --input=4xf32=0.1 "--expected_output=@$dir/o.npy"
expect 0 'result[0]: 4xf32=0.4 0.4 0.4 0.4' $VMRUN "$dir/a.vmb" --function=double "--input=@$dir/o.npy"
expect 0 '' $VMRUN "$dir/a.vmb" --function=double --input=4xf32=0.1 "--output=@$dir/o.bin"
expect 0 'result[0]: 4xf32=0.4 0.4 0.4 0.4' $VMRUN "$dir/a.vmb" --function=double "--input=4xf32=@$dir/o.bin"
expect 0 'result[0]: 4xi4=-8 7 -1 0' $VMRUN "$dir/a.vmb" --function=nibbles --input=4xi4=8,7,-1,0 --input=2xui8=255,0 '--input=2xc64=(1,2)(3,-0)' --input=true
# types that .npy does not have: narrow integers are bytes with their value, small floats raw bytes
cat >"$dir/narrow.mlir" <<'END'
func.func @same(%a: tensor<3xi4>, %b: tensor<3xf8E4M3FN>) -> (tensor<3xi4>, tensor<3xf8E4M3FN>) {
  return %a, %b : tensor<3xi4>, tensor<3xf8E4M3FN>
}
END
expect 0 '' $VMC --run "$dir/narrow.mlir" --input=3xi4=-8,7,-1 --input=3xf8E4M3FN=-448,nan,0.3125 "--output=@$dir/i4.npy" "--output=@$dir/f8.npy"
expect 0 'f8 07 ff' shell "tail -c 3 $dir/i4.npy | od -A n -t x1"
expect 0 '3xi4=-8 7 -1' $VMC --run "$dir/narrow.mlir" "--input=@$dir/i4.npy" "--input=@$dir/f8.npy"
expect 0 '3xf8E4M3FN=-450 nan 0.3' $VMC --run "$dir/narrow.mlir" "--input=@$dir/i4.npy" "--input=@$dir/f8.npy"
expect 0 '[SUCCESS]' $VMC --run "$dir/narrow.mlir" "--input=@$dir/i4.npy" "--input=@$dir/f8.npy" "--expected_output=@$dir/i4.npy" "--expected_output=@$dir/f8.npy"
expect 2 'is a .npy file, which has its type and shape' $VMRUN "$dir/a.vmb" --function=double "--input=4xf32=@$dir/o.npy"
printf 'func.func private @printI64(i64)\nfunc.func @forever() {\n  %%i = arith.constant 12345678 : i64\n  cf.br ^again\n^again:\n  call @printI64(%%i) : (i64) -> ()\n  cf.br ^again\n}\n' >"$dir/forever.mlir"
test ! -w /dev/full || expect 6 'writing the output failed' shell "$VMC --run $dir/forever.mlir >/dev/full"
expect 2 'N the number of a memref argument' $VMRUN "$dir/a.vmb" --function=spin --output_arg=1=@x.npy
{ head -c 128 "$dir/i4.npy"; printf '\001\020\003'; } >"$dir/i5.npy"
expect 2 '16 is out of the range of i4' $VMC --run "$dir/narrow.mlir" "--input=@$dir/i5.npy" "--input=@$dir/f8.npy"
expect 0 'result[1]: 2xui8=255 0' $VMRUN "$dir/a.vmb" --function=nibbles --input=4xi4=8,7,-1,0 --input=2xui8=255,0 '--input=2xc64=(1,2)(3,-0)' --input=true
expect 0 'complex<f32>=(1,2) (3,-0)' $VMRUN "$dir/a.vmb" --function=nibbles --input=4xi4=8,7,-1,0 --input=2xui8=255,0 '--input=2xc64=(1,2)(3,-0)' --input=true
printf 'func.func @one(%%x: tensor<i4>) -> tensor<i4> {\n  return %%x : tensor<i4>\n}\n' >"$dir/narrow.mlir"
expect 0 '[SUCCESS]' $VMC --run "$dir/narrow.mlir" --input=i4=-2 --expected_output=i4=-2
expect 1 'is -2, expected -3' $VMC --run "$dir/narrow.mlir" --input=i4=-2 --expected_output=i4=-3
expect 0 '@double(tensor<4xf32>) -> (tensor<4xf32>)' $VMRUN "$dir/a.vmb" --list
expect 0 '1 passed, 0 failed' $VMC --run "$dir/check.mlir" --check --function=t
expect 1 '1 passed, 1 failed' $VMC --run "$dir/check.mlir" --check
expect 1 'line 8, column 3: Expected equality of these values' $VMC --run "$dir/check.mlir" --check
expect 0 '' $VMC --run "$dir/check.mlir" --check --expect_failure
printf 'module {}\n' >"$dir/empty.mlir"
expect 2 'the module exports no function' $VMC --run "$dir/empty.mlir"
expect 2 "--emit: 'none' is not among its values: bytecode, asm, parse," $VMC --emit=none "$dir/check.mlir"
expect 2 "--disable-pass names no pass: 'none'" $VMC --disable-pass=none "$dir/check.mlir"
expect 3 'is program text, not a module: compile it with vmc' $VMRUN "$dir/check.mlir"
expect 0 'usage: vmc' $VMC --help
expect 0 'usage: vmrun' $VMRUN --help

# refusals, each with its code
expect 1 'error:' $VMC "$dir/bad.mlir" -o "$dir/bad.vmb"
expect 1 'bad.mlir:2:' $VMC "$dir/bad.mlir" -o "$dir/bad.vmb"
expect 1 'bad.mlir:3:' $VMC "$dir/bad.mlir" -o "$dir/bad.vmb"
expect 2 'unknown flag' $VMC --frobnicate "$dir/a.mlir"
expect 2 'no input' $VMC
expect 2 'unknown flag' $VMRUN --frobnicate "$dir/a.vmb"
expect 2 'exports 6 functions' $VMRUN "$dir/a.vmb"
expect 2 "no function 'nosuch'" $VMRUN "$dir/a.vmb" --function=nosuch
expect 2 'takes 1 arguments, 0 given' $VMRUN "$dir/a.vmb" --function=double
expect 2 'expected tensor<4xf32>, got 4xi32' $VMRUN "$dir/a.vmb" --function=double --input=4xi32=1
expect 2 '3 elements given where 4' $VMRUN "$dir/a.vmb" --function=double --input=4xf32=1,2,3
expect 2 'argument 0' $VMRUN "$dir/a.vmb" --function=double --input=5xf32=1
expect 2 'is no f32' $VMRUN "$dir/a.vmb" --function=double --input=4xf32=1,2,x,4
expect 2 'is no i32' $VMRUN "$dir/a.vmb" --function=half --input=4294967296
expect 3 'error' $VMRUN "$dir/a.mlir"
expect 4 'division by zero' $VMRUN "$dir/a.vmb" --function=half --input=1
expect 4 ':25:' shell "$VMRUN $dir/a.vmb --function=half --input=1 2>&1 | sed 's/line \([0-9]*\):/:\1:/'; exit 4"
expect 5 'fuel' $VMRUN "$dir/a.vmb" --function=spin --fuel=10000
# what is charged does not depend on the threads, also where a kernel is cut up for them
$VMC "$srcdir/tests/cases/shared_kernels.mlir" -o "$dir/shared.vmb"
charged=$($VMRUN "$dir/shared.vmb" --function=run --threads=1 --print-statistics 2>&1 | grep -o 'instructions [0-9]*')
expect 0 "$charged" $VMRUN "$dir/shared.vmb" --function=run --threads=3 --print-statistics
# nor does it what fits under a limit: threads that have no room for their own stay out
for limit in 8600K 9M 10M 12M; do
    expect 0 'result[3]' $VMRUN "$dir/shared.vmb" --function=run --threads=1 --max-memory=$limit
    expect 0 'result[3]' $VMRUN "$dir/shared.vmb" --function=run --threads=3 --max-memory=$limit
done
expect 5 '8192' $VMRUN "$dir/a.vmb" --function=big --local-memory=8192
expect 0 'result[0]: i32=0' $VMRUN "$dir/a.vmb" --function=big
expect 6 'No such file' $VMC "$dir/nosuch.mlir"
expect 6 'No such file' $VMRUN "$dir/nosuch.vmb"
expect 6 'directory' $VMC "$dir"
expect 6 '' $VMRUN "$dir"
expect 6 'No such file' $VMC "$dir/a.mlir" -o "$dir/no/such/folder.vmb"
expect 6 'No space' $VMC "$dir/a.mlir" -o /dev/full
expect 6 '' shell "$VMC $dir/a.mlir --emit=parse >/dev/full"
expect 6 '' shell "$VMRUN $dir/a.vmb --function=double --input=4xf32=1 >/dev/full"
expect 2 'No such file' shell "$VMRUN $dir/a.vmb --function=double --input=@$dir/nosuch.npy; test \$? = 6 && exit 2"
head -c 100 "$dir/o.npy" >"$dir/short.npy"
expect 6 'npy' $VMRUN "$dir/a.vmb" --function=double "--input=@$dir/short.npy"
head -c 300 "$dir/a.vmb" >"$dir/short.vmb"
expect 3 '' $VMRUN "$dir/short.vmb"

# standard input and output
expect 0 '.version 1.0' shell "$VMC $dir/a.mlir --emit=asm | $VMC - --emit=asm"
expect 2 'leave out -o' $VMC --run "$dir/a.mlir" --function=big -o "$dir/x.vmb"
expect 0 'result[0]: 4xf32=0 0 0 0' $VMRUN "$dir/a.vmb" --function=double --input=4xf32
expect 0 'result[0]: 4xf32=2 2 2 2' shell "$VMC - -o - <$dir/a.mlir | $VMRUN - --function=double --input=4xf32=1"
printf '# a comment\n--function=double\n--input=4xf32=1\n' >"$dir/flags"
expect 0 'result[0]: 4xf32=2 2 2 2' $VMRUN "$dir/a.vmb" "--flagfile=$dir/flags"

# an interrupted or failed write leaves the old file
cp "$dir/a.vmb" "$dir/keep.vmb"
$VMC "$dir/bad.mlir" -o "$dir/keep.vmb" >/dev/null 2>&1
expect 0 '' cmp "$dir/a.vmb" "$dir/keep.vmb"

# benchmarks: the form of what is printed, which functions, exit codes; never a time
cat >"$dir/bench.mlir" <<'END'
func.func @one() -> i32 {
  %r = arith.constant 1 : i32
  return %r : i32
}
func.func @two() -> tensor<3xf32> {
  %r = arith.constant dense<2.0> : tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @three(%x: tensor<2xi64>) -> tensor<2xi64> {
  return %x : tensor<2xi64>
}
func.func private @hidden() {
  return
}
END
expect 0 '' $VMC "$dir/bench.mlir" -o "$dir/bench.vmb"
bench="$VMRUN $dir/bench.vmb --benchmark_min_warmup_time=0.001"
time='[0-9.]+ ([num]s|s ) *'
$bench --benchmark=0.001 >"$dir/out" 2>&1
expect 0 '' grep -Eq '^function +calls +minimum +median +maximum$' "$dir/out"
expect 0 '' grep -Eq "^@one +[0-9]+ +$time$time$time 4 bytes, [0-9.e+-]+ GB/s  [0-9.e+]+ instructions, " "$dir/out"
expect 0 '' grep -Eq '^@two .* 12 bytes, ' "$dir/out"
expect 1 '' grep -Eq 'three|hidden' "$dir/out"
$bench --function=three --input=2xi64=1 --benchmark_min_time=7x --benchmark_repetitions=3 >"$dir/out" 2>&1
expect 0 '3' grep -Ec '^@three +7 .* 32 bytes, ' "$dir/out"
expect 0 '3' grep -Ec "^@three, (mean|median|stddev) of the repetitions: +$time$" "$dir/out"
$bench --benchmark_min_time=0.001s --benchmark_repetitions=2 --benchmark_format=json >"$dir/out" 2>&1
expect 0 '10' grep -c '"real_time": [0-9]' "$dir/out"
expect 0 '4' grep -c '"median_time": [0-9]' "$dir/out"
expect 0 '' grep -q '"name": "two_stddev"' "$dir/out"
if command -v python3 >/dev/null; then
    expect 0 'one one one_mean one_median one_stddev two two two_mean two_median two_stddev ns' python3 -c \
        'import json, sys; b = json.load(open(sys.argv[1]))["benchmarks"]; print(*[r["name"] for r in b], b[0]["time_unit"])' "$dir/out"
fi
expect 2 'takes 1 arguments' $bench --function=three
printf 'func.func @p(%%x: i32) {\n  return\n}\nfunc.func @q(%%x: i32) {\n  return\n}\n' >"$dir/args.mlir"
expect 2 'exports no function without arguments' $VMC --run "$dir/args.mlir" --benchmark
for bad in --benchmark=0 --benchmark=x --benchmark= --benchmark_min_time=0x --benchmark_min_time=-1 --benchmark_min_time=1y \
    --benchmark_repetitions=0 --benchmark_repetitions=10001 --benchmark_min_warmup_time=soon --benchmark_format=csv; do
    expect 2 "${bad%%=*}: '${bad#*=}' is not" $VMRUN "$dir/bench.vmb" $bad
done
expect 4 'division by zero' $VMRUN "$dir/a.vmb" --function=half --input=1 --benchmark=0.001

# every flag of --help is in the manual page, and the other way round
flags() { grep -oE -e '--[a-zA-Z][a-zA-Z_-]*' | sort -u; }
for pair in "vmc:$srcdir/compiler/doc/vmc.1" "vmrun:$srcdir/vm/doc/vmrun.1"; do
    program=$VMC
    test "${pair%%:*}" = vmrun && program=$VMRUN
    $program --help | sed '/Run flags/,$d' | flags >"$dir/help"
    sed 's/\\-/-/g' "${pair#*:}" | flags >"$dir/man"
    expect 0 '' diff "$dir/help" "$dir/man"
done

# vector.print, byte for byte as the MLIR runner prints
cat >"$dir/print.mlir" <<'END'
func.func @main() {
  %a = arith.constant dense<[[[1.5, -0.0], [0x7FC00000, 1.0e-7]]]> : vector<1x2x2xf32>
  %b = arith.constant dense<[-8, 7, -1]> : vector<3xi4>
  %u = vector.bitcast %b : vector<3xi4> to vector<3xui4>
  %m = arith.constant dense<[true, false]> : vector<2xi1>
  %z = arith.constant dense<-3> : vector<i64>
  %n = arith.constant -1 : index
  %h = arith.constant 2.5 : bf16
  vector.print %a : vector<1x2x2xf32>
  vector.print %b : vector<3xi4>
  vector.print %u : vector<3xui4>
  vector.print %m : vector<2xi1> punctuation <comma>
  vector.print %z : vector<i64> punctuation <no_punctuation>
  vector.print str "\22text\0A"
  vector.print %n : index punctuation <open>
  vector.print %h : bf16 punctuation <close>
  vector.print punctuation <newline>
  %s = vector.reduction <add>, %u : vector<3xui4> into ui4
  vector.print %s : ui4
  return
}
END
cat >"$dir/print.want" <<'END'
( ( ( 1.5, -0 ), ( nan, 1e-07 ) ) )
( -8, 7, -1 )
( 8, 7, 15 )
( 1, 0 ), ( -3 )"text
18446744073709551615( 2.5 )
14
END
expect 0 '' shell "$VMC --run $dir/print.mlir --function=main | cmp - $dir/print.want"
expect 0 '' shell "$VMC -O0 --run $dir/print.mlir --function=main | cmp - $dir/print.want"
expect 0 '' shell "$VMC $dir/print.mlir -o $dir/print.vmb && $VMRUN $dir/print.vmb --function=main | cmp - $dir/print.want"
printf 'func.func @f(%%v: vector<6xf64>) -> vector<6xf64> {\n%%r = vector.flat_transpose %%v {rows = 2 : i32, columns = 3 : i32} : vector<6xf64> -> vector<6xf64>\nreturn %%r : vector<6xf64>\n}\n' >"$dir/flat.mlir"
expect 0 '6xf64=1 3 5 2 4 6' $VMC --run "$dir/flat.mlir" --input=6xf64=1,2,3,4,5,6
expect 0 '6xf64=1 4 2 5 3 6' $VMC --row-major-matrices --run "$dir/flat.mlir" --input=6xf64=1,2,3,4,5,6
expect 0 '6xf64=1 4 2 5 3 6' shell "$VMC --row-major-matrices --emit=parse $dir/flat.mlir | $VMC --run - --input=6xf64=1,2,3,4,5,6"

# --sanitize: the report with its place on standard error, the result as ever, exit code 1; silent twin 0
cat >"$dir/shift.mlir" <<'END'
func.func @shift(%a: i32, %b: i32) -> i32 {
  %r = arith.shli %a, %b : i32
  return %r : i32
}
END
expect 0 '' $VMC -g "$dir/shift.mlir" -o "$dir/shift.vmb"
expect 0 'result[0]: i32=8' $VMRUN "$dir/shift.vmb" --sanitize --input=1 --input=3
expect 1 'shift.mlir:2:8: sanitize: shift of 1 by 32, the width is 32 [shift] in @shift' $VMRUN "$dir/shift.vmb" --sanitize=race --input=1 --input=32
expect 1 'result[0]: i32=0' shell "$VMRUN $dir/shift.vmb --sanitize --input=1 --input=32 2> /dev/null"
expect 0 'result[0]: i32=0' $VMRUN "$dir/shift.vmb" --input=1 --input=32
expect 1 'shift of 1 by 33' $VMC --run -g "$dir/shift.mlir" --sanitize --input=1 --input=33
expect 2 'compile it with -g' $VMC --run "$dir/shift.mlir" --sanitize --input=1 --input=33
expect 2 "--sanitize: 'all' is not among its values" $VMRUN "$dir/shift.vmb" --sanitize=all --input=1 --input=32

# one line a call of vmrun: exit code, what it says, arguments
cp "$dir/a.vmb" "$dir/b.vmb"
printf '  --function=double  \r\n\n// a remark\n--input=4xf32=1' >"$dir/spaced"
printf -- '--function=double\nfour\n' >"$dir/noflag"
printf -- '--flagfile=%s\n' "$dir/flags" >"$dir/nested"
printf 'func.func @"a$b"() -> i32 {\n  %%r = arith.constant 5 : i32\n  return %%r : i32\n}\nfunc.func @seen() -> i32 {\n  %%r = arith.constant 6 : i32\n  return %%r : i32\n}\n' >"$dir/hidden.mlir"
$VMC "$dir/hidden.mlir" -o "$dir/hidden.vmb"
$VMC "$dir/args.mlir" -o "$dir/args.vmb"
printf 'func.func @signs(%%x: tensor<1xsi8>) -> i32 {\n  %%r = arith.constant 5 : i32\n  return %%r : i32\n}\n' >"$dir/signs.mlir"
$VMC "$dir/signs.mlir" -o "$dir/signs.vmb"
printf 'func.func @zero() -> i32 {\n  %%z = util.unfoldable_constant 0 : i32\n  %%r = arith.divsi %%z, %%z : i32\n  return %%r : i32\n}\n' >"$dir/zero.mlir"
$VMC "$dir/zero.mlir" -o "$dir/zero.vmb"
cat >"$dir/races.mlir" <<'END'
func.func @touch() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = arith.constant 1 : i32
  %m = memref.alloc() : memref<100000xi32>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    memref.store %v, %m[%i] : memref<100000xi32>
  }
  memref.dealloc %m : memref<100000xi32>
  return
}
END
$VMC -g "$dir/races.mlir" -o "$dir/races.vmb"
$VMRUN "$dir/a.vmb" --function=big "--output=@$dir/scalar.npy" >"$dir/out" 2>&1
while IFS='|' read -r code text flags; do
    eval "expect $code \"\$text\" \$VMRUN $flags"
done <<'END'
0|usage: vmrun|-h
0|vmrun (bufvm) |--version
2|no module given|
2|no module given|--function=double
2|needs a module with observation points|$dir/a.vmb --trace
2|needs a module with observation points|$dir/a.vmb --profile=x
2|one module at a time|$dir/a.vmb $dir/b.vmb
2|one module at a time|--module=$dir/a.vmb --module=$dir/b.vmb
2|unknown flag '--module'|--module
0|result[0]: i32=0|--module $dir/a.vmb --function big
0|result[0]: i32=0|$dir/a.vmb --function=@big --function=big --cpu=portable --cpu=native --threads 2
2|cpu 'z80' is not known|$dir/a.vmb --function=big --cpu=z80
2|--threads: 'x' is no number|$dir/a.vmb --threads=x
2|--threads: '4294967296' is no number|$dir/a.vmb --threads=4294967296
2|--call-depth: '' is no number|$dir/a.vmb --call-depth=
2|--fuel: '18446744073709551616' is no number|$dir/a.vmb --fuel=18446744073709551616
2|--fuel: '99999999999G' is no number|$dir/a.vmb --fuel=99999999999G
2|--max-memory: '1Gx' is no number|$dir/a.vmb --max-memory=1Gx
2|--max-memory: '-1' is no number|$dir/a.vmb --max-memory=-1
2|threads: the most is|$dir/a.vmb --function=big --threads=100000
0|result[0]: i32=0|$dir/a.vmb --function=big --max-memory=1GiB --max-allocation=2MiB --max-stack=64k --local-memory=256KiB
0|4xf32=2 2...|$dir/a.vmb --function=double --input=4xf32=1 --output_max_element_count=2
2|'x' is no tolerance|$dir/a.vmb --atol=x
2|'-1' is no tolerance|$dir/a.vmb --rtol=-1
2|'1 ' is no tolerance|$dir/a.vmb '--rtol=1 '
2|'' is no tolerance|$dir/a.vmb --ulp=
2|'x' is no output|$dir/a.vmb --function=double --input=4xf32=1 --output=x
2|a scalar is written as .npy only|$dir/a.vmb --function=big --output=@$dir/x.bin
2|@big has 1 results, 2 times --output|$dir/a.vmb --function=big --output=- --output=-
2|@big has 1 results, 2 times --expected_output|$dir/a.vmb --function=big --expected_output=1 --expected_output=1
2|@scale has no results|$dir/a.vmb --function=scale --input=2x2xi32=1 --input=3 --output=-
2|argument 0 of @double cannot be ignored|$dir/a.vmb --function=double '--input=(ignored)'
2|expected N=...|$dir/a.vmb --function=scale --input=2x2xi32=1 --input=3 --output_arg=x
2|expected N=...|$dir/a.vmb --function=scale --input=2x2xi32=1 --input=3 --expected_arg=2=2x2xi32=1
2|expected N=...|$dir/a.vmb --function=scale --input=2x2xi32=1 --input=3 --expected_arg=1=3
2|expected N=...|$dir/a.vmb --function=scale --input=2x2xi32=1 --input=3 --expected_arg=99999999999999999999=3
2|expected N=...|$dir/a.vmb --function=scale --input=2x2xi32=1 --input=3 --expected_arg==3
2|expected tensor<4xf32>, got i32|$dir/a.vmb --function=double --input=@$dir/scalar.npy
2|expected tensor<1xsi8>, got 1xui8|$dir/signs.vmb --input=1xui8=1
0|result[0]: i32=5|$dir/signs.vmb --input=1xsi8=1
0|result[0]: i32=5|$dir/signs.vmb --input=1xi8=1
0|result[0]: 4xf32=2 2 2 2|$dir/a.vmb --flagfile=$dir/spaced
2|'four' is no flag|$dir/a.vmb --flagfile=$dir/noflag
2|is no flag|$dir/a.vmb --flagfile=$dir/nested
6|No such file|$dir/a.vmb --flagfile=$dir/nosuch
0|result[0]: i32=6|$dir/hidden.vmb
0|result[0]: i32=5|$dir/hidden.vmb '--function=a$b'
0|1 passed, 0 failed|$dir/hidden.vmb --check
2|[ SKIPPED ] p (takes arguments)|$dir/args.vmb --check
2|exports no function without arguments|$dir/args.vmb --check
1|division by zero|$dir/zero.vmb --check
0|instructions|$dir/a.vmb --function=big --print-statistics
0|instructions|$dir/bench.vmb --benchmark=0.001 --print_statistics
0|@two|$dir/bench.vmb --benchmark=0.001 --benchmark_format=console
5|watching a buffer of 400000 bytes|$dir/races.vmb --sanitize=race --max-memory=2M
END

echo "$passed passed, $failed failed"
test "$failed" = 0
