#!/usr/bin/env bash
# Runs the commands that documents show, compares what they print, and checks code and links.
set -uo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/check-docs.sh [--build BUILD] [DOCUMENT...]
       scripts/check-docs.sh --links [DOCUMENT...]

  DOCUMENT  Markdown or, by its ending, .rst; unless given all of the project
  --build   build folder, build/release unless given: its programs are on the PATH
  --links   checks that links inside the project lead to files and headings that exist, that files which the text names
            by their folder exist, that documents which it names at all are the project's (without DOCUMENT in
            comments of sources, too) and nothing outside it is named, and that ctest -R finds tests in BUILD;
            and nothing else

Each document is run in a folder of its own, which looks like the project's: folders to start from are copies,
sources are links, and nothing is in build/release but its programs.
Fenced blocks, in .rst those of ".. code-block:: LANGUAGE", count by their language:

  sh        commands; they must succeed, what they print does not matter
  console   commands behind "$ " (a line that ends in \ goes on), and under each what it prints, standard
            error included; blanks count as one. "~12.3 ms" stands for any number, with any unit if it has one;
            "..." in a line for anything, a line "..." for any number of lines
  cpp       code; needs one of the first two comments below
  others    are read by people alone; there must be a language, "text" if no other fits

A comment in the line above a block says more (in .rst ".. from FILE", and so on):

  <!-- from FILE -->            the block is part of FILE, line by line; indented as there or less
  <!-- not checked: REASON -->  it is not
  <!-- not run: REASON -->      commands that are not run
  <!-- exits with CODE -->      what the last command of the block exits with, if not 0
  <!-- file NAME -->            the block is written to NAME, as the reader is told to

and a comment anywhere

  <!-- shows all of FILE -->    the blocks from FILE are together all of it, in order, but for empty lines and
                                the comments before the first #include

Exits with 1 if anything is wrong.
TEXT
}

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$project/build/release
links=0
documents=()
while (($# > 0)); do
    case "$1" in
        --build) build=${2:?"--build needs a folder"}; shift ;;
        --links) links=1 ;;
        -h | --help) usage; exit 0 ;;
        -*) usage >&2; exit 2 ;;
        *) documents+=("$(realpath -- "$1")") ;;
    esac
    shift
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
wrong=0

# complain DOCUMENT LINE TEXT
complain() {
    echo "${1#"$project"/}:$2: $3" >&2
    wrong=1
}

# squeeze: standard input without the blanks that do not matter
squeeze() { sed -e 's/[[:blank:]]\+/ /g' -e 's/ $//'; }

# pattern TEXT: an extended regular expression for what TEXT shows
pattern() {
    local line result=
    while IFS= read -r line; do
        if [[ $line == ... ]]; then
            result+=$'([^\n]*\n)*'
        else
            result+=$(sed -E -e 's/~[0-9][0-9.,]*( ?(ns|us|ms|s|x|KiB|MiB|GiB)\b)?/\x01\2\x02/g' \
                -e 's/\.\.\./\x03/g' -e 's/[][\\.*^$+?(){}|]/\\&/g' -e 's/\x03/[^\n]*/g' \
                -e 's/\x01\x02/[0-9][0-9.,]*/g' -e 's/\x01[a-zA-Z]+\x02/[0-9][0-9.,]* ?[a-zA-Z]+/g' \
                <<< "$line")$'\n'
        fi
    done < <(squeeze <<< "$1")
    printf '^%s$' "$result"
}

# matches TEXT: whether it shows what is in $printed
matches() {
    [[ $(squeeze <<< "$printed")$'\n' =~ $(pattern "$1") ]]
}

# differences TEXT: the lines of TEXT that nothing in $printed matches, and all of $printed
differences() {
    local line one
    while IFS= read -r line; do
        one=$(pattern "$line") one=${one#^} one=${one%\$}
        [[ $'\n'$(squeeze <<< "$printed")$'\n' =~ $'\n'$one ]] || echo "    expected: $line"
    done <<< "$1"
    while IFS= read -r line; do
        echo "    printed:  $line"
    done <<< "$printed"
}

# run COMMANDS: in the folder of the document; what it printed is in $printed, its exit code in $code
run() {
    copy_project
    printed=$(cd "$folder" && PATH=$folder/build/release/bin:$PATH \
        timeout 300 bash -e -o pipefail -c "$1" 2>&1 < /dev/null)
    code=$?
}

# expect DOCUMENT LINE COMMANDS CODE [OUTPUT]: runs commands, and complains unless they end and print as said
expect() {
    run "$3"
    if ((code != $4)); then
        complain "$1" "$2" "exit code $code, not $4: $3"$'\n'"$printed"
    elif (($# > 4)) && ! matches "$5"; then
        complain "$1" "$2" "prints something else: $3"
        differences "$5" >&2
    fi
}

# session DOCUMENT LINE BLOCK CODE: the commands of a console block, the last of which ends with CODE
session() {
    local text command='' output='' at=0 number=$2 more=0
    while IFS= read -r text; do
        number=$((number + 1))
        if ((more == 1)); then
            command+=$'\n'$text
        elif [[ $text == '$ '* ]]; then
            [[ -z $command ]] || expect "$1" $at "$command" 0 "${output%$'\n'}"
            command=${text#'$ '} output='' at=$number
        else
            output+=$text$'\n'
            continue
        fi
        more=0
        [[ $text != *\\ ]] || more=1
    done < "$3"
    if [[ -z $command ]]; then
        complain "$1" "$2" "a console block without a command; commands begin with \"\$ \""
    else
        expect "$1" $at "$command" "$4" "${output%$'\n'}"
    fi
}

# from DOCUMENT LINE BLOCK FILE: whether the block is a part of FILE, perhaps indented more there
from() {
    local indent block
    if [[ ! -f $project/$4 ]]; then
        complain "$1" "$2" "there is no $4"
        return
    fi
    for indent in "" "    " "        "; do
        block=$(sed "s/^./$indent&/" "$3")
        if [[ $'\n'$(< "$project/$4")$'\n' == *$'\n'"$block"$'\n'* ]]; then
            grep -v '^$' <<< "$block" >> "$shown/$(tr / : <<< "$4")"
            return
        fi
    done
    complain "$1" "$2" "this is not in $4, line by line"
}

# check_all_shown DOCUMENT: the promises that all of a file is shown
check_all_shown() {
    local number file
    while IFS=: read -r number file; do
        file=${file#<!-- shows all of } file=${file% -->}
        if ! diff "$shown/$(tr / : <<< "$file")" <(sed -n '/^#include/,$p' "$project/$file" | grep -v '^$') >&2; then
            complain "$1" "$number" "does not show all of $file: lines with > are missing"
        fi
    done < <(grep -n '^<!-- shows all of .* -->$' "$1")
}

# check_block DOCUMENT LINE BLOCK LANGUAGE MARK
check_block() {
    local exit_code=0
    case "$5" in
        "not run: "?* | "not checked: "?*) return ;;
        "file "?*) write "$3" "${5#file }"; return ;;
        "from "?*) from "$1" "$2" "$3" "${5#from }"; return ;;
        "exits with "?*) exit_code=${5#exits with } ;;
    esac
    case "$4" in
        sh) expect "$1" "$2" "$(< "$3")" "$exit_code" ;;
        console) session "$1" "$2" "$3" "$exit_code" ;;
        cpp) complain "$1" "$2" "say where the code is from: <!-- from FILE -->, or <!-- not checked: REASON -->" ;;
        indented) complain "$1" "$2" "an indented command is not run; make it a fenced block, sh or console" ;;
        -) complain "$1" "$2" "a block without a language; text if no other fits" ;;
    esac
}

# write BLOCK NAME: as the reader is told to
write() {
    copy_project
    mkdir -p "$folder/$(dirname "$2")" && cp "$1" "$folder/$2"
}

# copy_project: into the folder in which a document is run, unless it is there. What is not built or written there, and what a
# reader may change, is copied; folders that are only read are links.
copy_project() {
    local entry
    [[ ! -d $folder ]] || return 0
    mkdir -p "$folder/build/release"
    for entry in "$project"/*; do
        case "$(basename "$entry")" in
            build | cmake-build-* | wormhole-out | wormhole-compare) ;;
            contrib | docs | test | wormhole-kernel) ln -s "$entry" "$folder/" ;;
            *) cp -r "$entry" "$folder/" ;;
        esac
    done
    ln -s "$(realpath "$build")/bin" "$folder/build/release/bin"
    ln -s release "$folder/build/kernel" # where the kernel's document builds the same programs
}

# check_document DOCUMENT: in a copy of the project
check_document() {
    local number line language mark
    folder=$scratch/run shown=$scratch/shown
    rm -rf "$folder" "$shown" "$scratch/blocks"
    mkdir -p "$shown" "$scratch/blocks"
    : > "$scratch/blocks/list"
    awk -v folder="$scratch/blocks" -f "$project/scripts/check-docs-blocks.awk" "$1"
    while read -r number line language mark <&3; do
        check_block "$1" "$line" "$scratch/blocks/$number" "$language" "$mark"
    done 3< "$scratch/blocks/list"
    check_all_shown "$1"
}

# anchors DOCUMENT: those of its headings, as GitHub makes them, in $anchors
declare -A known_anchors
anchors() {
    anchors=${known_anchors[$1]-}
    [[ -z $anchors ]] || return 0
    anchors=$(awk '
        /^ *```/ { inside = !inside }
        !inside && /^#+ / {
            slug = tolower($0)
            sub(/^#+ +/, "", slug); sub(/ +#* *$/, "", slug)
            while (match(slug, /\]\([^)]*\)/)) slug = substr(slug, 1, RSTART) substr(slug, RSTART + RLENGTH)
            gsub(/[]!-,.\/:-@[\\^`{-~]/, "", slug); gsub(/ /, "-", slug)
            print slug (seen[slug]++ ? "-" seen[slug] - 1 : "")
        }' "$1")
    known_anchors[$1]=$anchors
}

# check_links DOCUMENT
check_links() {
    local line target file anchor anchors
    while IFS=$'\t' read -r line target; do
        file=${target%%#*} anchor=
        [[ $target != *'#'* ]] || anchor=${target#*#}
        file=${1%/*}/${file:-${1##*/}}
        if [[ ! -e $file ]]; then
            complain "$1" "$line" "the link to $target leads to no file"
        elif [[ -n $anchor && $file == *.md ]]; then
            anchors "$file"
            [[ $'\n'$anchors$'\n' == *$'\n'"$anchor"$'\n'* ]] \
                || complain "$1" "$line" "the link to $target leads to no heading; there are: ${anchors//$'\n'/ }"
        fi
    done < <(awk '
        /^ *```/ { inside = !inside }
        !inside && !/^    / {
            text = $0; gsub(/`[^`]*`/, "", text)
            while (match(text, /\]\([^) ]+\)/)) {
                target = substr(text, RSTART + 2, RLENGTH - 3); text = substr(text, RSTART + RLENGTH)
                if (target !~ /^[a-z]+:/) print NR "\t" target
            }
        }' "$1")
}

# exists FOLDER NAMES: whether there are such files; "*" and words in capitals stand for anything, "{a,b}" for both
exists() {
    [[ -e $1/$2 ]] || exist_all "$@"
}
exist_all() (
    cd "$1" || exit
    for name in $(eval "echo $(sed -E 's/[A-Z]{2,}/*/g' <<< "$2")"); do
        compgen -G "$name" > /dev/null || exit 1
    done
)

# check_names DOCUMENT: files by their folder, but in blocks, which are run, or if the reader is to write them
check_names() {
    local line name folders
    folders=$(cd "$project" && printf '%s|' */) folders=${folders//build\/|/}
    while IFS=: read -r line name; do
        if ! exists "$project" "$name" && ! exists "${1%/*}" "$name" && ! grep -Fq "file $name -->" "$1"; then
            complain "$1" "$line" "there is no $name"
        fi
    done < <(awk '/^ *```/ { inside = !inside } { print inside ? "" : $0 }' "$1" \
        | grep -noP "(?<![\w./-])(${folders%|})([\w./*-]|\{[\w,.-]*\})*(?<=[\w/*}])")
}

# prose FILE: each line of a document without the targets of links, and of a source its comment; empty where it has none
prose() {
    case "$1" in
        *.md | *.rst) awk '/^ *```/ { inside = !inside } { gsub(/\]\([^)]*\)/, "]"); print inside ? "" : $0 }' "$1" ;;
        *.cc | *.h) awk '{ print match($0, /\/\/.*|^ *\/?\*.*/) ? substr($0, RSTART) : "" }' "$1" ;;
        *) awk '{ print match($0, /(^|[[:blank:]])#.*/) ? substr($0, RSTART) : "" }' "$1" ;;
    esac
}

# check_mentions FILE: documents without their folder, and what lies outside the project
check_mentions() {
    local line name
    while IFS=: read -r line name; do
        if [[ $'\n'$known_documents$'\n' != *$'\n'${name##*/}$'\n'* ]] && ! grep -Fq "file $name -->" "$1"; then
            complain "$1" "$line" "the project has no document $name"
        fi
    done < <(prose "$1" | grep -noP '[\w./-]*\w\.(md|rst)\b')
    [[ $1 == *.md || $1 == *.rst ]] || return
    while IFS=: read -r line name; do
        if [[ $(realpath -m "$(dirname "$1")/$name") != "$project"/* ]]; then
            complain "$1" "$line" "$name is outside the project"
        fi
    done < <(prose "$1" | grep -noP '(?<![\w./])(\.\./)+[\w./-]*')
}

# check_tests DOCUMENT: what ctest -R is given
check_tests() {
    local line expression
    while IFS=: read -r line expression; do
        expression=${expression//\'/}
        if ! grep -Eq -- "${expression//\\|/|}" <<< "$tests"; then
            complain "$1" "$line" "no test has a name with $expression"
        fi
    done < <(grep -noP "ctest [^\`|]*?-R \K('[^']+'|[^ \`|)#]+)" "$1")
}

sources=()
if ((${#documents[@]} == 0)); then
    mapfile -t sources < <(grep -rlE '\.(md|rst)\b' "$project" --exclude-dir=build --include='*.cc' --include='*.h' \
        --include='*.sh' --include='*.py' --include=CMakeLists.txt --include='*.cmake' | sort)
    mapfile -t documents < <(find "$project" -path "$project/build" -prune -o '(' -name '*.md' -o -name '*.rst' ')' -print | sort)
fi
if ((links == 0)) && [[ ! -x $build/bin/wormhole ]]; then
    echo "check-docs: $build/bin/wormhole is missing; build it first: cmake --preset release && cmake --build --preset release" >&2
    exit 2
fi
tests=
if ((links == 1)); then
    known_documents=$(find "$project" -path "$project/build" -prune -o '(' -name '*.md' -o -name '*.rst' ')' -printf '%f\n')
    tests=$(ctest --test-dir "$build" --show-only 2> /dev/null | sed -n 's/^ *Test *#[0-9]*: //p')
    if [[ -z $tests || $tests == *_NOT_BUILT* ]]; then
        echo "check-docs: names of tests are not checked, since not all of them are built in $build" >&2
        tests=
    fi
fi
for document in "${documents[@]}"; do
    if [[ ! -f $document ]]; then
        echo "check-docs: there is no $document" >&2
        exit 2
    fi
    if ((links == 1)); then
        check_links "$document"
        check_names "$document"
        check_mentions "$document"
        [[ -z $tests ]] || check_tests "$document"
    else
        begin=$SECONDS
        check_document "$document"
        echo "${document#"$project"/}: $((SECONDS - begin)) s"
    fi
done
if ((links == 1)); then
    for source in "${sources[@]}"; do
        check_mentions "$source"
    done
fi
exit $wrong
