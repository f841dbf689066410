# A row of the report: of what was asked ($row), what compare or run wrote ($found), and the packet level
# that was kept ($packet). $load is bytes and packets that the row's flows carry, $priced the same of the
# packet level that was kept; $first is the speedup of the first row.

def ratio($a; $b): if $a != null and $b != null and $b > 0 then $a / $b else null end;

# Of a mode of compare.json.
def mode: if . == null then null else {wall_s, cpu_s, walls_s, cpus_s, peak_memory_kib, flows,
    makespan_ns, run_s, events, errors, flow_time_s: .fast.flowTime, episodes: .fast.episodes} end;

# How the bytes of all flows got there, by the controller's counters.
def shares: ([.kernel[]?.bytesSkipped] | add // 0) as $skipped
    | ([.kernel[]?.bytesReplayed] | add // 0) as $replayed
    | ([.kernel[]?.decisions] | add // 0) as $decisions
    | {partition_flows: ratio([.kernel[]?.flowsDecided] | add // 0; $decisions),
       partition_largest: ([.kernel[]?.largestPartition] | max),
       bytes: $load.bytes, packets: $load.packets, skipped_share: ratio($skipped; $load.bytes),
       replayed_share: ratio($replayed; $load.bytes)};

# What required and target speak of, and what the table shows; shares are shares, 0.01 is 1 %.
def measured($fast): . as $modes
    | {speedup: ratio($modes.packet.wall_s; $modes.fast.wall_s),
       speedup_of_processor_time: ratio($modes.packet.cpu_s; $modes.fast.cpu_s),
       slowdown: ratio($modes.fast.cpu_s; $modes.packet.cpu_s),
       fct_mean: $modes.fast.errors.fct.mean, fct_p50: $modes.fast.errors.fct.p50,
       fct_p99: $modes.fast.errors.fct.p99, fct_max: $modes.fast.errors.fct.max,
       flows_unmatched: $modes.fast.errors.fct.unmatched,
       job: $modes.fast.errors.makespan,
       link_mean: $modes.fast.errors.link_throughput.mean,
       link_max: $modes.fast.errors.link_throughput.max,
       rtt_nrmse: $modes.fast.errors.rtt.nrmse,
       flow_fct_mean: $modes.flow.errors.fct.mean, flow_job: $modes.flow.errors.makespan,
       again_over_fast: ratio($modes.fast.wall_s; $modes.fast_again.wall_s),
       again_over_flow: ratio($modes.fast_again.wall_s; $modes.flow.wall_s),
       again_fct_mean: $modes.fast_again.errors.fct.mean}
    | . + {speedup_of_first: ratio(.speedup; $first)}
        + {run_share: ratio($modes.fast.events.run; $modes.packet.events.run)} + ($fast | shares);

# What a full-size packet level would cost: its packets, at the price of a packet of a smaller one.
def extrapolated: ($packet[0].modes.packet) as $small
    | if $small and $priced.packets > 0 then
        {from: $row.packet, cpu_s_per_packet: ($small.cpu_s / $priced.packets), packets: $load.packets}
        | .packet_cpu_s = .cpu_s_per_packet * .packets
      else null end;

def alone: . as $summary
    | {modes: {fast: {wall_s, run_s: .cost.run_s, peak_memory_kib: .cost.peak_memory_kib,
                      events: .fast.events, flow_time_s: .fast.flowTime, episodes: .fast.episodes}},
       measured: ({wall_s, memory_gib: (.cost.peak_memory_kib / 1048576)} + (.fast | shares)),
       extrapolated: (extrapolated
           | if . then . + {speedup: (.packet_cpu_s / $summary.wall_s)} else null end)};

# Larger is better of some, smaller of the others.
def holds($key; $value; $bound): if $value == null then false
    elif ($key | IN("speedup", "speedup_of_first", "again_over_fast")) then $value >= $bound
    else $value <= $bound end;

def judged($bounds; $values): $bounds
    | with_entries({key: .key, value: {bound: .value, value: $values[.key],
                                       met: holds(.key; $values[.key]; .value)}});

($found[0]) as $report
| (if $row.only_fast then ($report | if .cost then alone + {complete: true} else {complete: false} end)
   else {modes: ($report.modes // {} | map_values(mode)), seeds: $report.seeds,
         complete: ($report.complete // false), failures: $report.failures, notes: $report.notes,
         packet_commit: (if $row.in_turn then $report.program.commit else $packet[0].program.commit end)}
        | ((.modes | measured($report.modes.fast.fast)) as $measured | .measured = $measured) end) as $part
| {name: $row.name, title: $row.title, group: $row.group, code: $code, date: $date, machine_load: ($machine_load | tonumber),
   command: ((if $row.only_fast then ["wormhole", "run", "--mode", "fast"] else ["wormhole", "compare"] end)
             + $row.words + $row.fast_words)}
  + $part
  # Of speedups the smaller one counts: others that use the machine make a long run look longer.
  + (($part.measured // {} | .speedup = ([.speedup, .speedup_of_processor_time | values] | min)) as $found
     | {required: judged($row.required; $found), target: judged($row.target; $found)})
