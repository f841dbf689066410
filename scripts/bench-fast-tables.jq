# Tables of the results in Markdown: with $group all rows of one ("main", or for README.md "readme"), what
# "measured" them, or what is "beyond" chaos.

include "bench-fast-figures";

def places($n): pow(10; $n) as $p | . * $p | round / $p | tostring;
def seconds: if . == null then "-" elif . < 1 then "\(. * 1000 | places(0)) ms"
    elif . < 100 then "\(places(1)) s" else "\(places(0)) s" end;
def time: if . < 1e6 then "\(. / 1e3 | places(2)) us" else "\(. / 1e6 | places(2)) ms" end;
def percent: if . == null then "-" elif . == 0 then "0"
    elif . < 5e-7 then "< 0.0001 %"
    elif . < 0.0001 then "\(. * 100 | places(4)) %"
    elif . < 0.1 then "\(. * 100 | places(2)) %" else "\(. * 100 | places(0)) %" end;
def sign: if . == null then "-" elif fabs < 5e-7 then "0" elif . < 0 then "-\(-. | percent)" else "+\(percent)" end;
def factor: if . == null then "-" elif . < 10 then places(2) elif . < 100 then places(1) else places(0) end;
def name: {speedup: "times as fast", fct_mean: "mean", fct_p99: "p99", fct_max: "largest", within: "within chaos",
           again_over_fast: "over first", again_over_flow: "over flow level", wall_s: "wall, s",
           memory_gib: "GiB"}[.] // .;
def bound: "\(.key | name)" + if .key == "within" then "" elif .key | IN("fct_mean", "fct_p99", "fct_max", "makespan")
    then " \(.value | percent)" else " \(.value)" end;
def list: [to_entries[] | bound] | join(", ");
def bounds: if .must == {} then "-" else (.must | list) + if .aim == {} then "" else "; \(.aim | list)" end end;
def verdict($figures): missed(.must; $figures) as $must
    | if .must == {} then "-"
      elif $must != [] then "no: " + ([$must[] | name] | join(", "))
      elif missed(.aim; $figures) == [] then "aim" else "yes" end;
def chaos: if .chaos_fast == null then "- | - | -"
    else "\(.chaos_fast | percent), \(.chaos_packet | percent) | \(.makespan_bias | if .bias == null then "-"
        else "\(.bias | sign) (\(.interval.low | sign) to \(.interval.high | sign))" end) | \(if .within then "yes" else "no" end)" end;
def audited: .audit | if . == null then "-"
    else "\(.audited) of \(.leftOut): \(.meanError | percent), \(.largestError | percent); \(.thrownOut)" end;
def shares: if .skipped_share == null then "-" else "\(.skipped_share | percent), \(.replayed_share | percent)" end;
def partitions: if .partition_flows == null then "-" else "\(.partition_flows | places(1)), \(.partition_largest)" end;

def table($head; line): if length == 0 then empty else
    "| \($head) |", "|\([$head | splits(" \\| ")] | map("---|") | add)", (.[] | line) end;

def speeds: table("scenario | packet level | fast-forward | times as fast | FCT mean | p99 | largest | makespan | single flows disturbed: fast, packet level | makespan bias (95 %) | within chaos | audited: of; mean, largest; thrown out";
    figures as $f | "| \(.title) | \($f.packet_cpu_s | seconds) | \($f.fast_cpu_s | seconds) | \($f.speedup | factor) | \($f.fct_mean | percent) | \($f.fct_p99 | percent) | \($f.fct_max | percent) | \($f.makespan | percent) | \($f | chaos) | \($f | audited) |");
def asked: [.[] | select(.must != {})] | table("scenario | must; aim | reached";
    figures as $f | "| \(.title) | \(bounds) | \(verdict($f)) |");
def variants: table("scenario | fast-forward | times as fast | FCT mean | p99 | largest | makespan | packet-hops run | bytes skipped, replayed | flows of a partition, mean, most | audited: of; mean, largest; thrown out";
    figures as $f | "| \(.title) | \($f.fast_cpu_s | seconds) | \($f.speedup | factor) | \($f.fct_mean | percent) | \($f.fct_p99 | percent) | \($f.fct_max | percent) | \($f.makespan | percent) | \($f.run_share | percent) | \($f | shares) | \($f | partitions) | \($f | audited) |");
def how: table("scenario | packet-hops run | bytes skipped, replayed | flows of a partition, mean, most | FCT p50 | links | RTT | flow level: time, FCT mean, makespan";
    figures as $f | "| \(.title) | \($f.run_share | percent) | \($f | shares) | \($f | partitions) | \($f.fct_p50 | percent) | \($f.links | percent) | \($f.rtt | percent) | \($f.flow_cpu_s | seconds), \($f.flow_fct_mean | percent), \($f.flow_makespan | percent) |");
def readme: [.[] | select(.readme)]
    | table("scenario | packet level | fast-forward | times as fast | FCT mean | largest | makespan | packet level itself | within chaos";
    figures as $f | "| \(.title) | \($f.packet_cpu_s | seconds) | \($f.fast_cpu_s | seconds) | \($f.speedup | factor) | \($f.fct_mean | percent) | \($f.fct_max | percent) | \($f.makespan | percent) | \($f.chaos_packet | percent) | \(if $f.within == null then "-" elif $f.within then "yes" else "no" end) |");
def again: [.[] | select(.modes.fast_again)] | table("scenario | first | second | FCT mean of the second | must; aim | reached";
    figures as $f | "| \(.title) | \($f.fast_cpu_s | seconds) | \($f.again_cpu_s | seconds) | \($f.again_fct_mean | percent) | \(bounds) | \(verdict($f)) |");
def alone: table("scenario | fast-forward | wall | memory | bytes skipped, replayed | audited: of; mean, largest; thrown out | packet level, extrapolated | times as fast | must; aim | reached";
    figures as $f | "| \(.title) | \($f.fast_cpu_s | seconds) | \($f.wall_s | seconds) | \($f.memory_gib * 1024 | places(0)) MiB | \($f | shares) | \($f | audited) | \($f.packet_cpu_s | seconds) | \($f.speedup | factor) | \(bounds) | \(verdict($f)) |");
# Statistics that are not within packet level's own chaos.
def beyond: [.rows[] | .title as $title | .disturbed.statistics[]? | select(.within | not) | {$title} + .]
    | table("scenario | statistic | packet level | fast-forward | bias | 95 % interval";
    "| \(.title) | \(.statistic) of \(.of) | \(.packet_ns | time) | \(.fast_ns | time) | \(.bias | sign) | \(if .interval then "\(.interval.low | sign) to \(.interval.high | sign)" else "-" end) |");

def measured: "\(.machine); load when a row ended: \([.rows[].machine_load] | "\(min) to \(max)"); commits:", "",
    ([.rows[] | {code, day: .date[:10]}] | group_by(.code)[]
     | "- \(.[0].code), \(map(.day) | unique | join(", ")): \(length) row\(if length == 1 then "" else "s" end)");

if $group == "measured" then measured
elif $group == "readme" then .rows | readme
elif $group == "beyond" then beyond
else
    .quick as $quick
    | def part(table): [table] | if length > 0 then "", .[] else empty end;
    .rows | map(select(.group == $group and .complete))
    | if $group == "alone" then part(alone) elif $group == "again" then part(again)
      elif $group | IN("ablation", "sweep", "coupling") then part(variants)
      else part(speeds), part(how), (if $quick then empty else part(asked) end) end
end
