#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draws the statistics of `wormhole sweep`, or of `wormhole report --csv`, for papers, by gnuplot."""

import argparse
import csv
import os
import re
import shutil
import subprocess
import sys

# Okabe and Ito's colours, which colour-blind people can tell apart.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555"]
TERMINALS = {
    "svg": "svg noenhanced size 620,{height} font 'Helvetica,13' background rgb 'white'",
    "pdf": "pdfcairo noenhanced size 12.4cm,{cm}cm font 'Helvetica,9'",
}
LONGEST_NAME = 40
OVER_TIME = {
    "utilisation_mean": "utilisation of links, mean",
    "utilisation_max": "utilisation of the busiest link",
    "jain": "Jain's index of fairness",
    "flows": "flows under way",
    "paused_ports": "ports paused by PFC",
    "queue_bytes_p50": "queue, p50 [B]",
    "queue_bytes_p95": "queue, p95 [B]",
    "queue_bytes_p99": "queue, p99 [B]",
}


def fail(text):
    print(f"plot-sweep: {text}", file=sys.stderr)
    sys.exit(2)


def read(folder, name, first):
    """Returns the parameters of a table, which stand before the column `first`, and its lines; none of a
    table that is not there."""
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return [], []
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file)
        columns = rows.fieldnames or []
        if first not in columns:
            fail(f"{path}: has no column {first}; it is no table of wormhole sweep or wormhole report")
        return columns[: columns.index(first)], list(rows)


def read_statistics(folder):
    """Returns parameters and lines of slowdowns, of a sweep or of a report."""
    parameters, rows = read(folder, "statistics.csv", "flow_kind")
    if not rows:
        parameters, rows = read(folder, "slowdown_by_size.csv", "kind")
        for row in rows:
            row["flow_kind"] = row["kind"]
            row["metric"] = f"slowdown_{row['statistic']}"
    return parameters, rows


def read_distributions(folder, value):
    """The same of distributions; `value` is fct_ns or slowdown."""
    parameters, rows = read(folder, "distributions.csv", "flow_kind")
    if not rows:
        parameters, rows = read(folder, "fct.csv" if value == "fct_ns" else "slowdown.csv", "kind")
        for row in rows:
            row["flow_kind"] = row["kind"]
    return parameters, [row for row in rows if row[value]]


def divided(rows, key):
    """Returns the lines by what `key` says of them, in the order of the table."""
    groups = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def size_text(size):
    for unit, name in ((10**9, "G"), (10**6, "M"), (10**3, "K")):
        if size >= unit:
            return f"{size / unit:g}{name}"
    return f"{size:g}"


class Plotter:
    def __init__(self, folder, output, form, curves):
        self.folder = folder
        self.output = output
        self.form = form
        self.curves = curves
        self.scenarios = {}
        self.drawn = []

    def curve_parameter(self, parameters):
        usual = next((name for name in ("cc", "run") if name in parameters), parameters[-1] if parameters else "cc")
        name = self.curves or usual
        if self.curves and name not in parameters:
            fail(f"--curves {name}: the sweep varies {', '.join(parameters) or 'nothing'}")
        return name

    def suffix(self, scenario):
        """Returns what stands in names of files for the values of a scenario."""
        text = "-".join(f"{name}-{value}" for name, value in scenario)
        plain = re.sub(r"[^A-Za-z0-9._-]", "_", text)
        number = self.scenarios.setdefault(scenario, len(self.scenarios) + 1)
        if not scenario:
            return ""
        return "-" + (plain if len(plain) <= LONGEST_NAME else f"scenario-{number}")

    def draw(self, name, commands, curves, plot):
        """Runs gnuplot; `curves` are (title, lines of data), `plot` is what stands behind the data."""
        height = 360 + 22 * ((len(curves) + 3) // 4)
        path = os.path.join(self.output, f"{name}.{self.form}")
        text = [
            "set terminal " + TERMINALS[self.form].format(height=height, cm=height / 50),
            f"set output '{path}'",
            "set border 3; set tics nomirror; set grid ytics lc rgb '#dddddd'",
            "set key bmargin center horizontal reverse Left samplen 2 maxcols 4",
            *commands,
        ]
        for i, (_, lines) in enumerate(curves):
            text += [f"$curve{i} << EOD", *lines, "EOD"]
        parts = []
        for i, (title, _) in enumerate(curves):
            style = f"lc rgb '{COLOURS[i % len(COLOURS)]}' dt {i // len(COLOURS) + 1}"
            shown = title.replace("'", "''")
            parts.append(plot.format(data=f"$curve{i}", style=style, point=4 + i, title=shown))
        text.append("plot " + ", ".join(parts))
        done = subprocess.run(["gnuplot"], input="\n".join(text), text=True, capture_output=True, check=False)
        if done.returncode:
            print(done.stderr, file=sys.stderr)
            sys.exit(1)
        self.drawn.append(path)

    def groups(self, parameters, rows):
        """Yields (scenario, kind, lines by curve)."""
        curve = self.curve_parameter(parameters)
        others = [name for name in parameters if name != curve]
        key = lambda row: (tuple((name, row[name]) for name in others if row[name]), row.get("flow_kind"))
        for (scenario, kind), lines in divided(rows, key).items():
            yield scenario, kind, divided(lines, lambda row: row.get(curve, "all"))

    def slowdowns(self, percentile):
        parameters, rows = read_statistics(self.folder)
        rows = [r for r in rows if r["metric"] == f"slowdown_{percentile}" and (r["bytes_over"] or r["bytes_up_to"])]
        for scenario, kind, by_curve in self.groups(parameters, rows):
            edges = {(float(r["bytes_over"] or 0), float(r["bytes_up_to"] or "inf")) for c in by_curve.values() for r in c}
            places = {edge: place for place, edge in enumerate(sorted(edges))}
            tics = ", ".join(
                f"'{'> ' + size_text(low) if high == float('inf') else size_text(high)}' {place}"
                for (low, high), place in places.items()
            )
            curves = []
            for title, lines in by_curve.items():
                data = []
                for row in lines:
                    place = places[(float(row["bytes_over"] or 0), float(row["bytes_up_to"] or "inf"))]
                    low = max(float(row["ci95_low"] or row["mean"]), 1)  # no flow is faster than alone
                    data.append((place, row["mean"], low, row["ci95_high"] or row["mean"]))
                curves.append((title, [" ".join(map(str, point)) for point in sorted(data)]))
            self.draw(
                f"slowdown-{percentile}-{kind}{self.suffix(scenario)}",
                [
                    f"set xtics ({tics}); set xrange [-0.5:{len(places) - 0.5}]; set logscale y; set yrange [1:*]",
                    f"set xlabel 'flow size up to [B]'; set ylabel '{percentile} of slowdown'",
                ],
                curves,
                "{data} using 1:2:3:4 with yerrorlines {style} pt {point} ps 0.6 title '{title}'",
            )

    def distributions(self, value, name, size, axis):
        parameters, rows = read_distributions(self.folder, value)
        for scenario, kind, by_curve in self.groups(parameters, rows):
            curves = []
            for title, lines in by_curve.items():
                curves.append((title, [f"{float(r[value]) / size} {r['share']}" for r in lines]))
            self.draw(
                f"{name}-{kind}{self.suffix(scenario)}",
                [
                    "set logscale x; set yrange [0:1.02]",
                    f"set xlabel '{axis}'; set ylabel 'share of the flows'",
                ],
                curves,
                "{data} using 1:2 with lines lw 1.6 {style} title '{title}'",
            )

    def over_time(self, metric, axis):
        parameters, rows = read(self.folder, "over_time.csv", "begin_ns")
        rows = [r for r in rows if r["metric"] == metric]
        for scenario, _, by_curve in self.groups(parameters, rows):
            curves = []
            for title, lines in by_curve.items():
                data = []
                for row in lines:
                    middle = (float(row["begin_ns"]) + float(row["end_ns"])) / 2000
                    low = max(float(row["ci95_low"] or row["mean"]), 0)  # none of these is less
                    data.append(f"{middle} {row['mean']} {low} {row['ci95_high'] or row['mean']}")
                curves.append((title, data))
            shown = axis.replace("'", "''")
            self.draw(
                f"over-time-{metric.replace('_', '-')}{self.suffix(scenario)}",
                [f"set yrange [0:*]; set xlabel 'simulated time [us]'; set ylabel '{shown}'"],
                curves,
                "{data} using 1:3:4 with filledcurves fs transparent solid 0.15 noborder {style} notitle, "
                "{data} using 1:2 with lines lw 1.6 {style} title '{title}'",
            )

    def list_scenarios(self):
        if any(self.scenarios):
            path = os.path.join(self.output, "scenarios.txt")
            with open(path, "w", encoding="utf-8") as file:
                for scenario, number in self.scenarios.items():
                    file.write(f"{number}: {' '.join(f'{name}={value}' for name, value in scenario)}\n")


def main():
    parser = argparse.ArgumentParser(
        description="Draws, for each scenario and kind of flow of a sweep, slowdown by flow size (means over seeds, "
        "95 %% confidence intervals), the distributions of completion times and slowdowns, and fairness, "
        "utilisation, queues and pauses over time, with a curve for each control or run."
    )
    parser.add_argument("sweep", help="what wormhole sweep --record --output, or wormhole report --csv, wrote")
    parser.add_argument("--output", required=True, help="folder for the pictures, made if need be")
    parser.add_argument("--format", choices=sorted(TERMINALS), default="svg")
    parser.add_argument("--curves", help="parameter that has a curve for each value (default: cc; of a report run; else the last)")
    options = parser.parse_args()
    if not shutil.which("gnuplot"):
        print("plot-sweep: there is no gnuplot; on Debian: apt-get install gnuplot-nox", file=sys.stderr)
        sys.exit(1)
    os.makedirs(options.output, exist_ok=True)
    plotter = Plotter(options.sweep, options.output, options.format, options.curves)
    for percentile in ("p50", "p95", "p99"):
        plotter.slowdowns(percentile)
    plotter.distributions("fct_ns", "fct-cdf", 1000, "flow completion time [us]")
    plotter.distributions("slowdown", "slowdown-cdf", 1, "slowdown")
    for metric, axis in OVER_TIME.items():
        plotter.over_time(metric, axis)
    plotter.list_scenarios()
    if not plotter.drawn:
        fail(f"{options.sweep}: has no statistics of flows or over time; run with --record")
    print("\n".join(plotter.drawn))


if __name__ == "__main__":
    main()
