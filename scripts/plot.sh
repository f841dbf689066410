#!/usr/bin/env bash
# Draws what runs found as SVG, for papers: `wormhole report --csv`, and gnuplot.
# shellcheck disable=SC2016  # what is in single quotes is for awk
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/plot.sh RUN... --output DIR [--program FILE]

Draws into DIR: of all runs together fct.svg, slowdown.svg, results.svg (mean and 99th percentile of both) and
comparison.svg (speed and error, of the runs of one scenario); rates, queues, partitions and events of each
run, as KIND-RUN.svg. What was not recorded is left out.

  RUN             what wormhole run --output or wormhole compare --output wrote
  --output DIR    made if need be
  --program FILE  the program wormhole (default: build/release/bin/wormhole of this project, else the one on the PATH)
TEXT
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$root/build/release/bin/wormhole
[[ -x $program ]] || program=$(command -v wormhole || echo "$program")
output=
runs=()
while (($# > 0)); do
    case $1 in
        --output) output=${2:?"--output needs a folder"}; shift 2 ;;
        --program) program=${2:?"--program needs a file"}; shift 2 ;;
        -h | --help) usage; exit 0 ;;
        -*) echo "plot: no option $1" >&2; usage >&2; exit 2 ;;
        *) runs+=("$1"); shift ;;
    esac
done
if [[ -z $output ]] || ((${#runs[@]} == 0)); then
    usage >&2
    exit 2
fi
if ! command -v gnuplot > /dev/null; then
    echo "plot: there is no gnuplot; on Debian: apt-get install gnuplot-nox" >&2
    exit 1
fi
if [[ ! -x $program ]]; then
    echo "plot: there is no $program; build it, or name it with --program" >&2
    exit 1
fi

data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
"$program" report "${runs[@]}" --csv "$data" > /dev/null
if grep -q '"' "$data"/*.csv; then
    echo "plot: names of runs, jobs or kinds with commas or quotes cannot be drawn; rename the folders" >&2
    exit 2
fi
mkdir -p "$output"

# size WIDTH HEIGHT: of a picture, pixels
size() {
    echo "set terminal svg noenhanced size $1,$2 font 'Helvetica,13' background rgb 'white'"
}

# Okabe and Ito's colours, which colour-blind people can tell apart, then the same dashed.
style="
$(size 560 340)
set datafile separator ','
set border 3
set tics nomirror
set xlabel offset 0,0.6
set grid ytics lc rgb '#dddddd'
array COLOURS[7] = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#555555']
colour(i) = COLOURS[(i % 7) + 1]
dash(i) = (i / 7) % 4 + 1
"

# lines_of FILE RUN: without the header; of this run, or of all if RUN is empty
lines_of() {
    awk -F, -v run="$2" 'NR > 1 && (run == "" || $1 == run)' "$data/$1.csv"
}

# blocks NAME X Y: reads lines, writes a block for each name (an expression of awk), headed by it
blocks() {
    awk -F, "{ name = $1; if (!(name in text)) order[++n] = name; text[name] = text[name] $2 \",\" $3 \"\n\" }
        END { for (i = 1; i <= n; ++i) printf \"\\\"%s\\\"\n%s\n\n\", order[i], text[order[i]] }"
}

# used NAME Y: of the lines that it reads, those of names that are not 0 throughout
used() {
    awk -F, "{ line[NR] = \$0; name[NR] = $1; if ($2 > 0) used[$1] = 1 }
        END { for (i = 1; i <= NR; ++i) if (used[name[i]]) print line[i] }"
}

# unit COLUMN PAIRS: the largest unit "SIZE NAME" that the numbers in the column of standard input reach
unit() {
    awk -F, -v column="$1" -v pairs="$2" '
        { if ($column + 0 > most) most = $column + 0 }
        END { n = split(pairs, p, " "); for (i = 1; i < n - 1 && most < p[i]; i += 2) {} print p[i], p[i + 1] }'
}

times="1e9 s 1e6 ms 1e3 µs 1 ns"
sizes="1e9 GB 1e6 MB 1e3 kB 1 B"
speeds="1e9 Gb/s 1e6 Mb/s 1e3 kb/s 1 b/s"

drawn=0

# draw NAME COMMANDS: into NAME.svg
draw() {
    drawn=1
    gnuplot <<PLOT
$style
set output '$output/$1.svg'
$2
PLOT
    echo "$output/$1.svg"
}

# curves FILE: plots all blocks of a file as steps. Names stand below the plot, which keeps its size: the picture grows.
curves() {
    awk '/^"/ { ++names; if (length($0) > longest) longest = length($0) }
        END { name = 50 + 9 * longest; width = name + 40 > 560 ? name + 40 : 560
            columns = int((width - 40) / name); rows = int((names + columns - 1) / columns)
            print width, 340 + 20 * rows, columns }' "$1" | {
        read -r width height columns
        size "$width" "$height"
        echo "set key bmargin center horizontal reverse Left samplen 2 width 1 maxcols $columns"
    }
    echo "plot for [i = 0 : $(grep -c '^"' "$1") - 1] '$1' index i using (\$1 / xunit) : (\$2 / yunit) with steps lw 1.6 lc rgb colour(i) dt dash(i) title columnheader(1)"
}

# distribution KIND LABEL UNITS: fct.svg or slowdown.svg
distribution() {
    local kind=$1 label=$2 size name
    [[ -f $data/$kind.csv ]] || return 0
    read -r size name < <(lines_of "$kind" '' | unit 3 "$3")
    # of one run each kind of flow, of several runs all their flows
    if (($(lines_of "$kind" '' | cut -d, -f1 | sort -u | wc -l) == 1)); then
        lines_of "$kind" '' | blocks '$2' '$3' '$4' > "$data/blocks"
    else
        lines_of "$kind" '' | awk -F, '$2 == "all"' | blocks '$1' '$3' '$4' > "$data/blocks"
    fi
    draw "$kind" "xunit = $size; yunit = 1
set xlabel '$label${name:+ [$name]}'; set ylabel 'share of the flows'; set yrange [0:1.02]
$(curves "$data/blocks")"
}

# over_time FILE RUN NAME VALUE LABEL UNITS: a chart over simulated time
over_time() {
    local file=$1 run=$2 value=$4 size name y_size y_name column
    [[ -f $data/$file.csv ]] && [[ -n $(lines_of "$file" "$run") ]] || return 0
    column=$(head -1 "$data/$file.csv" | tr , '\n' | grep -n '^time_ns$' | cut -d: -f1)
    read -r size name < <(lines_of "$file" "$run" | unit "$column" "$times")
    read -r y_size y_name < <(lines_of "$file" "$run" | unit "${value#$}" "$6")
    lines_of "$file" "$run" | used "$3" "$value" | blocks "$3" "\$$column" "$value" > "$data/blocks"
    [[ -s $data/blocks ]] || return 0
    draw "${file/event-counts/events}-${run//[^A-Za-z0-9._-]/_}" "xunit = $size; yunit = $y_size
set xrange [0:*]; set xlabel 'simulated time [$name]'; set ylabel '$5${y_name:+ [$y_name]}'
$(curves "$data/blocks")"
}

# results: mean and 99th percentile of FCT and slowdown, a row for each run
results() {
    local size name runs margin panels=1
    [[ -f $data/comparison.csv ]] || return 0
    lines_of comparison '' | awk -F, '$11 != "" { print $1 "," $11 "," $12 "," $14 "," $15 }' > "$data/results"
    [[ -s $data/results ]] || return 0
    read -r size name < <(unit 3 "$times" < "$data/results")
    read -r runs margin < <(awk -F, '{ if (length($1) > longest) longest = length($1) } END { print NR, 8 * longest + 24 }' "$data/results")
    grep -q ',,$' "$data/results" || panels=2 # slowdowns are not known of all runs
    draw results "$(size $((margin + 620)) $((110 + 24 * runs)))
set key outside top left horizontal reverse Left; set multiplot layout 1,$panels; set grid xtics lc rgb '#dddddd'
set xrange [0:*]; set yrange [$runs - 0.5 : -0.5]; set offsets 0, graph 0.05, 0, 0; set tmargin 2; set bmargin 3.5
set lmargin at screen $margin.0 / ($margin + 620); set rmargin at screen ($margin + (3 - $panels) * 300.0) / ($margin + 620)
$(dots "flow completion time [$name]" 2 "$size" ':ytic(1)')
$( ((panels < 2)) || echo "set lmargin at screen ($margin + 320.0) / ($margin + 620); set rmargin at screen ($margin + 600.0) / ($margin + 620)
unset key; set ytics 1 format ''
$(dots slowdown 4 1 '')")
unset multiplot"
}

# dots LABEL COLUMN SIZE NAMES: means in the column and 99th percentiles in the next one, in units of SIZE
dots() {
    echo "set xlabel '$1'
plot '$data/results' using (\$$2 / $3):0$4 title 'mean' with points pt 7 ps 0.9 lc rgb colour(0), '' using (\$$(($2 + 1)) / $3):0 title 'p99' with points pt 6 ps 0.9 lc rgb colour(1)"
}

comparison() {
    [[ -f $data/comparison.csv ]] || return 0
    lines_of comparison '' | awk -F, '$5 != "" && $4 > 0 { print $1 "," $4 "," $5 * 100 }' > "$data/points"
    [[ -s $data/points ]] || return 0
    draw comparison "set xlabel 'mean error of flow completion times [%]'; set ylabel 'speedup'
set logscale y; set xrange [0:*]; set offsets 0, graph 0.3, graph 0.1, graph 0.1; unset key
plot '$data/points' using 3:2 with points pt 7 ps 0.9 lc rgb colour(0), '' using 3:2:1 with labels left offset char 1,0"
}

distribution fct 'flow completion time' "$times"
distribution slowdown 'slowdown' "1 "
results
comparison
for file in rates queues partitions events; do
    [[ -f $data/$file.csv ]] || continue
    while read -r run; do
        case $file in
            rates) over_time rates "$run" '$2 " to " $3' '$5' 'payload delivered' "$speeds" ;;
            queues) over_time queues "$run" '$2 ":" $3 " to " $4' '$6' 'queue' "$sizes" ;;
            partitions) over_time partitions "$run" '$3' '$4' 'partitions' "1 " ;;
            events) lines_of events "$run" > "$data/events-lines"
                awk -F, 'BEGIN { print "run,time_ns,kind,count" }
                    { print $1 "," $2 ",simulated," $3; print $1 "," $2 ",skipped," $4; print $1 "," $2 ",replayed," $5 }' \
                    "$data/events-lines" > "$data/event-counts.csv"
                over_time event-counts "$run" '$3' '$4' 'events so far' "1e9 G 1e6 M 1e3 k 1 " ;;
        esac
    done < <(lines_of "$file" '' | cut -d, -f1 | uniq)
done
if ((!drawn)); then
    echo "plot: these runs have nothing to draw: no flow was completed, and nothing was recorded (wormhole run --record)" >&2
    exit 2
fi
