# The report in Markdown.

def places($n): if . == null then "-" else pow(10; $n) as $p | . * $p | round / $p | tostring end;
def seconds: if . == null then "-" elif . < 1 then "\(. * 1000 | places(0)) ms" else "\(places(1)) s" end;
def percent: if . == null then "-" elif . == 0 then "0 %"
    elif . < 0.0001 then "\(. * 100 | places(4)) %" else "\(. * 100 | places(2)) %" end;
def factor: if . == null then "-" elif . < 10 then "\(places(2))x" else "\(places(0))x" end;
def verdict: (.required | length) as $asked
    | if (.complete | not) then "failed"
      elif $asked == 0 then "-"
      elif all(.required[]; .met) then
          if (.target | length) > 0 and all(.target[]; .met) then "target" else "required" end
      else "no: " + ([.required | to_entries[] | select(.value.met | not) | .key | gsub("_"; " ")] | join(", ")) end;

def compared: select(.modes.packet);
def line: .measured as $m | .modes as $t
    | "| \(.title) | \($t.packet.wall_s | seconds) / \($t.packet.cpu_s | seconds) | \($t.fast.wall_s | seconds) / \($t.fast.cpu_s | seconds) | \($t.flow.wall_s | seconds) | \($m.speedup | factor) / \($m.speedup_of_processor_time | factor) | \($m.run_share | percent) | \($m.skipped_share | percent), \($m.replayed_share | percent) | \($m.fct_mean | percent) | \($m.fct_p50 | percent) | \($m.fct_p99 | percent) | \($m.fct_max | percent) | \($m.job | percent) | \($m.link_mean | percent) | \($m.rtt_nrmse | percent) | \([.seeds[]?.errors.fct.mean | percent] | join(", ")) | \($m.flow_fct_mean | percent) |";
def heading:
    "| row | packet level, wall / processor | fast | flow | speedup, wall / processor | events run | bytes skipped, replayed | FCT mean | p50 | p99 | max | makespan | links | RTT NRMSE | other seed, FCT mean | flow level, FCT mean |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|";
def part($group; $title): [.rows[] | select(.group == $group) | compared]
    | select(length > 0) | "", $title, "", heading, (.[] | line);

"Commit \(.commit), \(.date); \(.machine); load when a row ended: \([.rows[].machine_load] | "\(min) to \(max)").",
part("table"; "Every speed with its error; the packet level runs to its end:"),
([.rows[] | select(.required != {})] | select(length > 0)
 | "", "| row | required; target | found | met |", "|---|---|---|---|",
   (.[] | "| \(.title) | \([.required | to_entries[] | "\(.key | gsub("_"; " ")) \(.value.bound)"] | join(", ")); \([.target | to_entries[] | "\(.key | gsub("_"; " ")) \(.value.bound)"] | join(", ")) | \([(.required * .target) | to_entries[] | "\(.key | gsub("_"; " ")) \(.value.value | places(6))"] | join(", ")) | \(verdict) |")),
([.rows[] | select(.measured.again_over_fast)] | select(length > 0)
 | "", "| second run | first | second | flow level | second, FCT mean |", "|---|---|---|---|---|",
   (.[] | "| \(.title) | \(.modes.fast.wall_s | seconds) | \(.modes.fast_again.wall_s | seconds) | \(.modes.flow.wall_s | seconds) | \(.measured.again_fct_mean | percent) |")),
([.rows[] | select(.modes.packet == null and .modes.fast)] | select(length > 0)
 | "", "| fast-forward only | wall | memory | bytes skipped, replayed | packet level, extrapolated | speedup, extrapolated |", "|---|---|---|---|---|---|",
   (.[] | "| \(.title) | \(.modes.fast.wall_s | seconds) | \(.measured.memory_gib * 1024 | places(0)) MiB | \(.measured.skipped_share | percent), \(.measured.replayed_share | percent) | \(if .extrapolated then "\(.extrapolated.packet_cpu_s | seconds) (\(.extrapolated.cpu_s_per_packet * 1e6 | places(2)) us a packet, measured on \(.extrapolated.from))" else "-" end) | \(.extrapolated.speedup | factor) |")),
part("coupling"; "What belongs to a partition besides the ports of its data (watched unless said otherwise):"),
([.rows[] | select(.group == "coupling" or .name == "gpt-7b-64") | compared] | select(length > 0)
 | "", "| row | flows in a partition, mean / most | speedup | FCT mean | makespan |", "|---|---|---|---|---|",
   (.[] | "| \(.title) | \(.measured.partition_flows | places(1)) / \(.measured.partition_largest) | \(.measured.speedup | factor) | \(.measured.fct_mean | percent) | \(.measured.job | percent) |")),
part("ablation"; "Parts switched off, GPT-7B on 64 GPUs:"),
part("sweep"; "theta (5 % unless said) and l (16 samples unless said), GPT-7B on 64 GPUs:"),
part("size"; "Message size, all-reduce of 64 ranks:")
