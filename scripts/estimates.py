#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares what `wormhole run --estimate` says with what runs take, and prints a Markdown table.

usage: scripts/estimates.py [PROGRAM]     (default: build/release/bin/wormhole)
"""

import json
import math
import os
import resource
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORKLOADS = SOURCE + "/workloads"

# name, words after `wormhole run`
SCENARIOS = [
    ("16 to 1, HPCC", "--topology star:hosts=17 --traffic incast:fan-in=16,bytes=20MB"),
    ("ring on 64 hosts, HPCC",
     "--topology leaf-spine:leaves=8,spines=8,hosts-per-leaf=8 --traffic ring:stride=8,bytes=10MB"),
    ("ring on 64 hosts, DCQCN",
     "--topology leaf-spine:leaves=8,spines=8,hosts-per-leaf=8 --traffic ring:stride=8,bytes=10MB --cc dcqcn"),
    ("all to all on 128 hosts, TIMELY",
     "--topology leaf-spine:leaves=8,spines=8,hosts-per-leaf=16 --traffic all-to-all:bytes=30KB --cc timely"),
    ("web search at half load, HPCC",
     f"--topology fat-tree:k=8 --traffic poisson:cdf={WORKLOADS}/cdf/websearch.txt,load=0.5,duration=2ms"),
    ("permutation on 1,024 hosts, HPCC",
     "--topology fat-tree:k=16,rate=400Gbps --traffic permutation:bytes=300KB"),
    ("permutation on 4,096 hosts, HPCC",
     "--topology fat-tree:hosts=4096,rate=400Gbps --traffic permutation:bytes=100KB"),
    ("all-reduce of 64 ranks",
     "--workload all-reduce:ranks=64,bytes=20MB --topology rail-optimized:gpus=64"),
    ("GPT-7B on 64 GPUs, a 1,000th",
     f"--workload training:file={WORKLOADS}/training/gpt-7b-64.json,scale=1000 --topology rail-optimized:gpus=64"),
    ("SimAI, two layers",
     f"--workload simai:file={WORKLOADS}/simai/two-layers-tp8.txt --topology rail-optimized:gpus=16"),
]


def run(words, **more):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode != 0:
        sys.exit(f"{' '.join(words)}: {result.stderr}")
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return result.stdout, seconds


def main():
    program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/wormhole")
    print("| run | crossings | measured | memory, MiB | measured | ratio | processor time, s | measured | ratio |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, options in SCENARIOS:
        words = [program, "run"] + options.split()
        with tempfile.TemporaryDirectory() as folder:
            said = json.loads(run(words + ["--estimate", "--json"], cwd=folder)[0])
            seconds = run(words + ["--threads", "1", "--quiet", "--output", "out"], cwd=folder)[1]
            with open(folder + "/out/summary.json", encoding="utf-8") as file:
                summary = json.load(file)
        crossings = summary["counters"]["packet_hops"]
        memory = summary["cost"]["peak_memory_kib"] / 1024
        estimated = said["memory_bytes"] / 2**20
        time = said["packet_level_s"]
        print(f"| {name} | {said['crossings']:,.0f} | {crossings:,} | {estimated:.0f} | {memory:.0f} "
              f"| {estimated / memory:.2f} | {time:.2f} | {seconds:.2f} | {time / seconds:.2f} |", flush=True)
        assert math.isfinite(time)


if __name__ == "__main__":
    main()
