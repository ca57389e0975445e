#!/bin/sh
# The reference page of IR ops must be what the rows say now.
srcdir=${srcdir:-.}
${VMC:-./vmc} --print-op-reference | cmp - "$srcdir/compiler/doc/ops.md" || {
    echo "compiler/doc/ops.md is stale: ./vmc --print-op-reference > compiler/doc/ops.md"
    exit 1
}
