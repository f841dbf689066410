#!/usr/bin/env bash
# Measures fast-forward against packet level, row by row of test/bench/fast-forward-rows.txt.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/bench.sh fast [OPTIONS] [ROW...]

Runs rows of test/bench/fast-forward-rows.txt (all of them unless named) with wormhole compare, and
writes one JSON with every speed beside its error, packet level's own chaos and the audited error, and
tables in Markdown made from it.

  --quick        rows that have a smaller size, at that size and once each, in a few minutes
  --again        measure rows that are in the JSON already, too
  --publish      into results/fast-forward.json, and the tables into README.md and the documents
  --runs N       of each mode, in turn, in place of what the rows say
  --limit SEC    for each comparison (default 7200); a row that takes longer is reported as failed
  --build BUILD  build folder (default build/release)
  --program FILE the command line wormhole, in place of building it
  --data DIR     other people's files (default ../shared/data); rows that need them are left out without
  --json FILE    default BUILD/bench-fast.json (--quick: BUILD/bench-fast-quick.json); the tables have the
                 same name, with .md
  --list         the rows
  --documents    the tables of results/fast-forward.json into the documents, and nothing else;
                 --check: fails if they are not there, and changes nothing

Each row runs the packet level in turn with fast-forward, so that their times are of the same minutes.
What it runs to tell error from chaos (--disturb) is kept in BUILD/bench-fast/packet: measuring a row
again takes it from there if the undisturbed packet level gives the same results. Rows that switch
parts off take the whole packet level from there.
The JSON is written after every row: a command that was interrupted goes on where it was. Wants the
machine for itself; ratios of processor times suffer less from company than wall times.
Figures and their meaning: contrib/wormhole/doc/measurements.md.
TEXT
}

cd "$(dirname "${BASH_SOURCE[0]}")/.."
rows_file=test/bench/fast-forward-rows.txt published=results/fast-forward.json
quick=0 again=0 publish=0 check=0 runs='' limit=7200 build=build/release program='' data=../shared/data json=''
only='' names=()
while (($# > 0)); do
    case "$1" in
        --quick | --again | --publish | --check) declare "${1#--}=1" ;;
        --list | --documents) only=${1#--} ;;
        --runs | --limit | --build | --program | --data | --json)
            (($# > 1)) || { echo "bench.sh: $1 needs a value" >&2; exit 2; }
            declare "${1#--}=$2"
            shift
            ;;
        -h | --help) usage; exit 0 ;;
        -*) usage >&2; exit 2 ;;
        *) names+=("$1") ;;
    esac
    shift
done
command -v jq > /dev/null || { echo "bench.sh: needs jq: apt-get install jq" >&2; exit 1; }
((publish == 0)) || json=$published
name=bench-fast$( ((quick == 0)) || echo -quick)
json=${json:-$build/$name.json}
work=$build/$name
wormhole=${program:-$build/bin/wormhole}
rows=$(jq -R -n --argjson quick $quick --arg data "$data" --arg work "$work" -f scripts/bench-fast-rows.jq "$rows_file")

# tables JSON GROUP
tables() { jq -r -L scripts --arg group "$2" -f scripts/bench-fast-tables.jq "$1"; }

# documents: what stands between "<!-- bench-fast GROUP -->" and "<!-- end -->" is the table of the group
documents() {
    local document wrong=0 group new
    for document in $(grep -rl '^<!-- bench-fast ' README.md contrib/*/doc docs); do
        new=$(mktemp)
        while IFS= read -r line; do
            if [[ $line == '<!-- bench-fast '* ]]; then
                group=${line#<!-- bench-fast }
                printf '%s\n\n%s\n\n' "$line" "$(tables "$published" "${group% -->}" | sed '1{/^$/d}')"
                while IFS= read -r line && [[ $line != '<!-- end -->' ]]; do :; done
            fi
            printf '%s\n' "$line"
        done < "$document" > "$new"
        if ! cmp -s "$new" "$document"; then
            wrong=1
            ((check == 1)) && echo "$document: other figures than $published; scripts/bench.sh fast --documents" ||
                cp "$new" "$document"
        fi
        rm "$new"
    done
    ((check == 0 || wrong == 0))
}

case $only in
    list) jq -r '.[] | "\(.name)\t\(.title)"' <<< "$rows"; exit 0 ;;
    documents) documents; exit ;;
esac
((${#names[@]} > 0)) || mapfile -t names < <(jq -r '.[].name' <<< "$rows")

# row NAME: what is asked for
row() {
    jq -ce --arg name "$1" '.[] | select(.name == $name)' <<< "$rows" || {
        echo "bench.sh: $1: there is no such row; see scripts/bench.sh fast --list" >&2
        exit 2
    }
}

# words JSON PATH: a list in JSON, one word a line
words() { jq -r "$2[]" <<< "$1"; }

# short_flows N FILE: N flows of 2 KB, all at once, between 16 hosts
short_flows() {
    awk -v n="$1" 'BEGIN {
        print n
        for (i = 0; i < n; ++i) print i % 16, (i + 1 + int(i / 16) % 15) % 16, 3, 100, 2000, "2.000000000"
    }' > "$2"
}

# compare FOLDER WORD...: a comparison, with what it says in FOLDER.txt
compare() {
    local folder=$1
    shift
    rm -rf "$folder"
    timeout "$limit" "$wormhole" compare "$@" --seeds 1 --rtts --quiet --output "$folder" 2>&1 |
        tee "$folder.txt" >&2
}

# keep FOLDER PACKET: the packet levels of a comparison, for the next ones
keep() {
    if [[ ! -e $2 && $(jq .complete "$1/compare.json") == true ]]; then
        mkdir -p "$2"
        cp -r "$1"/packet* "$1/compare.json" "$2"
    fi
}

# measure ROW FOLDER: in turn with the packet level, or with one that was kept
measure() {
    local folder=$2 all fast packet base
    mapfile -t all < <(words "$1" .words)
    mapfile -t fast < <(words "$1" .fast_words)
    packet=$work/packet/$(jq -r .packet <<< "$1")
    base=("${all[@]}")
    all+=("${fast[@]}" --runs "${runs:-$(jq .runs <<< "$1")}")
    if [[ $(jq .store <<< "$1") == true ]]; then
        rm -f "$folder".db*
        all+=(--memo "$folder.db")
    fi
    if [[ $(jq .disturb <<< "$1") != 0 ]]; then
        all+=(--disturb "$(jq .disturb <<< "$1")")
    fi
    if [[ $(jq .in_turn <<< "$1") == false ]]; then
        [[ -e $packet ]] || { compare "$folder" "${base[@]}" && keep "$folder" "$packet"; }
        compare "$folder" "${all[@]}" --packet-from "$packet"
        return
    fi
    if [[ -e $packet ]]; then
        compare "$folder" "${all[@]}" --packet-from "$packet" --in-turn && return
        (($? == 2)) || return 1
        echo "bench.sh: the packet level that was kept is of another program or other inputs, and is run anew" >&2
        rm -r "$packet"
    fi
    compare "$folder" "${all[@]}" && keep "$folder" "$packet"
}

# measure_alone ROW FOLDER: a run without a packet level to compare with
measure_alone() {
    local folder=$2 all TIMEFORMAT='{"wall_s": %R, "user": %U, "sys": %S}'
    mapfile -t all < <(words "$1" '(.words + .fast_words)')
    rm -rf "$folder"
    mkdir -p "$folder"
    { time timeout "$limit" "$wormhole" run "${all[@]}" --mode fast --threads 1 --output "$folder" --quiet 2> "$folder.txt"; } \
        2> "$folder/times.json" || return
    jq -s '.[0] + (.[1] | {wall_s, cpu_s: (.user + .sys)})' "$folder/summary.json" "$folder/times.json" \
        > "$folder/compare.json"
}

# load FILE: bytes and packets of the flows in a fct.txt
load() {
    awk '{bytes += $5; packets += int(($5 + 999) / 1000)}
         END {printf "{\"bytes\": %.0f, \"packets\": %.0f}\n", bytes, packets}' "$1" 2> /dev/null ||
        echo '{"bytes": 0, "packets": 0}'
}

# result ROW FOLDER STATUS: the row of the results
result() {
    local fct=$2/fast/fct.txt kept
    kept=$work/packet/$(jq -r .packet <<< "$1")
    [[ $(jq .alone <<< "$1") == false ]] || fct=$2/fct.txt
    jq -n --argjson row "$1" --slurpfile found <(cat "$2/compare.json" 2> /dev/null || echo '{}') \
        --argjson load "$(load "$fct")" --argjson status "$3" --arg code "$code" --arg date "$(date -u +%FT%TZ)" \
        --argjson priced "$(load "$kept/packet/fct.txt" |
            jq --slurpfile kept <(cat "$kept/compare.json" 2> /dev/null || echo '{}') \
                '{packets, cpu_s: $kept[0].modes.packet.cpu_s}')" \
        --argjson machine_load "$(cut -d ' ' -f 1 /proc/loadavg)" -f scripts/bench-fast-result.jq
}

# rewrite FILTER [OPTIONS OF jq]: changes the results; a row a line
rewrite() {
    jq -r "${@:2}" "$1"' | (del(.rows) | tojson[:-1]) + ",\"rows\":[\n"
        + (.rows | map(tojson) | join(",\n")) + "\n]}"' "$json" > "$json.new"
    mv "$json.new" "$json"
}

# put ROW: into the results, in place of what they say of that row
put() {
    rewrite '[$rows[].name] as $order
        | .rows = ([.rows[] | select(.name != $found.name)] + [$found]
            | sort_by(.name as $name | $order | index($name)))' --argjson found "$1" --argjson rows "$rows"
}

run_row() {
    local asked status=0
    asked=$(row "$1")
    if ((again == 0)) && jq -e --arg name "$1" --arg code "$code" \
        'any(.rows[]?; .name == $name and .code == $code and .complete)' "$json" > /dev/null; then
        echo "bench.sh: $1: known" >&2
        return
    fi
    if [[ ! -e $data ]] && jq -e --arg data "$data" 'any(.words[]; contains($data))' <<< "$asked" > /dev/null; then
        echo "bench.sh: $1: left out; it needs files of $data, which is not there (--data DIR)" >&2
        return
    fi
    echo "bench.sh: $1..." >&2
    if [[ $(jq .alone <<< "$asked") == true ]]; then
        measure_alone "$asked" "$work/$1" || status=$?
    else
        measure "$asked" "$work/$1" || status=$?
    fi
    put "$(result "$asked" "$work/$1" "$status")"
}

for name in "${names[@]}"; do
    row "$name" > /dev/null
done
if [[ -z $program ]]; then
    cmake --preset release -B "$build" > /dev/null
    cmake --build "$build" --target wormhole > /dev/null
fi
mkdir -p "$work/packet" "$(dirname "$json")"
for size in 8000 80000; do
    short_flows $size "$work/short-flows-$size.txt"
done

# What is run: neither documents nor this script change it.
code=$(git log -1 --format=%h -- contrib scratch wormhole-kernel cmake \
    ':!contrib/*/doc/*' ':!contrib/*/test/*' ':!contrib/*/examples/*')
git diff --quiet HEAD -- contrib scratch wormhole-kernel cmake ':!contrib/*/doc/*' || code+=-changed
[[ -e $json ]] || echo '{}' > "$json"
rewrite '{what: "fast-forward against packet level; contrib/wormhole/doc/measurements.md",
    machine: $machine, quick: ($quick == 1), rows: (.rows // [])}' --argjson quick $quick \
    --arg machine "$(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)"
for name in "${names[@]}"; do
    run_row "$name"
done
if ((publish == 1)); then
    documents
else
    for group in measured main further alone again ablation sweep coupling beyond; do
        tables "$json" $group
    done | tee "${json%.json}.md"
fi
