#!/usr/bin/env bash
# Formatting (clang-format) and static analysis (cppcheck, clang-tidy) of our own sources, and tests that never run.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/lint.sh [--all | --product | --since COMMIT | --ci]

  --all           clang-tidy on all files (the default)
  --product       clang-tidy on all files but tests
  --since COMMIT  clang-tidy only on files that differ from COMMIT, and on NAME.cc where NAME.h does
  --ci            what scripts/test.sh has time for, of the product: files that differ from where this branch left
                  main (on main itself, from the commit before), of more than 40 every second or third; and every
                  32nd of the others, the next ones with the next commit

Formatting and cppcheck always cover everything. Exits with 1 if anything is found.
TEXT
}

since=
some=
leave_out='^$'
case "${1:---all}" in
    --all) ;;
    --product) leave_out='(^|/)test/' ;;
    --since) since=${2:?"--since needs a commit"} ;;
    --ci) some=yes; leave_out='(^|/)test/' ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
esac

cd "$(dirname "${BASH_SOURCE[0]}")/.."
folders=()
for folder in contrib scratch test wormhole-kernel cmake; do
    [[ -d $folder ]] && folders+=("$folder")
done
mapfile -t files < <(find "${folders[@]}" -type f \( -name '*.cc' -o -name '*.h' \) | sort)
# Each file by itself, and without precompiled headers of GCC, which clang cannot read.
cmake --preset release -B build/lint -D CMAKE_UNITY_BUILD=OFF -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
    -D WORMHOLE_DOWNLOADS="$PWD/build/release/downloads" > /dev/null
database=build/lint/compile_commands.json
# Our sources include generated ones, which are themselves held to no rules.
mapfile -t generated < <(sed -n 's|.*"file": "'"$PWD"'/build/lint/\(generated/.*\)",*$|\1|p' "$database")
for file in "${generated[@]}"; do
    cmake --build build/lint --target "$file" > /dev/null
done

failed=()

echo "== clang-format (${#files[@]} files)"
clang-format --dry-run -Werror "${files[@]}" || failed+=(clang-format)

echo "== cppcheck"
cppcheck --quiet --std=c++17 --language=c++ --inline-suppr --error-exitcode=1 \
    --enable=warning,performance,portability \
    --suppressions-list=.cppcheck-suppressions \
    -j "$(nproc)" -I build/lint/include "${files[@]}" || failed+=(cppcheck)

echo "== cases that no suite runs"
unlisted=$(grep -oE '^RDMA_TEST\(\w+' contrib/*/test/*-test.cc contrib/*/test/*/*-test.cc | while IFS='(:' read -r file _ name; do
    [[ $(grep -cw "$name" "$file") -gt 1 ]] || echo "$file: $name"
done)
[[ -z $unlisted ]] || { echo "$unlisted" >&2; failed+=("cases that no suite runs"); }

# Only files with a compile command of their own can be analysed; headers come with them.
mapfile -t compiled < <(sed -n 's|.*"file": "'"$PWD"'/\(.*\)",*$|\1|p' "$database" | sort -u \
    | grep -Ev "^build/|$leave_out")

# The commit that a change is judged against: where HEAD left main, else the one before HEAD, if any.
base() {
    local ref base
    for ref in origin/main main; do
        base=$(git merge-base HEAD "$ref" 2> /dev/null) || continue
        if [[ $base != "$(git rev-parse HEAD)" ]]; then
            echo "$base"
            return
        fi
    done
    git rev-parse --quiet --verify HEAD~1 || true
}

# differ_from COMMIT: those of the files to analyse that differ from it, or whose headers do.
differ_from() {
    { git diff --name-only --diff-filter=d "$1"; git ls-files --others --exclude-standard; } \
        | sed 's|.*/\([^/]*\)\.h$|/\1.cc|' | grep -F -f - <(printf '%s\n' "${compiled[@]}") || true
}

if [[ -n $since ]]; then
    mapfile -t compiled < <(differ_from "$since")
elif [[ -n $some ]]; then
    base=$(base)
    changed=()
    [[ -z $base ]] || mapfile -t changed < <(differ_from "$base")
    turn=$(git rev-list --count HEAD 2> /dev/null || echo 0)
    # in_turn PARTS FILE...: one of so many files, another with the next commit.
    in_turn() {
        printf '%s\n' "${@:2}" | awk -v turn="$turn" -v parts="$1" 'NR % parts == turn % parts'
    }
    parts=$(((${#changed[@]} + 39) / 40)) # a change may be large, and time is not
    echo "== clang-tidy: ${#changed[@]} files differ from ${base:-nothing}, one in ${parts} of them; one in 32 of all"
    mapfile -t compiled < <({
        ((parts == 0)) || in_turn "$parts" "${changed[@]}"
        in_turn 32 "${compiled[@]}"
    } | sort -u)
fi
echo "== clang-tidy (${#compiled[@]} files)"
if ((${#compiled[@]} > 0)); then
    printf '%s\0' "${compiled[@]}" \
        | xargs -0 -n 1 -P "$(nproc)" clang-tidy --quiet --warnings-as-errors='*' --extra-arg=-Wno-unknown-warning-option -p build/lint \
            2> >(grep -v 'warnings\? generated\|^Suppressed\|^Use -header-filter' >&2) \
        || failed+=(clang-tidy)
fi

if ((${#failed[@]} > 0)); then
    echo "lint: failed: ${failed[*]}" >&2
    exit 1
fi
echo "lint: nothing found"
