#!/bin/sh
# SPDX-License-Identifier: MIT
# Each field of zt_shot_def is a row of the table in src/shot/shot_fields.c. usage: shot_fields.sh SOURCE_DIR
set -u
header=$1/include/zoetrope/zoetrope.h
table=$1/src/shot/shot_fields.c

# The names in each declaration of the struct, without comments and types.
fields=$(awk '/^typedef struct zt_shot_def \{/ { inside = 1; next } /^\} zt_shot_def;/ { inside = 0 }
    inside { sub(/\/\/.*/, ""); line = line " " $0 } END { print line }' "$header" |
    tr ';' '\n' | sed -E 's/^ *(const )?[a-z0-9_]+ +\*?//' | tr ',' '\n' | tr -d ' ' |
    grep -v '^$' | grep -v '^cookie_$')
[ "$(printf '%s\n' "$fields" | wc -l)" -gt 20 ] || {
    echo "shot_fields: no fields were found in $header: the search is broken"
    exit 1
}
faults=0
for field in $fields; do
    grep -qE "\((SHOT_[A-Z]+, )?$field[,)]" "$table" || {
        echo "shot_fields: $field has no row in src/shot/shot_fields.c"
        faults=1
    }
done
rows=$(grep -cE '^    \{"' "$table")
[ "$rows" = "$(printf '%s\n' "$fields" | wc -l)" ] || {
    echo "shot_fields: $rows rows are not as many as the fields"
    faults=1
}
[ "$faults" = 0 ] || exit 1
echo "shot_fields: $(printf '%s\n' "$fields" | wc -l) fields have rows"
