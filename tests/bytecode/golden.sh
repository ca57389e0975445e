#!/bin/sh
# The golden assembly files, what they and the made modules hold and give, the texts that must be refused, and files with a word
# damaged.
srcdir=${srcdir:-.}
dir=$srcdir/tests/bytecode
status=0
$EMULATOR ./bytecode_golden "$dir"/*.vmasm || status=1
$EMULATOR ./bytecode_covered "$dir"/*.vmasm || status=1
$EMULATOR ./bytecode_refuse "$dir/refused.txt" || status=1
$EMULATOR ./bytecode_refuse --tokens "$dir/module.vmasm" "$dir/run.vmasm" || status=1
exit $status
