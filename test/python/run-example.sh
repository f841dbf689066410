#!/bin/sh
# usage: run-example.sh EXAMPLE.py PREFIX
#
# Runs an example by ns-3's Python bindings, with what is installed in (or built in) PREFIX. Where there are none,
# exits with 77, which ctest takes for skipped.
if ! said=$(python3 -c 'from ns import ns' 2>&1); then
    echo "skipped, since ns-3's Python bindings do not work here: $(echo "$said" | tail -n 1)"
    exit 77
fi
exec python3 "$@"
