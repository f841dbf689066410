# The rows of test/bench/fast-forward-rows.txt (jq -R -n), as JSON: their words for wormhole, at their size or with
# $quick at the smaller one, without those that are not part of it. $data and $work: see there.

[inputs | select(test("^(#|$)") | not) | [splits(" *\\| *")]]
| .[0] as $names
| [.[1:][] | [$names, .] | transpose | map({(.[0]): .[1]}) | add]
| map(select($quick == 0 or .quick != "") | if $quick == 1 then .title += (if .size == .quick then "" else " [\(.quick) for \(.size)]" end) | .size = .quick
          | .runs = "1" | .disturb = (if .disturb == "" then "" else "2" end)
      else . end)
| (map({(.name): .}) | add) as $all
| def words: .size as $size | .words | gsub("SIZE"; $size) | gsub("DATA"; $data) | gsub("WORK"; $work);
def packet: .name + (if .size == "" then "" else "-" + .size end);
def bounds: [splits(" +") | select(. != "") | split("=") | {(.[0]): (.[1] // "1" | tonumber)}] | add // {};
map(((.words | capture("^as (?<of>[^ ]+) ?(?<fast>.*)$")) // {}) as {$of, $fast}
    | ($all[$of // ""] // .) as $base
    | ($base | words | capture("^(?<run>.*?)(?<alone> alone| priced by (?<row>[^ ]+))?$")) as $parts
    | {name, title, must: (.must | bounds), aim: (.aim | bounds), runs: (.runs | tonumber),
       group: (.group | rtrimstr("*")), readme: (.group | endswith("*")),
       disturb: (.disturb | if . == "" then 0 else tonumber end),
       in_turn: ($of == null), store: ($fast == "with store"), alone: ($parts.alone != null),
       packet: (if $parts.row then $all[$parts.row] | packet else $base | packet end),
       words: [$parts.run | splits(" +")],
       fast_words: [$fast // "" | select(. != "with store") | splits(" +") | select(. != "")]})
