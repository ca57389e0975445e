#!/bin/sh
# The long tests, in a budget of minutes on two cores: the full product of configurations over the case files, BERT tiny against
# numpy in each, every bit of the golden modules, many random modules and texts, and make check with sanitizers.
#   long.sh SOURCE BUILD          (BUILD: a built tree; needs python3 with numpy, installed when run as root)
source=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
cd "$build" || exit 1
jobs=$(nproc 2>/dev/null || echo 2)
status=0
failed() { echo "FAIL $*"; status=1; }
# has PROGRAM PACKAGE: whether it is there, or could be installed
has() {
    command -v "$1" >/dev/null && return 0
    test "$(id -u)" = 0 && { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$2"; } >/dev/null 2>&1
    command -v "$1" >/dev/null
}

# -- the full product over the case files
hash() { ./caserun --print-hash "$@" | tee product.log | grep '^hash' || true; }
base=$(hash "$source"/tests/cases/*.mlir)
combinations=0
case $(uname -m) in
aarch64) cpus="neon fp16 bf16 dotprod i8mm" ;;
*) cpus="sse2 avx2 avx512" ;;
esac
for level in "" -O0; do
    for dispatch in "" --switch; do
        for threads in 1 2 7; do
            for cpu in portable $cpus; do
                # shellcheck disable=SC2086
                got=$(hash $level $dispatch --threads=$threads --cpu=$cpu "$source"/tests/cases/*.mlir)
                combinations=$((combinations + 1))
                test "$got" = "$base" || { failed "product: $level $dispatch --threads=$threads --cpu=$cpu"; cat product.log; }
            done
        done
    done
done
echo "product: $combinations configurations, $base"

# -- BERT tiny: logits, same bytes in every configuration, no copies, memory near the live sum
python=
for p in /usr/bin/python3 python3; do
    $p -c 'import numpy' 2>/dev/null && python=$p && break
done
if test -z "$python" && test "$(id -u)" = 0; then
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3-numpy; } >/dev/null 2>&1
    /usr/bin/python3 -c 'import numpy' 2>/dev/null && python=/usr/bin/python3
fi
if test -n "$python"; then
    $python "$source/tests/models/bert.py" --size tiny -o bert-tiny
    for fp in strict contract; do
        reference=
        for level in -O2 -O0; do
            ./vmc bert-tiny.mlir $level --fp=$fp -o bert-tiny.vmb || failed "bert: compile $level $fp"
            for run in "" --switch --threads=7 --cpu=portable; do
                # shellcheck disable=SC2086
                ./vmrun bert-tiny.vmb $run --input=@bert-tiny.ids.npy --expected_output=@bert-tiny.logits.npy --atol=1e-6 >bert.log || { failed "bert: logits $level $fp $run"; cat bert.log; }
                # shellcheck disable=SC2086
                ./vmrun bert-tiny.vmb $run --input=@bert-tiny.ids.npy --output=@bert-out.npy
                sum=$(cksum <bert-out.npy)
                test -n "$reference" || reference=$sum
                test "$sum" = "$reference" || failed "bert: bytes differ: $level $fp $run"
            done
        done
    done
    ./vmc bert-tiny.mlir --print-statistics -o bert-tiny.vmb 2>bert.statistics
    grep -q ' 0  tensor copies inserted' bert.statistics || failed "bert: tensor copies"
    ./vmc bert-tiny.mlir --emit=buffers -o bert-tiny.buffers.mlir
    live=$($python "$source/tests/live_sum.py" bert-tiny.buffers.mlir | grep -oE '[0-9]+' | head -n 1)
    peak=$(sed -n 's/^ *\([0-9]*\)  temporary bytes peak$/\1/p' bert.statistics)
    echo "bert tiny: temporaries peak $peak, largest live sum $live"
    test "$((peak * 100))" -le "$((live * 125))" || failed "bert: peak over 1.25 times the live sum"
else
    echo "SKIPPED: BERT needs python3 with numpy"
fi

# -- random programs against MLIR 19's runner, where it is installed
if test -n "$python"; then
    $python "$source/tests/fuzz/peer_programs.py" --count 2000 --batch 100 --rows peer-rows.txt || test $? -eq 77 || failed "random programs"
    $python "$source/tests/fuzz/vector_programs.py" --vmc ./vmc --programs 300 || failed "random vector programs"
fi

# -- hostile bytes and text
STEP=1 srcdir=$source sh "$source/tests/bytecode/mutate.sh" || failed "mutated modules"
SEED=2 COUNT=200000 srcdir=$source sh "$source/tests/bytecode/structured.sh" || failed "modules mutated by the format"
./random_code 3000 || failed "random modules"
timeout 600 ./hostile_text 60 "$source"/tests/cases/[0-9]*.mlir || failed "hostile text"

# -- valgrind on the examples
if has valgrind valgrind; then
    checked="valgrind --quiet --error-exitcode=9 --leak-check=full"
    $checked ./vmc "$source/examples/argmax.mlir" -o argmax.vmb || failed "valgrind: vmc"
    $checked ./vmrun argmax.vmb --function=argmax --input="2x5xf32=[3 9 2 9 1][-4 -1 -7 -1 -2]" || failed "valgrind: vmrun"
    $checked ./embed >embed.log || { cat embed.log; failed "valgrind: embed"; }
else
    echo "SKIPPED: valgrind is not installed"
fi

# -- sanitizers
mkdir -p sanitized
cd sanitized || exit 1
test -f Makefile || "$source/configure" --quiet --disable-shared --enable-asan --enable-ubsan CFLAGS="-O1 -g"
make --quiet -j"$jobs" all >sanitized.log 2>&1 || { tail -n 30 sanitized.log; failed "sanitized build"; }
make --quiet -j"$jobs" check >check.log 2>&1 || { grep -E '^(FAIL|ERROR)' check.log; failed "make check with ASan and UBSan"; }
grep -E '^# (TOTAL|PASS|FAIL|ERROR)' check.log
STEP=11 srcdir=$source sh "$source/tests/bytecode/mutate.sh" || failed "mutated modules with ASan and UBSan"
SEED=3 COUNT=100000 srcdir=$source sh "$source/tests/bytecode/structured.sh" || failed "modules mutated by the format with ASan and UBSan"
timeout 600 ./hostile_text 3 "$source"/tests/cases/[0-9]*.mlir || failed "hostile text with ASan and UBSan"
test ! -x oom || timeout 600 ./oom --full --stride=17 "$source"/tests/cases/[0-9]*.mlir "$source"/tests/cases/s*.mlir || failed "memory that runs out, with ASan and UBSan"

# -- threads: under TSan what uses them
cd "$build" || exit 1
mkdir -p threads
(
    cd threads || exit 1
    test -f Makefile || "$source/configure" --quiet --disable-shared --enable-tsan CFLAGS="-O1 -g"
    { make --quiet -j"$jobs" all && make --quiet test_exec test_limits; } >threads.log 2>&1 || { tail -n 30 threads.log; exit 1; }
    for test in test_exec test_limits; do
        test ! -x $test || CK_DEFAULT_TIMEOUT=600 ./$test || exit 1
    done
    ./caserun --threads=3 "$source"/tests/cases/*.mlir
) || failed "thread sanitizer"

# -- fuzzing, where there is clang: the same inputs each time, five minutes; labels as values would be instrumented for as long
mkdir -p fuzzed
if has clang clang; then
    (
        cd fuzzed || exit 1
        test -f Makefile || "$source/configure" --quiet --disable-shared --enable-fuzz --enable-asan --disable-computed-goto CC=clang CFLAGS="-O1 -g1"
        make --quiet -j"$jobs" all >fuzzed.log 2>&1 && make --quiet check-fuzz
    ) || failed "fuzzing"
else
    echo "SKIPPED: fuzzing needs clang"
fi

exit $status
