#!/bin/sh
# Damaged golden modules through the public API; STEP=1 tries every bit and every length, foreign machines few.
srcdir=${srcdir:-.}
dir=$srcdir/tests/bytecode
$EMULATOR ./bytecode_mutate --step="${STEP:-${EMULATOR:+9}47}" "$dir"/*.vmasm
