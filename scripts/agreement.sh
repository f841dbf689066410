#!/usr/bin/env bash
# Compares completion times with the public HPCC simulator's and prints the tables of
# contrib/rdma/doc/agreement.md in Markdown.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/agreement.sh [SEEDS [BUILD]]

  SEEDS   DCQCN runs per case, 10 unless given
  BUILD   build folder, build/release unless given

Builds what is needed, runs every case of test/data/hpcc, and keeps the figures in BUILD/agreement.json.
TEXT
}

[[ ${1:-} != -h && ${1:-} != --help ]] || { usage; exit 0; }
seeds=${1:-10}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${2:-build/release}
command -v jq > /dev/null || { echo "agreement.sh: needs jq: apt-get install jq" >&2; exit 1; }

cmake --preset release -B "$build" > /dev/null
cmake --build "$build" --target bench-agreement > /dev/null
"$build/bin/bench-agreement" "$seeds" > "$build/agreement.json"

echo "Commit $(git rev-parse --short HEAD), $(date -u +%F)."
jq -r '
def percent: . * 1e6 | round / 1e4 | "\(.) %";
def us: . / 10 | round / 100 | tostring;
"",
"| case | control | flows | exact to the ns | mean error | worst error | mean FCT, us | theirs, us |",
"|---|---|---|---|---|---|---|---|",
(.flows[] | "| \(.case) | \(.control) | \(.flows) | \(.exact_flows) | \(.mean_error | percent) | \(.worst_error | percent) | \(.mean_fct_ns | us) | \(.expected_mean_fct_ns | us) |"),
"",
"| case | our seeds | mean FCT, us | deviation | range | their seeds | mean FCT, us | deviation | range | mean outside their range by | our seeds within 1 % of it |",
"|---|---|---|---|---|---|---|---|---|---|---|",
(.dcqcn_seeds[] | "| \(.case) | \(.ours.seeds) | \(.ours.mean_fct_ns | us) | \(.ours.deviation_ns | us) | \(.ours.least_ns | us) to \(.ours.greatest_ns | us) | \(.reference.seeds) | \(.reference.mean_fct_ns | us) | \(.reference.deviation_ns | us) | \(.reference.least_ns | us) to \(.reference.greatest_ns | us) | \(.mean_outside_range | percent) | \(.seeds_within_1_percent_of_range) |")
' "$build/agreement.json"
