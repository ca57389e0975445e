#!/bin/sh
# Rows of acceptance line 6: scalar code beside other interpreters. srcdir, VMC and VMRUN say where things are.
: "${srcdir:=.}" "${VMC:=./vmc}" "${VMRUN:=./vmrun}"
if ! command -v python3 > /dev/null; then
    echo "scalar: no python3 here"
    exit 0
fi
exec python3 "$srcdir/tests/bench/scalar.py" --vmc "$VMC" --vmrun "$VMRUN" "$@"
