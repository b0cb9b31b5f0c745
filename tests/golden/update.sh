#!/bin/sh
# update.sh ZOETROPE SOURCE_DIR [NAME...]: renders goldens again, says by how much each differs from
# the picture in golden/, and writes the new pictures and hashes. Look before you commit.
set -eu
zoetrope=$1 source_dir=$2
shift 2
. "$(dirname "$0")/manifest.sh"
manifest=$source_dir/golden/manifest.txt
names=${*:-$(sed -n 's/^\([a-z][a-z0-9_]*\)  .*/\1/p' "$manifest")}
new=$(mktemp)
trap 'rm -f "$new" "$new.png" "$new.json"' EXIT
for name in $names; do
    golden_line "$name"
    # shellcheck disable=SC2086
    fresh=$("$zoetrope" $command "$scene" $arguments -q --json -o "$new.png" |
        sed -n 's/.*"hash":"\([0-9a-f]*\)".*/\1/p')
    [ -n "$fresh" ] || {
        echo "$name: not rendered"
        exit 1
    }
    if [ "$fresh" = "$hash" ] && [ -f "$source_dir/golden/$name.png" ]; then
        continue
    fi
    echo "$name: $hash -> $fresh"
    [ ! -f "$source_dir/golden/$name.png" ] ||
        "$zoetrope" compare "$new.png" "$source_dir/golden/$name.png" || true
    cp "$new.png" "$source_dir/golden/$name.png"
    sed "/^$name  /s/  $hash  /  $fresh  /" "$manifest" >"$new"
    cat "$new" >"$manifest"
done
