#!/bin/sh
# Damaged modules through the public API; STEP=1 tries every bit.
srcdir=${srcdir:-.}
dir=$srcdir/tests/bytecode
$EMULATOR ./bytecode_mutate --step="${STEP:-29}" "$dir/run.vmasm" "$dir/module.vmasm" "$dir/empty.vmasm"
