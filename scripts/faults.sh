#!/usr/bin/env bash
# The fault matrix (test/faults/README.md): builds it, and runs all of it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'TEXT'
usage: scripts/faults.sh [release | asan | turn]

  release   all faults, on the optimised program (the default): some minutes
  asan      the 100 random runs with the address and undefined-behaviour sanitizers
  turn      20 of the slow faults, of every kind, others with the next commit
TEXT
}

preset=${1:-release}
case $preset in
    release) filter='*' ;;
    asan) filter='*RandomRuns*' ;;
    turn) preset=release filter= ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
esac

cmake --preset "$preset" > /dev/null
cmake --build --preset "$preset" --target faults_test
program=build/$preset/bin/faults_test
if [[ -z $filter ]]; then
    mapfile -t slow < <("$program" --gtest_list_tests --gtest_filter='Slow*' \
        | awk '/^[^ ]/ { suite = $1 } /^  / { print suite $1 }' | grep '^Slow')
    turn=$(git rev-list --count HEAD 2> /dev/null || echo 0)
    for ((i = 0; i < 20; ++i)); do
        filter+=${slow[(turn + i * ${#slow[@]} / 20) % ${#slow[@]}]}:
    done
fi
"$program" --gtest_filter="$filter" --gtest_brief=1
