#!/usr/bin/env bash
# Measures what the variants of training.md do to an iteration of each job of Table 1 of the Wormhole paper.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/training-variants.sh [--markdown] [JOB...]

Runs each job of workloads/training/ (JOB: its name; the eight of Table 1 unless given) on a star, where
no paths collide, at flow level, as it is and with each variant, and prints a line of JSON for each run:
job, variant, ms, the variant it is compared with, and change in %. --markdown prints the table of
contrib/workload/doc/training.md.
BUILD=DIR names the build folder (build/release).
TEXT
}

cd "$(dirname "${BASH_SOURCE[0]}")/.."
markdown=
jobs=()
for word; do
    case "$word" in
        -h | --help) usage; exit 0 ;;
        --markdown) markdown=1 ;;
        -*) usage >&2; exit 2 ;;
        *)
            [ -f "workloads/training/$word.json" ] || { echo "no job workloads/training/$word.json" >&2; exit 2; }
            jobs+=("$word")
            ;;
    esac
done
[ ${#jobs[@]} -gt 0 ] || jobs=(gpt-7b-64 gpt-13b-128 gpt-22b-256 gpt-175b-1024
    moe-8x7b-64 moe-8x13b-128 moe-8x22b-256 moe-32x22b-1024)
wormhole=$PWD/${BUILD:-build/release}/bin/wormhole
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# run JOB KEYS: ms of an iteration; nothing if the job cannot be run so
run() {
    local gpus
    rm -rf "$folder/run"
    gpus=$(jq '.parallelism | .tensor * .data * .pipeline' "workloads/training/$1.json")
    if "$wormhole" run --workload "training:file=workloads/training/$1.json${2:+,$2}" --mode flow --quiet \
        --topology "star:hosts=$gpus" --output "$folder/run" >"$folder/out" 2>&1; then
        jq '.results.finish_ns / 1e6' "$folder/run/summary.json"
    elif ! grep -q 'has no effect\|is no multiple\|does not divide' "$folder/out"; then
        cat "$folder/out" >&2
        return 1
    fi
}

# tell JOB VARIANT KEYS AGAINST MS: runs, and prints a line
tell() {
    local ms
    ms=$(run "$1" "$3")
    jq -nc --arg job "$1" --arg variant "$2" --arg against "$4" --argjson ms "${ms:-null}" \
        --argjson than "${5:-null}" '{job: $job, variant: $variant, ms: $ms, against: $against,
        change: (if $ms and $than then ($ms / $than - 1) * 100 else null end)}'
}

variants() {
    local job base overlap batch data tensor half two twice
    for job in "${jobs[@]}"; do
        data=$(jq .parallelism.data "workloads/training/$job.json")
        tensor=$(jq .parallelism.tensor "workloads/training/$job.json")
        batch=$(jq .batch.global "workloads/training/$job.json")
        base=$(run "$job" "")
        jq -nc --arg job "$job" --argjson ms "$base" '{job: $job, variant: "as it is", ms: $ms}'
        overlap=gradients.overlap=true,gradients.bucketBytes=200000000
        tell "$job" overlap $overlap "as it is" "$base"
        tell "$job" echo-low $overlap,compute.overlap.factors=echo-low "as it is" "$base"
        tell "$job" echo-high $overlap,compute.overlap.factors=echo-high "as it is" "$base"
        tell "$job" selective compute.recompute=selective "as it is" "$base"
        tell "$job" full compute.recompute=full "as it is" "$base"
        tell "$job" context parallelism.context=2,parallelism.data=$((data / 2)) "as it is" "$base"
        half=parallelism.tensor=$((tensor / 2)),parallelism.data=$((2 * data)),batch.global=$((2 * batch))
        two=$(run "$job" "$half")
        tell "$job" hierarchical "$half,collectives.hierarchical=true" "two replicas in a server" "$two"
        tell "$job" set-up network.serverTypes.all.setupNs=20000,network.serverTypes.all.reduceNsPerByte=0.001 \
            "as it is" "$base"
        twice=$(run "$job" batch.global=$((2 * batch)))
        tell "$job" dualpipe parallelism.schedule=dualpipe,batch.global=$((2 * batch)) "1f1b, twice the batch" "$twice"
    done
}

if [ -z "$markdown" ]; then
    variants
else
    variants | jq -rs 'def shown: if . == null then "-" else (. * 10 | round / 10 | tostring) + " %" end;
        group_by(.job) | sort_by(.[0].ms) | .[] | (INDEX(.variant)) as $v | . as $all |
        "| \(.[0].job) | \($v["as it is"].ms * 10 | round / 10) | " + ([("overlap", "echo-low", "echo-high",
        "selective", "full", "context", "hierarchical", "set-up", "dualpipe") | $v[.].change | shown] | join(" | ")) + " |"'
fi
