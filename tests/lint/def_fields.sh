#!/bin/sh
# SPDX-License-Identifier: MIT
# Each field of zt_shot_def, zt_load_def and zt_encode_def is a row of its table in
# src/base/def_tables.c. The library reads each of zt_load_def, and each of zt_instance_def is in
# the key of its scene. usage: def_fields.sh SOURCE_DIR
set -u
header=$1/include/zoetrope/zoetrope.h
tables=$1/src/base/def_tables.c
faults=0

# fields_of NAME: the names in each declaration of zt_NAME_def, without comments and types.
fields_of() {
    awk -v struct="zt_$1_def" '$0 == "typedef struct " struct " {" { inside = 1; next }
        $0 == "} " struct ";" { inside = 0 }
        inside { sub(/\/\/.*/, ""); line = line " " $0 } END { print line }' "$header" |
        tr ';' '\n' | sed -E 's/^ *(const )?[a-z0-9_]+ +\*?//; s/\[.*//' | tr ',' '\n' | tr -d ' ' |
        grep -v '^$' | grep -v '^cookie_$'
}
# check NAME LEAST: the fields of zt_NAME_def, and its rows.
check() {
    fields=$(fields_of "$1")
    count=$(printf '%s\n' "$fields" | wc -l)
    rows=$(awk -v table="static const def_field $1_fields[] = {" '$0 == table { inside = 1; next }
        $0 == "};" { inside = 0 } inside' "$tables")
    [ "$count" -ge "$2" ] || {
        echo "def_fields: no fields of zt_$1_def were found in $header: the search is broken"
        faults=1
    }
    for field in $fields; do
        printf '%s\n' "$rows" | grep -qE "\((DEF_[A-Z]+, )?$field[,)]" || {
            echo "def_fields: zt_$1_def.$field has no row in src/base/def_tables.c"
            faults=1
        }
    done
    [ "$(printf '%s\n' "$rows" | grep -cE '^    \{"')" = "$count" ] || {
        echo "def_fields: the rows of zt_$1_def are not as many as its $count fields"
        faults=1
    }
    echo "def_fields: $count fields of zt_$1_def"
}
check shot 20
check load 10
check encode 5
for field in $(fields_of load); do
    grep -rhE --include='*.c' --exclude=def_tables.c --exclude-dir=cli --exclude-dir=suite \
        --exclude-dir=thumbnail "(def|load)(->|\.)$field\b([^ ]| [^=]|$)" "$1/src" |
        grep -qv "value_named(" || {
        echo "def_fields: nothing reads zt_load_def.$field (expected model_source_of)"
        faults=1
    }
done
for field in $(fields_of instance); do
    grep -qE "scene_add_input\(scene, &?def->$field\b" "$1/src/scene/scene.c" || {
        echo "def_fields: zt_scene_add_instance adds no zt_instance_def.$field to the key of the scene"
        faults=1
    }
done
exit $faults
