#!/usr/bin/env bash
# Measures cost and prints the tables of contrib/*/doc in Markdown.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/bench.sh lean [ROUNDS [BUILD]]
       scripts/bench.sh scale [ROUNDS [BUILD]]
       scripts/bench.sh goal [BUILD]
       scripts/bench.sh message [ROUNDS [BUILD]]
       scripts/bench.sh flow-level [BUILD]
       scripts/bench.sh threads [ROUNDS [BUILD]]
       scripts/bench.sh fast [--quick] [OPTIONS] [ROW...]

  lean    cost per packet-hop of case ring64, in turn with the floor (test/bench/reference-loop.cc)
  scale   set-up time and memory of large fat-trees; cost per packet-hop there and of many flows, in
          turn with case ring64
  goal    reading and converting the GOAL schedule of a ring all-reduce, 4.19 million operations
  message message level: ring all-reduce and all-to-all of 1,024 ranks, beside the floor
  flow-level
          flow level: 300,000 flows on 1,024 hosts
  threads one queue, windows, two processes of these at once, and two threads in turn: ring64, and
          permutations on 128 and 4,096 hosts; what 16 and 64 processors would give, by the events of
          each window. The ceiling is by how much two processes at once are faster than one after the other.
  fast    fast-forward against packet level, speeds beside errors; has options of its own: fast --help
  ROUNDS  5 unless given (scale: 4; message, threads: 3); medians are reported (message: the least)
  BUILD   build folder, build/release unless given

Builds what is needed, and keeps the figures in BUILD/bench-WHAT.json.
Leave the machine alone meanwhile.
TEXT
}

what=${1:-}
case "$what" in
    lean) rounds=${2:-5} build=${3:-} ;;
    scale) rounds=${2:-4} build=${3:-} ;;
    message | threads) rounds=${2:-3} build=${3:-} ;;
    goal | flow-level) build=${2:-} ;;
    fast) exec "$(dirname "${BASH_SOURCE[0]}")/bench-fast.sh" "${@:2}" ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${build:-build/release}
command -v jq > /dev/null || { echo "bench.sh: needs jq: apt-get install jq" >&2; exit 1; }

cmake --preset release -B "$build" > /dev/null
cmake --build "$build" --target bench-reference-loop bench-case bench-lean bench-scale bench-goal \
    bench-message bench-flow-level wormhole > /dev/null

machine() {
    local cpu
    cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)
    echo "Commit $(git rev-parse --short HEAD), $(date -u +%F); $(nproc) x $cpu;" \
        "load before: $(cut -d ' ' -f 1 /proc/loadavg)."
}

lean() {
    machine
    "$build/bin/bench-lean" "$rounds" > "$build/bench-lean.json"
    jq -r '
    def places(n): pow(10; n) as $p | . * $p | round / $p | tostring;
    "",
    "| control | simulator implementation | ns per packet-hop | times floor | least to greatest | whole process, times floor | million events/s | peak MB | allocations once warm |",
    "|---|---|---|---|---|---|---|---|---|",
    "| floor | none | \(.reference_loop_ns_per_packet_hop | places(0)) | 1 | | | | | |",
    (.rows[] | "| \(.control) | \(.simulator | ltrimstr("ns3::")) | \(.ns_per_packet_hop | places(0)) | \(.ratio_to_reference_loop | places(2)) | \(.least_ratio | places(2)) to \(.greatest_ratio | places(2)) | \(.ratio_of_processes | places(2)) | \(.million_events_per_second | places(1)) | \(.peak_memory_mb | places(0)) | \(.warm_allocations) in \(.warm_packet_hops) packet-hops |")
    ' "$build/bench-lean.json"
}

scale() {
    machine
    "$build/bin/bench-scale" --rounds "$rounds" > "$build/bench-scale.json"
    jq -r '
    def places(n): pow(10; n) as $p | . * $p | round / $p | tostring;
    def ratio: "\(.ratio_to_ring64 | places(2)) | \(.least_ratio | places(2)) to \(.greatest_ratio | places(2))";
    "",
    "Case ring64 in turn with the rows: \(.ring64.ns_per_packet_hop | places(0)) ns per packet-hop, \(.ring64.least_ns_per_packet_hop | places(0)) to \(.ring64.greatest_ns_per_packet_hop | places(0)); \(.rounds) rounds.",
    "",
    "| topology | hosts | switches | links | set-up, s | of which largest RTT, s | us per host | MB | KB per host | permutation of 100 KB: s | ns per packet-hop | times ring64 | least to greatest | peak MB |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    (.networks[] | "| `\(.topology)` | \(.hosts) | \(.switches) | \(.links) | \(.set_up_seconds | places(2)) | \(.largest_rtt_seconds | places(2)) | \(.set_up_us_per_host | places(0)) | \(.memory_mb | places(0)) | \(.memory_kb_per_host | places(1)) | \(.permutation_100kb.seconds | places(1)) | \(.permutation_100kb.ns_per_packet_hop | places(0)) | \(.permutation_100kb | ratio) | \(.permutation_100kb.peak_memory_mb | places(0)) |"),
    "",
    "| flows of 10 KB | arrivals | completed | s | ns per packet-hop | times ring64 | least to greatest | peak MB |",
    "|---|---|---|---|---|---|---|---|",
    (.flows[] | "| \(.flows) | \(.arrivals) | \(.completed) | \(.seconds | places(2)) | \(.ns_per_packet_hop | places(0)) | \(ratio) | \(.peak_memory_mb | places(0)) |")
    ' "$build/bench-scale.json"
}

goal() {
    machine
    "$build/bin/bench-goal" > "$build/bench-goal.json"
    jq -r '
    def millions: . / 10000 | round / 100 | tostring;
    "",
    "| what | s | million operations/s |",
    "|---|---|---|",
    (("text_to_binary", "binary_to_text", "read_text", "read_binary") as $k | .[$k]
        | "| \($k | gsub("_"; " ")) | \(.seconds * 100 | round / 100) | \(.operations_per_second | millions) |"),
    "",
    "\(.read_text.operations) operations: text \(.text_bytes) bytes, binary \(.text_to_binary.bytes) bytes;",
    "in memory \(.read_text.bytes_per_operation * 10 | round / 10) bytes per operation; peak of the conversions \(.binary_to_text.peak_memory_mb | round) MB."
    ' "$build/bench-goal.json"
}

message() {
    machine
    "$build/bin/bench-message" "$rounds" > "$build/bench-message.json"
    jq -r '
    def places(n): pow(10; n) as $p | . * $p | round / $p | tostring;
    "",
    "Floor: \(.reference_loop_ns_per_packet_hop | places(0)) ns per packet-hop.",
    "",
    "| schedule | ranks | operations | mode | s | million operations/s | peak MB |",
    "|---|---|---|---|---|---|---|",
    (.rows[] | "| \(.case) | \(.ranks) | \(.operations) | \(.mode) | \(.seconds | places(2)) | \(.million_operations_per_second | places(1)) | \(.peak_memory_mb | places(0)) |"),
    "",
    (.exponents[] | "\(.case), \(.mode): time grows as ranks^\(.of_ranks | places(1))")
    ' "$build/bench-message.json"
}

flow_level() {
    machine
    "$build/bin/bench-flow-level" > "$build/bench-flow-level.json"
    jq -r '
    def places(n): pow(10; n) as $p | . * $p | round / $p | tostring;
    "",
    "| pattern | flows | s | us per flow | rates worked out per flow | peak MB |",
    "|---|---|---|---|---|---|",
    (("ring", "groups", "random", "all-to-all") as $k | .[$k]
        | "| \($k) | \(.flows) | \(.seconds | places(2)) | \(.us_per_flow | places(1)) | \(.rates_per_flow | places(1)) | \(.peak_memory_kib / 976.5625 | places(0)) |")
    ' "$build/bench-flow-level.json"
}

# One run of WORDS... by SIDE, or two at once (pair): prints a line of JSON.
threads_run() {
    local name=$1 side=$2 folder=$3 options=(--threads 1) summaries=("$3/summary.json") TIMEFORMAT='%U %S' time
    shift 3
    [[ $side == two ]] && options=(--threads 2)
    [[ $side == one_queue ]] && export NS_ATTRIBUTE_DEFAULT=ns3::RdmaSimulatorImpl::Windows=false
    if [[ $side == pair ]]; then
        "$build/bin/wormhole" run "$@" --threads 1 --quiet --output "$folder/other" 1>&2 &
        summaries+=("$folder/other/summary.json")
    fi
    time=$({ time "$build/bin/wormhole" run "$@" "${options[@]}" --quiet --output "$folder" 1>&2; } 2>&1)
    wait
    unset NS_ATTRIBUTE_DEFAULT
    jq -cs --arg name "$name" --arg side "$side" --arg time "$time" '(map(.cost.run_s) | max) as $wall | .[0] |
        {$name, $side, wall_s: $wall, processor_s: ($time | split(" ") | map(tonumber) | add),
        events: .cost.events, fct_ns: .fct_ns.mean, counters, threads: .cost.threads}' "${summaries[@]}"
}

threads() {
    local folder round side
    folder=$(mktemp -d)
    machine
    for ((round = 0; round < rounds; ++round)); do
        for side in one_queue windows pair two; do
            threads_run ring64 "$side" "$folder" --topology leaf-spine:leaves=8,spines=8,hosts-per-leaf=8 \
                --traffic ring:bytes=4MB
            threads_run fat-tree-k8 "$side" "$folder" --topology fat-tree:k=8 --traffic permutation:bytes=2MB
            threads_run hosts-4096 "$side" "$folder" --topology fat-tree:hosts=4096,rate=400Gbps \
                --traffic permutation:bytes=100KB
        done
    done > "$folder/runs"
    jq -s --argjson processors "$(nproc)" --arg load "$(cut -d ' ' -f 1 /proc/loadavg)" '
    def median: sort | .[length / 2 | floor];
    def side($s): map(select(.side == $s));
    {$processors, $load, rows: (group_by(.name) | map(
        (side("one_queue") | [.[].wall_s] | median) as $one | (side("windows") | [.[].wall_s] | median) as $windows |
        (side("two") | [.[].wall_s] | median) as $two | (side("pair") | [.[].wall_s] | median) as $pair |
        (side("two")[0].threads) as $t |
        ($t.serial_s / ($t.serial_s + $t.parallel_s * 2)) as $serial |
        {name: .[0].name, events: .[0].events, one_queue_s: $one, windows_s: $windows, two_threads_s: $two, pair_s: $pair,
         same: ([.[] | {events, fct_ns, counters}] | unique | length == 1),
         two_over_windows: ($windows / $two), ceiling: (2 * $windows / $pair), two_over_one_queue: ($one / $two), windows: $t.windows,
         events_per_window: ($t.events_in_windows / $t.windows),
         mean_parallelism: ($t.events_in_windows / $t.critical_path_events), serial_share: $serial,
         projection: ($t.path_events | map_values(1 / ($serial + (1 - $serial) * . / $t.events_in_windows)))}
        + {processor_s: (group_by(.side) | map({key: .[0].side, value: ([.[].processor_s] | median)}) | from_entries)}))}
    ' "$folder/runs" > "$build/bench-threads.json"
    rm -r "$folder"
    jq -r '
    def places(n): pow(10; n) as $p | . * $p | round / $p | tostring;
    "",
    "Wall-clock times; with other programs on the machine, speed-ups are lower bounds.",
    "",
    "| case | one queue, s | windows, s | two threads, s | over windows | ceiling | over one queue | processor time, s: one queue, windows, two threads | events per window | mean parallelism | serial share | 16 processors | 64 |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    (.rows[] | "| \(.name) | \(.one_queue_s | places(2)) | \(.windows_s | places(2)) | \(.two_threads_s | places(2)) | \(.two_over_windows | places(2)) | \(.ceiling | places(2)) | \(.two_over_one_queue | places(2)) | \(.processor_s.one_queue | places(2)), \(.processor_s.windows | places(2)), \(.processor_s.two | places(2)) | \(.events_per_window | places(0)) | \(.mean_parallelism | places(1)) | \(.serial_share | places(3)) | \(.projection["16"] | places(1)) | \(.projection["64"] | places(1)) |")
    ' "$build/bench-threads.json"
}

"${what/-/_}"
