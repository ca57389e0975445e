#!/bin/sh
# Runs the fuzz targets, each for a share of a time budget, on what seeds.sh makes; inputs that fail stay in FOLDER/crashes.
#   run.sh SOURCE SECONDS [TARGET...]      in a tree configured with --enable-fuzz (clang), better with --enable-asan too
: "${VMC:=./vmc}" "${FOLDER:=fuzz}"
source=$1
seconds=$2
shift 2
test $# != 0 || set -- module asm mlir compile values
share=$((seconds / $#))
mkdir -p "$FOLDER/crashes"
VMC=$VMC sh "$source/tests/fuzz/seeds.sh" "$source" "$FOLDER" || exit 1
status=0
for target in "$@"; do
    mkdir -p "$FOLDER/$target.grown"
    length=4096
    test "$target" = module && length=24000
    "./fuzz_$target" -max_total_time=$share -timeout=20 -rss_limit_mb=2048 -malloc_limit_mb=1024 -max_len=$length -use_value_profile=0 \
        -dict="$FOLDER/$target.dict" -artifact_prefix="$FOLDER/crashes/$target-" -print_final_stats=1 \
        "$FOLDER/$target.grown" "$FOLDER/$target" >"$FOLDER/$target.log" 2>&1
    code=$?
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$FOLDER/$target.log")
    echo "fuzz_$target: ${executions:-?} executions, $(grep -o 'cov: [0-9]*' "$FOLDER/$target.log" | tail -n 1), exit $code"
    test $code = 0 || { grep -vE '^#[0-9]+[[:space:]]' "$FOLDER/$target.log" | tail -n 40; status=1; }
done
exit $status
