#!/bin/sh
# SPDX-License-Identifier: MIT
# Words that this source once used in senses of its own, each with the word to use instead; see
# docs/glossary.md. usage: banned_words.sh SOURCE_DIR [FOLDER...]
# FOLDER: src, src/NAME, include, docs, top (the pages and scripts at the top), tests, scenes, bench.
# Sentences that go on in the next line of a comment or paragraph are joined first. Besides, few comments of
# src and include may open with What, Whether, How or Of: say the subject (docs/glossary.md).
# (The patterns are written so that they do not match themselves. A name is split at its underscores.)
set -u
root=$1
shift
faults=0
cd "$root" || exit 1
folders=${*:-docs top include scenes bench tests $(echo src/*/ | sed 's,/\( \|$\),\1,g')}

# Everywhere: extended regular expression, a tab, what to write instead.
words="
cre[w]	workers
wis[h](es|ed)?	key, request
journe[y]s?	displacement, root motion
what [a-z ]+ is wha[t]	say which is which
(is|are|was|were|be|been|being) tol[d]	is reported, is given
unless tol[d]	by default
held agains[t]	compared with
of its own accor[d]	by itself
and else no[t]	otherwise not
in the place o[f]	instead of
besid[e]	with, next to, in addition to
tells? o[f]	reports, says
such as lea[d]	that lead
no matter o[f]	not affected by
the contrac[t]|contrac[t]\.md	name the page in docs
"
# In src and include only.
names="
rider[s]?	attachment
[a-z0-9]+_(leas[t]|mos[t])	_min, _max
(leas[t]|mos[t])_[a-z0-9]+	min_, max_
"

# files_of FOLDER
files_of() {
    case $1 in
    top) ls ./*.md setup.sh CMakeLists.txt 2>/dev/null ;;
    *) find "$1" -type f ! -path 'scenes/models/*' ! -path '*/corpus/*' ! -path '*/sysroot*' \
        \( -name '*.c' -o -name '*.h' -o -name '*.inl' -o -name '*.cpp' -o -name '*.md' \
        -o -name '*.sh' -o -name '*.yaml' -o -name '*.txt' -o -name '*.in' \) 2>/dev/null |
        LC_ALL=C sort ;;
    esac
}

# joined FILE...: FILE:LINE:TEXT of each comment, paragraph or other line.
joined() {
    awk 'function put() { if (text != "") print place ":" text; text = "" }
        { comment = $0 ~ /^[ \t]*(\/\/|#)/; prose = FILENAME ~ /\.md$/ && $0 ~ /^[A-Za-z ]/ }
        FNR == 1 || !(comment || prose) || !was { put() }
        {
            line = $0
            if (comment) sub(/^[ \t]*(\/\/+!?|#+) ?/, "", line)
            if (text == "") place = FILENAME ":" FNR
            text = text " " line
            was = comment || prose
        }
        END { put() }' "$@"
}

# search WHERE LIST FILE...: faults of these files, in their text (joined) or in their lines, where two names that only
# look like ours are left out.
search() {
    where=$1 table=$2
    shift 2
    [ "$where" != joined ] || text=$(joined "$@")
    while IFS="$(printf '\t')" read -r pattern instead; do
        [ -n "$pattern" ] || continue
        word="(^|[^a-zA-Z])($pattern)([^a-zA-Z]|\$)"
        case $where in
        joined) found=$(printf '%s\n' "$text" | grep -iE "$word") ;;
        lines) found=$(grep -nHiE "$word" "$@" | grep -viE '(^|[^a-z])at_(least|most)') ;;
        esac
        [ -n "$found" ] || continue
        printf '%s\n' "$found" | sed "s|^|banned_words: |; s|\$| (write: $instead)|"
        faults=$((faults + $(printf '%s\n' "$found" | wc -l)))
    done <<END
$table
END
}

# openings FILE...: at most 40 comments begin with a word that hides their subject.
openings() {
    found=$(awk '{ comment = $0 ~ /^[ \t]*\/\// }
        comment && !(was && FNR > 1) && /^[ \t]*\/\/+ (What|Whether|How|Of) / { print FILENAME ":" FNR ": " $0 }
        { was = comment && $0 !~ /SPDX|^[ \t]*\/\/+$/ }' "$@")
    [ "$(printf '%s\n' "$found" | wc -l)" -gt 40 ] || return 0
    printf '%s\n' "$found"
    echo "banned_words: more than 40 comments begin with What, Whether, How or Of (write: the subject)"
    faults=$((faults + 1))
}

everywhere="" own_names=""
for folder in $folders; do
    list=$(files_of "$folder")
    if [ -z "$list" ]; then
        echo "banned_words: no file was found in $folder: the search is broken"
        exit 1
    fi
    everywhere="$everywhere $list"
    case $folder in
    src* | include) own_names="$own_names $list" ;;
    esac
done
# shellcheck disable=SC2086
search joined "$words" $everywhere
# shellcheck disable=SC2086
[ -z "$own_names" ] || search lines "$names" $own_names
# shellcheck disable=SC2046,SC2086
openings $(printf '%s\n' $everywhere | grep -E '\.(c|h|inl|cpp)$')
# shellcheck disable=SC2086
files=$(printf '%s\n' $everywhere | wc -l)
[ "$faults" -eq 0 ] || exit 1
echo "banned_words: $files files of $folders use the common words"
