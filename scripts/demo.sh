#!/usr/bin/env bash
# The first thing to try: installs what is missing, builds, simulates an iteration of GPT-7B training on
# 64 GPUs packet by packet, with fast-forward and as fluid flows, and shows speeds beside errors.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

job=(--workload training:file=workloads/training/gpt-7b-64.json --topology rail-optimized:gpus=64)
output=build/demo

# Shows a command of the program, and runs it.
show() {
    printf '\n== wormhole %s\n\n' "$*"
    build/release/bin/wormhole "$@"
}

scripts/install-deps.sh build
echo "== Building (build/release)"
cmake --preset release > /dev/null
cmake --build --preset release --target programs # wormhole, and those that the guides run

show compare "${job[@]}" --seeds 1 --output $output/compare
show run "${job[@]}" --mode fast --record --output $output/fast --quiet
if show report $output/compare $output/fast --output $output/report.html; then
    echo "Open $PWD/$output/report.html in a browser."
fi
