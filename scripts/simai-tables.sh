#!/usr/bin/env bash
# Runs what SimAI publishes numbers for at packet level, through the
# command line, and shows both numbers; fails if one is more than 0.5 % off.
# usage: scripts/simai-tables.sh [WORMHOLE [GPUS]]   GPUS of the tutorial's cluster, 32 if not given
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
wormhole=${1:-$source/build/release/bin/wormhole}
gpus=${2:-32}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bad=0

# run WORKLOAD,KEY=VALUE... TOPOLOGY: SimAI's report, in $folder/ncclFlowModel_EndToEnd.csv
run() {
    "$wormhole" run --workload "simai:file=$source/workloads/simai/$1" --topology "$2" \
        --config "$source/workloads/simai/simai.conf" --output "$folder" --quiet 2> /dev/null
}

# compare WHAT FOUND PUBLISHED
compare() {
    awk -v what="$1" -v found="$2" -v published="$3" 'BEGIN {
        off = (found / published - 1) * 100
        printf "  %-28s %10.2f %10.2f %+8.2f %%\n", what, published, found, off
        exit off > 0.5 || off < -0.5 }' || bad=1
}

# bandwidths NAME OPTIONS NVLINK-RATE PUBLISHED...: bus bandwidth of each layer, GiB/s
bandwidths() {
    local name=$1 options=$2 rate=$3 size found
    shift 3
    run "ring-or-nvls.txt,literal-latency=1,$options" "simai:gpus=$gpus,rail=1,nvlink-rate=$rate"
    while IFS=, read -r size found; do
        compare "$name, $size" "$found" "$1"
        shift
    done < <(awk -F, '$1 ~ /MiB$/ {print $1 "," $11}' "$folder/ncclFlowModel_EndToEnd.csv")
    [ $# -eq 0 ] || bad=1
}

# total OPTIONS PUBLISHED, us
total() {
    run "send-latency.txt,literal-latency=1,$1" \
        "simai:gpus=8,rail=1,rate=200Gbps,nvlink-rate=2400Gbps"
    compare "$1" "$(awk -F, '$5 == "total time" {print $6}' \
        "$folder/ncclFlowModel_EndToEnd.csv")" "$2"
}

echo "bus bandwidth of all-reduce, GiB/s: published, found"
bandwidths ring send-latency=2,pxn=1 1440Gbps 141.84 153.68 160.60 163.85 165.72 166.68
bandwidths NVLS send-latency=12,nvls=1 1360Gbps 148.88 178.04 197.38 208.70 214.87 218.09
echo "total by send latency, us: published, found"
total send-latency=6 1772
total send-latency=6000 169604
total send-latency=7200 203204
total rules=1.7 389404
exit $bad
