#!/usr/bin/env bash
# Line coverage of wormhole-kernel by its own unit tests.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/coverage.sh [BUILD]

  BUILD  build folder, build/coverage unless given

Builds wormhole-kernel alone (no ns-3), as C++23, runs its tests, and prints for each file how many of its lines they
run, and which they do not. Exits with 1 if a test fails or less than 95 % of the lines are run.
TEXT
}

case "${1:-}" in
    -h | --help) usage; exit 0 ;;
    -*) usage >&2; exit 2 ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$(realpath -m "${1:-build/coverage}")
command -v jq > /dev/null || { echo "coverage.sh: needs jq: apt-get install jq" >&2; exit 1; }

cmake -S wormhole-kernel -B "$build" -G Ninja -D CMAKE_BUILD_TYPE=Debug -D WORMHOLE_WERROR=OFF -D CMAKE_CXX_STANDARD=23 \
    -D CMAKE_CXX_FLAGS_DEBUG='-O1 --coverage' > /dev/null
cmake --build "$build" --target kernel-test
find "$build" -name '*.gcda' -delete
# Not by ctest: with a process for each test, most of the time would go into adding up counts.
GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=1 "$build"/bin/kernel-test --gtest_brief=1 &
GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=0 "$build"/bin/kernel-test --gtest_brief=1
wait $!

# A line of a header counts as run if any source that includes it runs it.
(cd "$build" && find . -name '*.gcda' -exec gcov --stdout --json-format {} + 2> /dev/null) \
    | jq --slurp --raw-output '
        [.[].files[] | select(.file | test("wormhole-kernel/(src|include)/"))
         | .file as $file | .lines[] | {file: $file, line: .line_number, count}]
        | group_by(.file) | map({
            file: (.[0].file | sub(".*wormhole-kernel/"; "")),
            lines: (group_by(.line) | map({line: .[0].line, run: (map(.count) | max > 0)}))})
        | (.[] | "\(100 * (.lines | map(select(.run)) | length) / (.lines | length) | floor) %\t"
                 + .file + (.lines | map(select(.run | not).line | tostring)
                            | if length > 0 then "\tnot run: " + join(" ") else "" end)),
          ((map(.lines[]) | {run: (map(select(.run)) | length), all: length})
           | "\(1000 * .run / .all | floor | . / 10) % of \(.all) lines are run",
             if .run < 0.95 * .all then "coverage.sh: less than 95 %\n" | halt_error(1) else empty end)'
