# Of the file of rows, the row $name, with the words for wormhole; with $quick at a tenth of its size;
# $runs unless the row says how often.

def tenth(text): text | capture("^(?<number>[0-9]+)(?<unit>.*)$")
    | if (.number | tonumber) % 10 == 0 then "\((.number | tonumber) / 10)\(.unit)" else text end;
def size(text): if $quick == 1 then tenth(text) else text end;
def divisor(number): if $quick == 1 then number * 10 else number end;

# The scenario's words, and the name under which its packet level is kept.
def scenario($all; $row):
    ($row.scale // 1 | divisor(.)) as $scale
    | ($row.duration // "" | if . == "" then . else size(.) end) as $duration
    | ($row.bytes // "" | if . == "" then . else size(.) end) as $bytes
    | {words: ($all[$row.scenario]
               | sub("SCALE"; $scale | tostring) | sub("DURATION"; $duration) | sub("BYTES"; $bytes)
               | split(" ")),
       packet: ([$row.scenario, (if $row.scale then "scale-\($scale)" else empty end),
                 (if $duration != "" then $duration else empty end),
                 (if $bytes != "" then $bytes else empty end)] | join("-"))};

.scenarios as $all
| [.rows[] | select(.name == $name)][0]
| select(. != null)
| . as $row
| {name, title, group: (.group // "table"), seeds: (.seeds // 1), runs: (.runs // $runs), memo: (.memo // false),
   in_turn: (.in_turn // false), only_fast: (.only_fast // false),
   fast_words: [(.fast // "" | split(" ")[]) | "--fast", .],
   required: (.required // {}), target: (.target // {})}
  + scenario($all; $row)
  + (if .priced_by then {packet: scenario($all; .priced_by).packet} else {} end)
