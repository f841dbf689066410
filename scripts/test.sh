#!/usr/bin/env bash
# Installs what is missing, builds, and runs the checks of the project. After ctest's summary of the full run of
# the release build, which comes last, follow the time of each stage, and the most telling lines of each
# that failed, about 50 in all, for who sees only the end of the output; the exit status is 1 then. The
# whole output of each stage is in build/log.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

scripts/install-deps.sh test || exit 1

logs=build/log
mkdir -p "$logs"
failed=()
failed_logs=()
times=()

# Runs one stage; the others still run if it fails, so that one report shows everything.
stage() {
    local log="$logs/$1.log" name=$2 start=$SECONDS
    shift 2
    echo
    echo "== $name"
    local end="passed in"
    if ! "$@" 2>&1 | tee "$log"; then
        end="FAILED after"
        failed+=("$name")
        failed_logs+=("$log")
    fi
    times+=("$name: $end $((SECONDS - start)) s")
    echo "== ${times[-1]}"
}

build() {
    cmake --preset "$1" > /dev/null && cmake --build --preset "$1"
}

test_preset() {
    ctest --preset "$1" --parallel "$(nproc)" "${@:2}"
}

# Of the tests that start the program, every third one starts that of this build; the others with the next commits.
asan() {
    local status=0 turn
    build asan || return
    turn=$(git rev-list --count HEAD 2> /dev/null || echo 0)
    test_preset asan || status=1
    test_preset asan-programs -I "$((turn % 3 + 1)),,3" || status=1
    return "$status"
}

tsan() {
    build tsan && test_preset tsan
}

# Why a stage failed: the names of the tests that failed, and what compilers, linters, sanitizers and
# tests call an error, each with what follows it; if there is neither, the last lines. At most so many
# lines, of at most 160 characters.
telling_lines() {
    local log=$1 most=$2 plain errors
    # Without colours, and without what ctest and GoogleTest say of every test.
    plain=$(sed -e 's/\x1b\[[0-9;]*[mK]//g' -e 's/\.\.\.\.\.*/ ... /' "$log" \
        | grep -Ev -e ' Passed +[0-9.]+ sec$' -e '^ *Start +[0-9]+: ' -e '^\[[0-9]+/[0-9]+\] ' \
            -e '^Running main\(\)' -e '^Note: Google Test' -e '^\[(=|-| RUN)' -e '^ *$')
    errors=$(grep -E -A 5 --no-group-separator \
        -e '(error|warning|performance|portability): ' -e '^FAILED: ' -e 'CMake Error' \
        -e 'ERROR: (Address|Leak|libFuzzer)' -e ': Failure$' \
        -e '\*\*\*(Failed|Timeout|Exception|Not Run)' -e 'terminate called' <<< "$plain" \
        || tail -n "$most" <<< "$plain")
    {
        sed '1,/^The following tests FAILED/d' <<< "$plain" | grep -E '^\s+[0-9]+ - ' | head -n $((most / 3))
        printf '%s\n' "$errors"
    } | head -n "$most" | cut -c 1-160 | sed 's/^/  /'
}

# Most of the time goes to the release build and to the stage under address sanitizers.
stage release "release build" build release
stage lint "lint" scripts/lint.sh --ci
stage asan "all but slow tests as C++23, a third of the quick tests of the program, and fuzzing under address and undefined-behaviour sanitizers" \
    asan
stage tsan "what has threads as C++20 under the thread sanitizer" tsan
stage all "all tests" test_preset release

echo
printf '%s\n' "${times[@]/#/test.sh: }" "test.sh: $((SECONDS / 60)) minutes in all"
for i in "${!failed[@]}"; do
    echo
    echo "test.sh: failed: ${failed[i]}; from ${failed_logs[i]}:"
    telling_lines "${failed_logs[i]}" $((48 / ${#failed[@]} < 24 ? 48 / ${#failed[@]} : 24))
done
((${#failed[@]} == 0))
