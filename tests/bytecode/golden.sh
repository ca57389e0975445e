#!/bin/sh
# The golden assembly files, and the texts that must be refused.
srcdir=${srcdir:-.}
dir=$srcdir/tests/bytecode
status=0
$EMULATOR ./bytecode_golden "$dir"/*.vmasm || status=1
$EMULATOR ./bytecode_refuse "$dir/refused.txt" || status=1
exit $status
