#!/usr/bin/env bash
# Measures fast-forward against packet level, row by row of test/bench/fast-forward-rows.json.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/bench.sh fast [OPTIONS] [ROW...]

Runs rows of test/bench/fast-forward-rows.json (all of them unless named) with wormhole compare, and
writes one JSON with every speed beside its error, and a table in Markdown made from it.

  --quick        some rows at a tenth of their size, in less than a minute: whether the command works
  --again        measure rows that are in the JSON already, too
  --runs N       of fast-forward and flow level, unless a row says how many; medians are reported
                 (default 3)
  --limit SEC    for each comparison (default 7200); a row that takes longer is reported as failed
  --build BUILD  build folder (default build/release)
  --program FILE the command line wormhole, in place of building it
  --json FILE    default BUILD/bench-fast.json (--quick: BUILD/bench-fast-quick.json); the table has the
                 same name, with .md
  --list         the rows
  --collect      JSON and table anew from runs that were made, and nothing else

The packet level is run once for each scenario and kept in BUILD/bench-fast/packet; delete a folder there
to have it run again. The JSON is written after every row: a command that was interrupted goes on
where it was. Wants the machine for itself; processor times suffer less from company than wall times.
Schema and meaning: contrib/wormhole/doc/measurements.md.
TEXT
}

cd "$(dirname "${BASH_SOURCE[0]}")/.."
rows_file=test/bench/fast-forward-rows.json
quick=0 again=0 runs=3 limit=7200 build=build/release program='' json='' only='' rows=()
while (($# > 0)); do
    case "$1" in
        --quick) quick=1 ;;
        --again) again=1 ;;
        --list | --collect) only=${1#--} ;;
        --runs | --limit | --build | --program | --json)
            (($# > 1)) || { echo "bench.sh: $1 needs a value" >&2; exit 2; }
            declare "${1#--}=$2"
            shift
            ;;
        -h | --help) usage; exit 0 ;;
        -*) usage >&2; exit 2 ;;
        *) rows+=("$1") ;;
    esac
    shift
done
command -v jq > /dev/null || { echo "bench.sh: needs jq: apt-get install jq" >&2; exit 1; }

name=bench-fast$( ((quick == 0)) || echo -quick)
json=${json:-$build/$name.json}
work=$build/$name
wormhole=${program:-$build/bin/wormhole}

if [[ $only == list ]]; then
    jq -r '.rows[] | "\(.name)\t\(.title)"' "$rows_file"
    exit 0
fi
if ((${#rows[@]} == 0)); then
    mapfile -t rows < <(jq -r --argjson quick $quick \
        '.rows[] | select($quick == 0 or .quick) | .name' "$rows_file")
fi

# row NAME: what is asked for, with the words for wormhole, from the file of rows
row() {
    jq -e --arg name "$1" --argjson quick $quick --argjson runs "$runs" -f scripts/bench-fast-row.jq "$rows_file" || {
        echo "bench.sh: $1: there is no such row; see scripts/bench.sh fast --list" >&2
        exit 2
    }
}

# words JSON PATH: a list in JSON, one word a line
words() { jq -r "$2[]" <<< "$1"; }

# compare FOLDER WORD...: a comparison, with what it says in FOLDER.txt
compare() {
    local folder=$1
    shift
    rm -rf "$folder"
    timeout "$limit" "$wormhole" compare "$@" --rtts --quiet --output "$folder" 2>&1 |
        tee "$folder.txt" >&2
}

# keep_packet_level ROW: runs the row's packet level, unless that was done
keep_packet_level() {
    local packet scenario seeds
    packet=$work/packet/$(jq -r .packet <<< "$1")
    seeds=$(jq -r .seeds <<< "$1")
    if [[ -e $packet/compare.json && $(jq .complete "$packet/compare.json") == true ]]; then
        return
    fi
    mapfile -t scenario < <(words "$1" .words)
    compare "$packet" "${scenario[@]}" --seeds "$seeds" --runs 1
}

# measure ROW FOLDER: compares with the packet level that was kept, or in turn with a new one
measure() {
    local folder=$2 all packet times
    times=$(jq .runs <<< "$1")
    mapfile -t all < <(words "$1" '(.words + .fast_words)')
    packet=$work/packet/$(jq -r .packet <<< "$1")
    if [[ $(jq .memo <<< "$1") == true ]]; then
        rm -f "$folder".db*
        all+=(--memo "$folder.db")
    fi
    if [[ $(jq .in_turn <<< "$1") == true ]]; then
        compare "$folder" "${all[@]}" --seeds 1 --runs "$times"
    else
        keep_packet_level "$1" &&
            compare "$folder" "${all[@]}" --packet-from "$packet" --runs "$times" \
                --seeds "$(jq .seeds <<< "$1")"
    fi
}

# measure_fast_alone ROW FOLDER: a run without a packet level to compare with
measure_fast_alone() {
    local folder=$2 all begin end
    mapfile -t all < <(words "$1" .words)
    rm -rf "$folder"
    mkdir -p "$folder"
    begin=$(date +%s.%N)
    timeout "$limit" "$wormhole" run "${all[@]}" --mode fast --output "$folder" --quiet >&2 || return
    end=$(date +%s.%N)
    jq -n --argjson wall "$(jq -n "$end - $begin")" '{wall_s: $wall}' > "$folder/wall.json"
}

# load FILE: bytes and packets of the flows in a fct.txt
load() {
    awk '{bytes += $5; packets += int(($5 + 999) / 1000)}
         END {printf "{\"bytes\": %.0f, \"packets\": %.0f}\n", bytes, packets}' "$1" 2> /dev/null ||
        echo '{"bytes": 0, "packets": 0}'
}

# result ROW FOLDER: the row of the report
result() {
    local found='{}' fct=$2/fast/fct.txt kept
    kept=$work/packet/$(jq -r .packet <<< "$1")
    if [[ $(jq .only_fast <<< "$1") == true ]]; then
        found=$(jq -s '.[0] * {wall_s: .[1].wall_s}' "$2/summary.json" "$2/wall.json" 2> /dev/null || echo '{}')
        fct=$2/fct.txt
    elif [[ -e $2/compare.json ]]; then
        found=$(cat "$2/compare.json")
    fi
    jq -n --argjson row "$1" --slurpfile found <(echo "$found") \
        --slurpfile packet <(cat "$kept/compare.json" 2> /dev/null || echo '{}') \
        --argjson load "$(load "$fct")" --argjson priced "$(load "$kept/packet/fct.txt")" \
        --argjson first "$(jq '[.rows[]? | select(.name == "gpt-7b-64")][0].measured.speedup' "$json")" \
        --argjson code "$code" --arg date "$(date -u +%FT%TZ)" \
        --arg machine_load "$(cut -d ' ' -f 1 /proc/loadavg)" -f scripts/bench-fast-result.jq
}

# put ROW: into the report, in place of what it says of that row
put() {
    jq --argjson found "$1" --slurpfile order "$rows_file" '
        ($order[0].rows | map(.name)) as $order
        | .rows = ([.rows[]? | select(.name != $found.name)] + [$found]
            | sort_by(.name as $name | $order | index($name)))' "$json" > "$json.new"
    mv "$json.new" "$json"
    write_table
}

# collect NAME: makes the row anew from runs that were kept, if it was measured
collect() {
    local known
    known=$(jq --arg name "$1" '[.rows[]? | select(.name == $name)][0]' "$json")
    if [[ $known != null ]]; then
        put "$(jq --argjson known "$known" '. + ($known | {code, date, machine_load, exit})' \
            <<< "$(result "$(row "$1")" "$work/$1")")"
    fi
}

run_row() {
    local asked folder status=0
    asked=$(row "$1")
    if ((again == 0)) && jq -e --arg name "$1" --argjson code "$code" \
        'any(.rows[]?; .name == $name and .code == $code and .complete)' "$json" > /dev/null; then
        echo "bench.sh: $1: known" >&2
        return
    fi
    echo "bench.sh: $1..." >&2
    folder=$work/$1
    if [[ $(jq .only_fast <<< "$asked") == true ]]; then
        measure_fast_alone "$asked" "$folder" || status=$?
    else
        measure "$asked" "$folder" || status=$?
    fi
    put "$(result "$asked" "$folder" | jq --argjson status "$status" '. + {exit: $status}')"
}

write_table() {
    jq -r -f scripts/bench-fast-table.jq "$json" > "${json%.json}.md"
}

if [[ $only == collect ]]; then
    code='""'
    for name in "${rows[@]}"; do
        collect "$name"
    done
    cat "${json%.json}.md"
    exit 0
fi
for name in "${rows[@]}"; do
    row "$name" > /dev/null
done
if [[ -z $program ]]; then
    cmake --preset release -B "$build" > /dev/null
    cmake --build "$build" --target wormhole > /dev/null
fi
mkdir -p "$work/packet" "$(dirname "$json")"

# What is run: neither documents nor this script change it.
code=$(jq -n --arg commit "$(git log -1 --format=%h -- contrib scratch wormhole-kernel cmake \
    ':!contrib/*/doc' ':!contrib/*/test' ':!contrib/*/examples')" \
    --argjson changed "$(git status --porcelain -- contrib scratch wormhole-kernel cmake \
        ':!contrib/*/doc' | grep -q . && echo true || echo false)" \
    '$commit + (if $changed then "-changed" else "" end)')
[[ -e $json ]] || echo '{}' > "$json"
jq --arg machine "$(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)" \
    --arg commit "$(git rev-parse --short HEAD)" --arg date "$(date -u +%F)" --argjson quick $quick '
    {what: "fast-forward against packet level; contrib/wormhole/doc/measurements.md",
     commit: $commit, date: $date, machine: $machine, quick: ($quick == 1), rows: (.rows // [])}' \
    "$json" > "$json.new"
mv "$json.new" "$json"
for name in "${rows[@]}"; do
    run_row "$name"
done
cat "${json%.json}.md"
