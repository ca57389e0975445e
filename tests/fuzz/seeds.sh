#!/bin/sh
# Seeds and dictionaries for the fuzz targets, from the cases, the golden modules and the tables.
#   seeds.sh SOURCE FOLDER      with VMC set; writes FOLDER/TARGET/* and FOLDER/TARGET.dict
: "${VMC:=./vmc}"
source=$1
out=$2
mkdir -p "$out/module" "$out/asm" "$out/mlir" "$out/compile" "$out/values" || exit 1

for file in "$source"/tests/bytecode/*.vmasm; do
    name=$(basename "$file" .vmasm)
    cp "$file" "$out/asm/$name.vmasm"
    $VMC "$file" -o "$out/module/$name.vmb" 2>/dev/null
done
# a text in parts, one for each `=== ` line; what must be refused is near to what is accepted
awk -v out="$out/asm/refused" '/^=== /{n++; next} n{print > (out n ".vmasm")}' "$source/tests/bytecode/refused.txt"
for file in "$source"/tests/cases/*.mlir "$source"/tests/unit/*.mlir "$source"/examples/*.mlir; do
    name=$(basename "$file" .mlir)
    size=$(wc -c <"$file")
    test "$size" -lt 20000 || continue
    test "$size" -gt 4096 || cp "$file" "$out/mlir/$name.mlir" # longer text is cut by libFuzzer, and then is none
    $VMC "$file" -o "$out/module/$name.vmb" 2>/dev/null || continue
    test "$size" -gt 4096 || cp "$file" "$out/compile/$name.mlir"
    $VMC "$file" --emit=asm -o "$out/asm/$name.vmasm" 2>/dev/null
done
find "$out/module" -type f -size +24000c -exec rm -f {} +
find "$out/asm" -type f -size +4096c -exec rm -f {} +
n=0
grep -hoE '^// (call|want): .*' "$source"/tests/cases/*.mlir | tr ' ' '\n' | grep '=' | sort -u | awk 'length < 200' |
    while read -r value; do
        n=$((n + 1))
        printf '%s' "$value" >"$out/values/$n"
    done
i=0
for type in '<f4' '>i2' '|b1' '<c8' '|V2' '<u8'; do
    for order in True False; do
        i=$((i + 1))
        header="{'descr': '$type', 'fortran_order': $order, 'shape': (2, 3), }                                        "
        { printf '\223NUMPY\001\000'; printf "\\$(printf %o ${#header})\\000"; printf '%s' "$header"; head -c 48 /dev/zero; } >"$out/values/npy$i"
    done
done
for target in module asm mlir compile values; do
    for file in "$source/tests/fuzz/corpus/$target"/*; do
        test -f "$file" && cp "$file" "$out/$target/kept-$(basename "$file")"
    done
    archive=$source/tests/fuzz/corpus/$target.tar.gz
    test ! -f "$archive" || gzip -dc "$archive" | tar -C "$out/$target" -xf -
done

# -- words
quote() { sort -u | sed 's/[\\"]/\\&/g; s/.*/"&"/'; }
$VMC --print-op-reference | grep -oE '`[^` ]+`' | tr -d '`' | awk 'length < 60' >"$out/ops"
{
    cat "$out/ops"
    grep -hoE '[a-z_]+[<(=]|#[a-z_]+|![a-z_]+|[a-z0-9_]+: ' "$source"/tests/unit/*.mlir
    printf '%s\n' 'tensor<' 'memref<' 'vector<' 'complex<f32>' 'affine_map<(d0, d1) -> (' 'affine_set<' 'strided<[' 'dense<' 'dense_resource<' 'array<i64: ' \
        'index' 'i1' 'i4' 'i64' 'f16' 'bf16' 'f64' 'f8E4M3FN' '?x' '*x' '0x7FF0000000000000' '9223372036854775807' '-9223372036854775808' '1e308' '^bb0(' 'loc(' \
        'unit' 'opaque<' 'sparse<' '-> (' 'attributes {' '%0:2' '#map = ' '!t = ' '"builtin.module"() ({' '}) : () -> ()' '<{' '}>' '\\00'
} | quote >"$out/mlir.dict"
cp "$out/mlir.dict" "$out/compile.dict"
{
    sed -n 's/^#define BVM_OP_\([a-z0-9_]*\) .*/\1/p' "$source/vm/bytecode/opnames.h" | tr _ .
    grep -hoE '^ *[a-z.]+[a-z0-9.]*' "$source"/tests/bytecode/*.vmasm | tr -d ' '
    printf '%s\n' '.function @' '.export @' '.import @' '.constant k' '.global @' ' scalars ' ' buffers ' ' tiles ' ' local ' ' splat ' ' zero' ' data { ' ' -> ' \
        's0' 'b0' 't0' 'L0:' '18446744073709551615' '-9223372036854775808'
} | quote >"$out/asm.dict"
sed -n 's/^#define BVM_OP_[a-z0-9_]* //p' "$source/vm/bytecode/opnames.h" | while read -r row; do
    for type in 0 4 5 8; do # the first field of an instruction, format.h
        printf '"\\x%02X\\x%02X"\n' $(((row << 5 | type) & 255)) $(((row << 5 | type) >> 8 & 255))
    done
done >"$out/module.dict"
printf '"\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF"\n"\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\x7F"\n"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x80"\n' >>"$out/module.dict"
{
    sed -n 's/^ELEM([0-9]*, [A-Z0-9]*, \([a-zA-Z0-9]*\),.*/\1/p' "$source/vm/bytecode/elemtypes.def"
    printf '%s\n' 'xf32=' 'xi4=' 'ui8' 'si16' 'c64' 'complex<f32>' '(ignored)' '-nan' 'inf' '-0' '0x1p-149' '1e-46' 'true' '-128' '[' ']' '(1,2)' \
        "'descr': '" "'fortran_order': True" "'shape': (" '18446744073709551615'
} | quote >"$out/values.dict"
