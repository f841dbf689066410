#!/bin/sh
# Writes the parts of docs/reference/ that are made from the program: attributes, trace sources,
# options, keys of config.txt, specifications. The test Reference fails when they are out of date.
#
#   scripts/update-reference.sh [PROGRAM]     default: build/release/bin/wormhole
set -eu
program=$(realpath "${1:-$(dirname "$0")/../build/release/bin/wormhole}")
cd "$(dirname "$0")/../docs/reference"
for part in attributes config-keys options specifications trace-sources; do
    "$program" reference "$part" --output "$part.md"
done
