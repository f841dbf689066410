#!/usr/bin/env bash
# Runs what SimAI publishes numbers for (its Tutorial and its documents of 1.7) at packet level, through
# the command line, and shows both numbers; fails if one is more than 0.5 % off, 0.05 % on Spectrum-X, 22 % on DCN+, where flows
# that share links make it chaotic (contrib/workload/doc/simai.md).
# usage: scripts/simai-tables.sh [WORMHOLE [GPUS [TABLE...]]]
#   GPUS of the tutorial's cluster, 32 if not given; TABLE of ring, nvls, latency, spectrum, dcn: all if not given
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
wormhole=${1:-$source/build/release/bin/wormhole}
gpus=${2:-32}
shift $(($# < 2 ? $# : 2))
all="ring nvls latency spectrum dcn"
tables=" ${*:-$all} "
for table in $tables; do
    [[ " $all " == *" $table "* ]] || { echo "$table is no table: must be of $all" >&2 && exit 2; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bad=0

# run WORKLOAD,KEY=VALUE... TOPOLOGY: SimAI's report, in $folder/ncclFlowModel_EndToEnd.csv
run() {
    "$wormhole" run --workload "simai:file=$1" --topology "$2" \
        --config "$source/workloads/simai/simai.conf" --output "$folder" --quiet 2> /dev/null
}

# compare WHAT FOUND PUBLISHED [PERCENT]
compare() {
    awk -v what="$1" -v found="$2" -v published="$3" -v most="${4:-0.5}" 'BEGIN {
        off = (found / published - 1) * 100
        printf "  %-28s %10.2f %10.2f %+8.2f %%\n", what, published, found, off
        exit off > most || off < -most }' || bad=1
}

# wants TABLE
wants() {
    [[ $tables == *" $1 "* ]]
}

# bandwidths NAME OPTIONS NVLINK-RATE PUBLISHED...: bus bandwidth of each layer, GiB/s
bandwidths() {
    local name=$1 options=$2 rate=$3 size found
    shift 3
    run "$source/workloads/simai/ring-or-nvls.txt,literal-latency=1,$options" \
        "simai:gpus=$gpus,rail=1,nvlink-rate=$rate"
    while IFS=, read -r size found; do
        compare "$name, $size" "$found" "$1"
        shift
    done < <(awk -F, '$1 ~ /MiB$/ {print $1 "," $11}' "$folder/ncclFlowModel_EndToEnd.csv")
    [ $# -eq 0 ] || bad=1
}

# total OPTIONS PUBLISHED, us
total() {
    run "$source/workloads/simai/send-latency.txt,literal-latency=1,$1" \
        "simai:gpus=8,rail=1,rate=200Gbps,nvlink-rate=2400Gbps"
    compare "$1" "$(awk -F, '$5 == "total time" {print $6}' \
        "$folder/ncclFlowModel_EndToEnd.csv")" "$2"
}

# between NAME TOPOLOGY PERCENT MEBIBYTES PUBLISHED: bus bandwidth of a data-parallel all-reduce of 256
# GPUs, GiB/s. SimAI took groups of 36 then, (256 GPUs + 32 NVSwitches) / TP, where it takes 32 now.
between() {
    {
        echo "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1 vpp: 8 ga: 1" \
            "all_gpus: 256"
        echo 1
        echo "layer -1 556000 NONE 0 1 NONE 0 1 ALLREDUCE $(($4 << 20)) 1"
    } > "$folder/between.txt"
    run "$folder/between.txt,literal-latency=1,send-latency=2" "$2"
    local published
    published=$(awk -v busbw="$5" 'BEGIN {print busbw / (35 / 36) * (31 / 32)}')
    compare "$1, $4 MiB" "$(awk -F, '$1 == "layer" {print $14}' \
        "$folder/ncclFlowModel_EndToEnd.csv")" "$published" "$3"
}

if wants ring || wants nvls; then
    echo "bus bandwidth of all-reduce in a server, GiB/s: published, found"
fi
if wants ring; then
    bandwidths ring send-latency=2,pxn=1 1440Gbps 141.84 153.68 160.60 163.85 165.72 166.68
fi
if wants nvls; then
    bandwidths NVLS send-latency=12,nvls=1 1360Gbps 148.88 178.04 197.38 208.70 214.87 218.09
fi
if wants latency; then
    echo "total by send latency, us: published, found"
    total send-latency=6 1772
    total send-latency=6000 169604
    total send-latency=7200 203204
    total rules=1.7 389404
fi
if wants spectrum || wants dcn; then
    echo "bus bandwidth of all-reduce between servers, GiB/s: published, found"
fi
if wants spectrum; then
    between Spectrum-X spectrum-x:gpus=256 0.05 16 33.095585
    between Spectrum-X spectrum-x:gpus=256 0.05 32 38.572166
    between Spectrum-X spectrum-x:gpus=256 0.05 64 42.049648
fi
if wants dcn; then
    between DCN+ dcn+:gpus=256,spines=64 22 16 23.332048
    between DCN+ dcn+:gpus=256,spines=64 22 32 25.762846
    between DCN+ dcn+:gpus=256,spines=64 22 64 23.677116
fi
exit $bad
