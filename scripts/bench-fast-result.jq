# A row of the results: of what was asked ($row), and what compare, or run, wrote ($found). $load is bytes and packets
# of the row's flows, $priced the packet level that the cost of one that was not run is extrapolated from.

# Of a mode of compare.json.
def mode: {wall_s, cpu_s, walls_s, cpus_s, peak_memory_kib, makespan_ns, flows, events, errors}
    + if .fast == null then {}
      else def sum(f): [.fast.kernel[]? | f] | add;
        {audit: .fast.audit, episodes: .fast.episodes, flow_time_s: .fast.flowTime,
         partition: {decisions: sum(.decisions), flows_decided: sum(.flowsDecided),
                     largest: ([.fast.kernel[]?.largestPartition] | max)},
         bytes: {skipped: sum(.bytesSkipped), replayed: sum(.bytesReplayed)}}
      end;

# Of a run without a packet level: its summary.json, with the times of the process.
def alone: {wall_s, cpu_s, peak_memory_kib: .cost.peak_memory_kib, makespan_ns: null, flows: null,
    events: .fast.events, errors: null, fast};

($found[0]) as $report
| {name: $row.name, title: $row.title, group: $row.group, readme: $row.readme, must: $row.must, aim: $row.aim,
   command: (["wormhole", (if $row.alone then "run", "--mode", "fast" else "compare" end)]
             + $row.words + $row.fast_words),
   code: $code, date: $date, machine_load: $machine_load, exit: $status,
   complete: (if $row.alone then $status == 0 else $report.complete // false end),
   failures: ($report.failures // []), notes: ($report.notes // []), load: $load,
   modes: (if $row.alone then (if $report.fast then {fast: ($report | alone | mode)} else {} end)
           else $report.modes // {} | map_values(mode) end),
   disturbed: ($report.disturbed | if . then .statistics |= map(select((.within | not) or .statistic == "makespan"))
                                   else . end)}
+ (if $row.alone and $priced.packets > 0 then {extrapolated: ($priced + {from: $row.packet})} else {} end)
