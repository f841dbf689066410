#!/usr/bin/env bash
# The first thing to try: installs what is missing, builds, and simulates a 64-host ring exchange
# under HPCC from files in the public HPCC simulator's own formats.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

input=test/data/hpcc/ring64/config_hp.txt
output=build/demo

scripts/install-deps.sh build
echo "== Building (build/release)"
cmake --preset release > /dev/null
cmake --build --preset release --target wormhole

echo
echo "== Running: build/release/bin/wormhole run --config $input --output $output"
build/release/bin/wormhole run --config "$input" --output "$output"

echo
echo "== Results in $output:"
for file in "$output"/*; do
    printf '  %-28s %8s\n' "$(basename "$file")" "$(du -h "$file" | cut -f1)"
done
