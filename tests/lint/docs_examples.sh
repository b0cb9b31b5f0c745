#!/bin/sh
# SPDX-License-Identifier: MIT
# The library examples of README.md and docs/library.md are the marked parts of tests/api/api_scene.c,
# api_example.c, api_memory.c, api_keyed.c and api_light.c, which are compiled and run. usage: docs_examples.sh SOURCE_DIR
set -u
root=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
lines=0

# agree PAGE PROGRAM CALL: both must have CALL, so that an empty search fails.
agree() {
    sed -n '/^\/\/ example begins$/,/^\/\/ example ends$/p' "$root/tests/api/$2" |
        sed '1d;$d' >"$folder/source.c"
    sed -n "/^<!-- $2 -->\$/,/^<!-- end of $2 -->\$/p" "$root/$1" |
        sed '1,2d' | sed '$d' | sed '$d' >"$folder/page.c"
    for name in source page; do
        if ! grep -q "$3(" "$folder/$name.c"; then
            echo "docs_examples: no example was found ($1, $name): the search is broken"
            exit 1
        fi
    done
    if ! diff -u "$folder/source.c" "$folder/page.c"; then
        echo "docs_examples: $1 differs from tests/api/$2"
        exit 1
    fi
    lines=$((lines + $(wc -l <"$folder/source.c")))
}

agree README.md api_scene.c zt_render_sequence
agree docs/library.md api_example.c zt_render
agree docs/library.md api_memory.c zt_model_load
agree docs/library.md api_keyed.c zt_scene_load
agree docs/library.md api_light.c zt_scene_add_light
echo "docs_examples: $lines lines agree"
