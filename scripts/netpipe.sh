#!/usr/bin/env bash
# NetPIPE on the simulated network beside the network's own figures: a table, and a picture of it by gnuplot.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/netpipe.sh --output DIR [--topology SPEC] [--most BYTES] [--program FILE]

Runs NetPIPE (Debian: netpipe-openmpi) by wormhole live at packet level, and one message of each of its sizes by
wormhole run. Writes DIR/netpipe.csv, and draws DIR/netpipe.svg: latency and bandwidth by size.

  --output DIR     made if need be
  --topology SPEC  of two hosts or more (default: star:hosts=2)
  --most BYTES     largest message (default: 8388608)
  --program FILE   the program wormhole (default: build/release/bin/wormhole of this project, else the one on the PATH)
TEXT
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$root/build/release/bin/wormhole
[[ -x $program ]] || program=$(command -v wormhole || echo "$program")
output=
topology=star:hosts=2
most=8388608
while (($# > 0)); do
    case $1 in
        --output) output=${2:?"--output needs a folder"}; shift 2 ;;
        --topology) topology=${2:?"--topology needs a specification"}; shift 2 ;;
        --most) most=${2:?"--most needs bytes"}; shift 2 ;;
        --program) program=${2:?"--program needs a file"}; shift 2 ;;
        -h | --help) usage; exit 0 ;;
        *) echo "netpipe: no option $1" >&2; usage >&2; exit 2 ;;
    esac
done
if [[ -z $output || ! $most =~ ^[1-9][0-9]*$ ]]; then
    usage >&2
    exit 2
fi
for tool in NPopenmpi gnuplot jq; do
    if ! command -v "$tool" > /dev/null; then
        echo "netpipe: there is no $tool; on Debian: apt-get install netpipe-openmpi gnuplot-nox jq" >&2
        exit 1
    fi
done
if [[ ! -x $program ]]; then
    echo "netpipe: there is no $program; build it, or name it with --program" >&2
    exit 1
fi

mkdir -p "$output"
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT

# each size 20 times, without those beside it; then a line for each: bytes, Mb/s, s
launch=(mpirun -np 2 --oversubscribe)
((EUID != 0)) || launch+=(--allow-run-as-root)
"$program" live --topology "$topology" --compute none --quiet --output "$data/live" -- \
    "${launch[@]}" NPopenmpi -n 20 -p 0 -u "$most" -o "$data/np.out" > "$data/said" 2>&1 || {
    cat "$data/said" >&2
    exit 1
}

# own BYTES: what one message of so many takes on the network, ns
own() {
    printf 'num_ranks 2\nrank 0 {\nl1: send %db to 1 tag 0\n}\n' "$1" > "$data/one.goal"
    printf 'rank 1 {\nl1: recv %db from 0 tag 0\n}\n' "$1" >> "$data/one.goal"
    "$program" run --workload "$data/one.goal" --topology "$topology" --quiet --json | jq .results.finish_ns
}

echo "bytes,netpipe_ns,network_ns,difference_percent,netpipe_gbps,network_gbps" > "$output/netpipe.csv"
while read -r bytes _ seconds; do
    awk -v b="$bytes" -v s="$seconds" -v n="$(own "$bytes")" 'BEGIN {
        t = s * 1e9
        printf "%d,%.0f,%.3f,%.3f,%.3f,%.3f\n", b, t, n, (t / n - 1) * 100, b * 8 / t, b * 8 / n
    }' >> "$output/netpipe.csv"
done < "$data/np.out"

gnuplot <<TEXT
set terminal svg noenhanced size 860,340 font 'Helvetica,13' background rgb 'white'
set output '$output/netpipe.svg'
set datafile separator ','
set border 3
set tics nomirror
set grid ytics lc rgb '#dddddd'
set key left top
set logscale x 2
set format x '%.0b %B'
set xtics 64
set xlabel 'message [B]'
set multiplot layout 1,2
set logscale y
set ylabel 'one way [us]'
plot '$output/netpipe.csv' skip 1 using 1:(\$3 / 1000) with lines lw 2 lc rgb '#0072b2' title 'the network', \
     '' skip 1 using 1:(\$2 / 1000) with points pt 6 lc rgb '#d55e00' title 'NetPIPE, live'
unset logscale y
set ylabel 'bandwidth [Gb/s]'
plot '$output/netpipe.csv' skip 1 using 1:6 with lines lw 2 lc rgb '#0072b2' title 'the network', \
     '' skip 1 using 1:5 with points pt 6 lc rgb '#d55e00' title 'NetPIPE, live'
unset multiplot
TEXT
echo "$output/netpipe.csv, $output/netpipe.svg: the largest difference is $(awk -F, 'NR > 1 {
    d = $4 < 0 ? -$4 : $4
    if (d > most) { most = d; at = $1 }
} END { printf "%.2f %%, at %d bytes", most, at }' "$output/netpipe.csv")"
