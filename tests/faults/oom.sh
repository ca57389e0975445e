#!/bin/sh
# Memory that runs out, over case files that together compile, load, call, trap, use kernels, grids and host functions: some
# allocations of some files in make check; OOM_FILES and OOM_FLAGS say which, make check-long takes all.
srcdir=${srcdir:-.}
cases=$srcdir/tests/cases
# shellcheck disable=SC2086
$EMULATOR ./oom ${OOM_FLAGS---stride=3} ${OOM_FILES-$cases/001.mlir $cases/shared_kernels.mlir $cases/globals.mlir $cases/traps.mlir $cases/sanitize_race.mlir}
