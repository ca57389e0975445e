#!/bin/sh
# Runs the fuzz targets on what seeds.sh makes, in a tree configured with --enable-fuzz (clang), better with --enable-asan too.
#   run.sh SOURCE check [TARGET...]      the same inputs each time: a fixed seed and number of runs, SECONDS_EACH as a ceiling
#   run.sh SOURCE SECONDS [TARGET...]    new inputs: a random seed, each target for a share of the time; FOLDER/TARGET.grown keeps
#                                        what adds coverage, and is where the next run begins (pack.sh makes the kept corpus of it)
# Inputs that fail stay in FOLDER/crashes; the report and the input are printed, so that a log is enough to find the fault.
: "${VMC:=./vmc}" "${FOLDER:=fuzz}" "${SECONDS_EACH:=60}"
source=$1
seconds=$2
shift 2
test $# != 0 || set -- module asm mlir compile values
mkdir -p "$FOLDER/crashes"
VMC=$VMC sh "$source/tests/fuzz/seeds.sh" "$source" "$FOLDER" || exit 1
for folder in /usr/lib/llvm-*/bin; do # for names in the frames of a report
    PATH=$PATH:$folder
done
status=0

# What a check runs: as many as take some 40 seconds.
runs_of() {
    case $1 in
    module) echo 60000 ;;
    asm) echo 60000 ;;
    mlir) echo 60000 ;;
    compile) echo 20000 ;;
    values) echo 200000 ;;
    esac
}

report() { # TARGET
    echo "---- report of fuzz_$1"
    # without libFuzzer's lines of progress; from the first sign of the fault, if there is one
    grep -avE '^#[0-9]+[[:space:]]|^(INFO|stat::|###### |"[^"]*" # Uses)' "$FOLDER/$1.log" >"$FOLDER/$1.report"
    head -n 200 "$FOLDER/$1.report"
    find "$FOLDER/crashes" -name "$1-*" -newer "$FOLDER/$1.begun" | while read -r input; do
        echo "---- $input, $(wc -c <"$input") bytes: base64 -d | gunzip >input"
        gzip -9nc "$input" | base64
    done
    echo "----"
}

for target in "$@"; do
    touch "$FOLDER/$target.begun"
    length=4096
    test "$target" = module && length=24000
    set_of="-max_len=$length -timeout=20 -rss_limit_mb=2048 -malloc_limit_mb=66 -use_value_profile=0 -print_final_stats=1"
    set_of="$set_of -dict=$FOLDER/$target.dict -artifact_prefix=$FOLDER/crashes/$target-"
    if test "$seconds" = check; then
        # addresses and the order of a folder would be chance
        fixed=
        setarch "$(uname -m)" -R true 2>/dev/null && fixed="setarch $(uname -m) -R"
        find "$FOLDER/$target" -type f | LC_ALL=C sort | paste -sd, >"$FOLDER/$target.list"
        # shellcheck disable=SC2086
        $fixed "./fuzz_$target" $set_of -seed=1 -reload=0 -runs="$(runs_of "$target")" -max_total_time="$SECONDS_EACH" \
            -seed_inputs="@$FOLDER/$target.list" >"$FOLDER/$target.log" 2>&1
    else
        mkdir -p "$FOLDER/$target.grown"
        # shellcheck disable=SC2086
        "./fuzz_$target" $set_of -max_total_time=$((seconds / $#)) "$FOLDER/$target.grown" "$FOLDER/$target" >"$FOLDER/$target.log" 2>&1
    fi
    code=$?
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$FOLDER/$target.log")
    echo "fuzz_$target: ${executions:-?} executions, $(grep -ao 'cov: [0-9]*' "$FOLDER/$target.log" | tail -n 1), exit $code"
    test $code = 0 || { report "$target"; status=1; }
done
exit $status
