# For scripts/check-docs.sh: takes the blocks out of a document, Markdown or, by its ending, .rst. Each block's text
# goes to `folder`/1, `folder`/2... and to `folder`/list a line each: number, line before its text, language or -,
# and what the comment above it says.

function begin(line, language) {
    file = folder "/" ++n
    printf "" > file
    print n, line, language == "" ? "-" : language, mark > (folder "/list")
    inside = 1
    mark = ""
}

function end() {
    close(file)
    inside = 0
    empty = ""
}

BEGIN { rst = ARGV[1] ~ /\.rst$/ }

# A block of .rst ends at the first line that is indented no deeper than what announced it; empty lines at its
# end are not its own.
rst && awaited && /[^ ]/ {
    indent = match($0, /[^ ]/) - 1
    if (indent > outer) {
        begin(NR - 1, language)
    }
    awaited = 0
}
rst && inside && /[^ ]/ && match($0, /[^ ]/) - 1 <= outer { end() }
rst && inside {
    if (/[^ ]/) {
        print empty substr($0, indent + 1) > file
        empty = ""
    } else {
        empty = empty "\n"
    }
    next
}
rst && /^ *\.\. (code-block|sourcecode)::/ {
    outer = match($0, /\./) - 1
    language = $3
    awaited = 1
    next
}
rst && /^ *\.\. [^:]+(: .*)?$/ { mark = $0; sub(/^ *\.\. /, "", mark); next }
rst && /::$/ { outer = match($0, /[^ ]/) - 1; language = ""; awaited = 1; next }
rst { if (/[^ ]/) mark = ""; next }

inside && /^ *```$/ { end(); next }
inside { print substr($0, indent + 1) > file; next }
/^ *```/ { indent = match($0, /`/) - 1; begin(NR, substr($0, indent + 4)); next }
/^ *<!-- .* -->$/ { mark = $0; sub(/^ *<!-- /, "", mark); sub(/ -->$/, "", mark); next }
{ mark = "" }
/^    +(\$ )?(\.\/|build\/|scripts\/|bench-|wormhole |cmake |ctest |cd |sudo )/ && before == "" {
    print 0, NR, "indented", "" > (folder "/list")
}
{ before = $0 }
