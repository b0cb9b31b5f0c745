#!/bin/sh
# SPDX-License-Identifier: MIT
# Marks that must not stay in the tree. usage: words.sh SOURCE_DIR
# (The patterns are written so that they do not match themselves.)
set -u
root=$1
faults=0
cd "$root" || exit 1

text_files() {
    find src include tests bench scenes cmake docs ./*.md ./*.txt ./*.json -type f \
        ! -path 'scenes/models/*' ! -path '*/corpus/*' \
        \( -name '*.c' -o -name '*.h' -o -name '*.inl' -o -name '*.sh' -o -name '*.py' \
        -o -name '*.cmake' -o -name '*.txt' -o -name '*.md' -o -name '*.yaml' -o -name '*.json' \) \
        2>/dev/null | LC_ALL=C sort
}
c_files() { text_files | grep -E '\.(c|h|inl)$'; }

# fault WHAT: the lines on standard input, if any, are faults.
fault() {
    found=$(cat)
    [ -n "$found" ] || return 0
    printf '%s\n' "$found" | sed "s|^|words: $1: |"
    faults=1
}

if [ -z "$(c_files)" ]; then
    echo "words: no file was found below $root: the search is broken"
    exit 1
fi

fault "unfinished" <<EOF
$(text_files | xargs grep -nE '\<(TO[D]O|FIX[M]E|XX[X]|HAC[K])\>')
EOF
fault "trailing space" <<EOF
$(text_files | xargs grep -nE '[[:blank:]]+$')
EOF
fault "prose of more than 120 columns" <<EOF
$(text_files | grep '\.md$' | xargs awk '
    FNR == 1 { code = 0 }
    /^```/ { code = !code }
    !code && length > 120 && !/^[|<]/ { print FILENAME ":" FNR }')
EOF
fault "tab" <<EOF
$(c_files | xargs grep -n "$(printf '\t')")
EOF
fault "path of one machine" <<EOF
$(text_files | xargs grep -nE '(^|[^A-Za-z0-9_.$}/])/(wor[k]|hom[e]|roo[t]|var/tm[p]|Use[r]s)/')
EOF
fault "carriage return or invisible character" <<EOF
$(text_files | LC_ALL=C xargs grep -nE "$(printf '\r|\357\273\277|\342\200[\213-\217\252-\256]')")
EOF
fault "makes Criterion exit with 1; print a skip to stderr instead" <<EOF
$(c_files | xargs grep -nE 'cr_log_(war[n]|erro[r])')
EOF
fault "no newline at the end" <<EOF
$(# one process for all; one for each only if some file has none
    [ "$(text_files | xargs tail -qc 1 | wc -l)" -eq "$(text_files | xargs wc -c | awk '$1 > 0 && $2 != "total"' | wc -l)" ] ||
    text_files | while IFS= read -r file; do
        [ -s "$file" ] && [ -n "$(tail -c 1 "$file")" ] && echo "$file"
    done)
EOF
fault "first line is not the licence" <<EOF
$(c_files | xargs awk 'FNR == 1 && $0 != "// SPDX-License-Identifier: MIT" { print FILENAME }')
EOF
[ "$faults" -eq 0 ] || exit 1
echo "words: $(text_files | wc -l) files are clean"
