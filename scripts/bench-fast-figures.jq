# What the tables show of a row of the results, and what its bounds speak of; shares are shares, 0.01 is 1 %. Names and
# meanings: contrib/wormhole/doc/measurements.md.

def ratio($a; $b): if $a != null and $b != null and $b > 0 then $a / $b else null end;

def figures: .modes as {$packet, $fast, $fast_again, $flow}
    | (.extrapolated | if . then .cpu_s / .packets else null end) as $packet_cost
    | {packet_cpu_s: ($packet.cpu_s // (if $packet_cost then $packet_cost * .load.packets else null end)),
       fast_cpu_s: $fast.cpu_s, flow_cpu_s: $flow.cpu_s,
       fct_mean: $fast.errors.fct.mean, fct_p50: $fast.errors.fct.p50, fct_p99: $fast.errors.fct.p99,
       fct_max: $fast.errors.fct.max, makespan: $fast.errors.makespan,
       links: $fast.errors.link_throughput.mean, rtt: $fast.errors.rtt.nrmse,
       chaos_fast: .disturbed.flow_error.fast, chaos_packet: .disturbed.flow_error.packet,
       within: .disturbed.within_own_chaos,
       makespan_bias: ([.disturbed.statistics[]? | select(.statistic == "makespan")][0] | {bias, interval}),
       audit: $fast.audit, run_share: ratio($fast.events.run; $packet.events.run),
       skipped_share: ratio($fast.bytes.skipped; .load.bytes),
       replayed_share: ratio($fast.bytes.replayed; .load.bytes),
       partition_flows: ratio($fast.partition.flows_decided; $fast.partition.decisions),
       partition_largest: $fast.partition.largest,
       flow_fct_mean: $flow.errors.fct.mean, flow_makespan: $flow.errors.makespan,
       again_cpu_s: $fast_again.cpu_s, again_fct_mean: $fast_again.errors.fct.mean,
       again_over_fast: ratio($fast.cpu_s; $fast_again.cpu_s),
       again_over_flow: ratio($fast_again.cpu_s; $flow.cpu_s),
       wall_s: $fast.wall_s, memory_gib: (ratio($fast.peak_memory_kib; 1048576))}
    | .speedup = ratio(.packet_cpu_s; .fast_cpu_s);

# Which bounds are missed: larger is better of some, smaller of the others.
def missed($bounds; $figures): [$bounds | to_entries[] | .value as $bound | $figures[.key] as $found
    | select(if .key == "within" then $found != true
             elif $found == null then true
             elif .key | IN("speedup", "again_over_fast") then $found < $bound
             else $found > $bound end) | .key];
