#!/bin/sh
# Lists the case files for automake: run it after adding or removing one (a test refuses a stale list).
cd "$(dirname "$0")" || exit 1
{
    printf 'CASES ='
    for f in *.mlir; do printf ' \\\n\ttests/cases/%s' "$f"; done
    echo
} >Makefile.inc
