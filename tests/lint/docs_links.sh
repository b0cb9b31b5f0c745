#!/bin/sh
# SPDX-License-Identifier: MIT
# Links of the documentation: every relative link leads to a file, and its fragment to a heading of that
# page; files named in the text exist. Every page of docs/ has a table of contents that names all its
# parts ("## ..."), the README has at most 200 lines, fenced blocks name their language, and the table
# of folders in docs/architecture.md is the law of includes. usage: docs_links.sh SOURCE_DIR
set -u
root=$1
here=$(cd "$(dirname "$0")" && pwd)
faults=0
links=0
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$root" || exit 1

fault() {
    echo "docs_links: $1"
    faults=$((faults + 1))
}

# prose PAGE: its lines outside of fenced blocks, without `code`.
prose() { awk '/^```/ { inside = !inside; next } !inside' "$1" | sed 's/`[^`]*`/code/g'; }

# anchors PAGE: the fragments of its headings, made as GitHub makes them.
anchors() {
    awk '/^```/ { inside = !inside; next } !inside && /^#+ /' "$1" |
        sed 's/^#* //' | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-'
}

pages=$(ls ./*.md docs/*.md docs/examples/*.md bench/*.md tests/*.md tests/*/*.md 2>/dev/null)
if [ -z "$pages" ]; then
    echo "docs_links: no page was found below $root: the search is broken"
    exit 1
fi
for page in $pages; do
    folder=$(dirname "$page")
    for target in $(prose "$page" | grep -o '](\([^) ]*\))' | sed 's/^](//; s/)$//'); do
        case $target in http://* | https://* | mailto:*) continue ;; esac
        links=$((links + 1))
        path=${target%%#*}
        [ -n "$path" ] && path=$folder/$path || path=$page
        if [ ! -e "$path" ]; then
            fault "$page: $target: no such file"
            continue
        fi
        case $target in
        *#*) anchors "$path" | grep -qxF -- "${target#*#}" ||
            fault "$page: $target: no such heading" ;;
        esac
    done
    awk '/^```/ { inside = !inside; if (inside && $0 == "```") print FNR }' "$page" |
        while read -r line; do echo "docs_links: $page:$line: a block without a language"; done |
        grep . && faults=$((faults + 1))
    # Files that a page names exist. Names with a capital word or a wildcard stand for many.
    for path in $(awk '/^```/ { inside = !inside; next } !inside' "$page" | grep -o '`[^` ]*`' |
        tr -d '`' | grep -E '^(src|include|tests|scenes|docs|cmake|bench|golden)/' | grep -v '[*<{A-Z]'); do
        links=$((links + 1))
        [ -e "${path%%:*}" ] || fault "$page: $path: no such file"
    done
    case $page in
    docs/*)
        for anchor in $(awk '/^```/ { inside = !inside; next } !inside && /^## /' "$page" |
            sed 's/^#* //' | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-'); do
            grep -qF "](#$anchor)" "$page" || fault "$page: the table of contents lacks #$anchor"
        done ;;
    esac
done

# The table of folders and the law of the lint are one.
if [ -f docs/architecture.md ]; then
    sh "$here/includes.sh" . law | sed 's/: */:/' | LC_ALL=C sort >"$scratch/law"
    sed -n '/^<!-- law of includes -->$/,/^<!-- end of the law -->$/p' docs/architecture.md |
        sed -n 's/^| `src\/\([a-z0-9]*\)` |[^|]*| *\([a-z0-9 ]*[a-z0-9]\)* *|$/\1:\2/p' |
        LC_ALL=C sort >"$scratch/table"
    if ! diff "$scratch/law" "$scratch/table"; then
        fault "docs/architecture.md: the table of folders differs from the law in tests/lint/includes.sh"
    fi
fi
# The files of the walk in docs/architecture.md are in the folders that it names.
if [ -f docs/architecture.md ]; then
    for path in $(awk '/^```/ { inside = !inside; folder = ""; next }
        inside { for (i = 1; i <= NF; i++) {
            if ($i ~ /^src\//) folder = $i
            gsub(/[:,]$/, "", $i)
            if (folder != "" && $i ~ /^[a-z0-9_]+\.(c|h|inl)$/) print folder "/" $i } }' docs/architecture.md); do
        links=$((links + 1))
        [ -e "$path" ] || fault "docs/architecture.md: $path: no such file"
    done
fi
if [ -f README.md ] && [ "$(wc -l <README.md)" -gt 200 ]; then
    fault "README.md: $(wc -l <README.md) lines (at most 200 were expected)"
fi

[ "$faults" -eq 0 ] || exit 1
echo "docs_links: $links links of $(printf '%s\n' "$pages" | wc -l) pages lead somewhere"
