#!/bin/sh
# Golden modules mutated by the rules of the format: COUNT mutants of SEED, few on foreign machines.
srcdir=${srcdir:-.}
dir=$srcdir/tests/bytecode
few=${EMULATOR:+1000}
$EMULATOR ./bytecode_structured --seed="${SEED:-1}" --count="${COUNT:-${few:-20000}}" "$dir"/*.vmasm
