#!/bin/sh
# SPDX-License-Identifier: MIT
# The documentation names every key of the scene reader's tables (docs/scenes.md and the pages of its parts),
# every flag of every command, every command and every exit code (docs/cli.md); and none that does not
# exist. The limits of docs/security.md are those that the program prints. usage: docs_keys.sh SOURCE_DIR ZOETROPE
set -u
root=$1
zoetrope=$2
cli=$root/docs/cli.md
faults=0
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

fault() {
    echo "docs_keys: $1"
    faults=$((faults + 1))
}

# section NAME: the rows of one part of the scene reference, its subsections included.
section() {
    cat "$root/docs/scenes.md" "$root/docs/animation.md" "$root/docs/ik.md" "$root/docs/camera.md" | sed -n "/^## $1\$/,/^## /p" | grep '^|'
}

# rows_of FILES SECTIONS: "key PRESENCE" for each row KEY_...("key", ...) of the tables in these parts
# of a file, which start with "// ---- NAME -". SECTIONS: names with _ for a space, or "all".
rows_of() {
    awk -v wanted=",$2," '
        /^\/\/ ---- / {
            section = $0
            gsub(/^\/\/ ---- | -*$/, "", section)
            gsub(/ /, "_", section)
        }
        /^ *KEY_[A-Z_]*\("/ {
            if (wanted != ",all," && index(wanted, "," section ",") == 0)
                next
            split($0, part, "\"")
            print part[2]
        }' "$root"/src/scene/$1
}

# Both directions for each table of the reader: its rows, and the names in the first cells of its part
# of the reference. Every table belongs to a part.
found=0
claimed=0
while read -r file sections part; do
    all_keys=$(rows_of "$file" "$sections")
    claimed=$((claimed + $(printf '%s\n' "$all_keys" | wc -l)))
    keys=$(printf '%s\n' "$all_keys" | LC_ALL=C sort -u)
    rows=$(section "$(printf '%s' "$part" | tr _ ' ')")
    cells=$(printf '%s\n' "$rows" | sed "s/^| Key of \(the scene's \)*\`[a-z_]*\` |/||/" | cut -d '|' -f 2)
    found=$((found + $(printf '%s\n' "$keys" | wc -l)))
    printf '%s\n' "$cells" | grep -o '`[a-z_]*`' | tr -d '`' | LC_ALL=C sort -u >"$scratch/cells"
    printf '%s\n' "$keys" >"$scratch/keys"
    for key in $(LC_ALL=C comm -23 "$scratch/keys" "$scratch/cells"); do
        fault "the key '$key' of $file has no row in the scene reference"
    done
    for key in $(LC_ALL=C comm -13 "$scratch/keys" "$scratch/cells"); do
        fault "$file knows no key '$key' ($part)"
    done
done <<EOF
scene_read.c The_top_level Top_level
scene_read.c transform,models models
scene_output.c all output
scene_environment.c all environment
scene_occlusion.c all ambient_occlusion
scene_ground.c all ground
scene_crowd.c all crowds
scene_materials.c Materials materials
scene_materials.c wrinkles wrinkles
scene_animation*.c reference,root_motion,Layers animation
scene_blend.c all blend_spaces
scene_animation_layer.c bones bones
scene_shape.c all shapes
scene_driver.c all drivers
scene_morphs.c all driven_morphs
scene_path.c all paths
scene_showing.c all visible_and_opacity
scene_bones.c all Bones_keyed_by_the_scene
scene_model_files.c all Clips_of_other_rigs
scene_value.c all Values
scene_ik*.c all ik
scene_terrain.c all ik_ground
scene_links.c target ik_target
scene_links.c parent parent
scene_springs.c all springs
scene_camera.c all camera
scene_blur.c all Keys
scene_follow.c all following
scene_lights.c all lights
EOF
[ "$found" -ge 60 ] || fault "only $found keys were found in src/scene: the search is broken"
total=$(cat "$root"/src/scene/*.c | grep -cE '^ *KEY_[A-Z_]*\("')
[ "$total" -eq "$claimed" ] || fault "$total rows of keys in src/scene, but parts of the reference for $claimed"

# The keys of suites, both ways, in docs/regression.md.
sed -n '/^## Keys$/,/^## Comparing pictures$/p' "$root/docs/regression.md" | grep '^| `' | cut -d '|' -f 2 |
    grep -o '`[a-z_]*`' | tr -d '`' | LC_ALL=C sort -u >"$scratch/cells"
grep -hoE '^ *(KEY_[A-Z_]*|SHOT_NUMBER)\("[a-z_]*"' "$root"/src/suite/*.c | sed 's/.*"\(.*\)"/\1/' |
    LC_ALL=C sort -u >"$scratch/keys"
[ "$(wc -l <"$scratch/keys")" -ge 30 ] || fault "the keys of suites were not found: the search is broken"
for key in $(LC_ALL=C comm -3 "$scratch/keys" "$scratch/cells" | tr -d '\t'); do
    fault "the key '$key' of suites is only in the source or only in docs/regression.md"
done

# "LETTER FLAG" for each flag of each command, by their help and by the table of flags.
commands="render:R turntable:T thumbnail:N sheet:H compare:C test:E inspect:I check:K convert:V verify:Y"
for pair in $commands; do
    command=${pair%:*}
    "$zoetrope" "$command" --help-all >"$scratch/help"
    sed -n "s/^  \(-[a-z], \|    \)\(--[a-z-]*\).*/${pair#*:} \2/p" "$scratch/help" >"$scratch/flags"
    [ -s "$scratch/flags" ] || fault "$command --help names no flags: the search is broken"
    cat "$scratch/flags" >>"$scratch/known"
    grep -q "^zoetrope $command " "$cli" || fault "no example of $command"
done
sed -n '/^## Flags/,/^## Exit codes/p' "$cli" | grep '^| `' | awk -F '|' -v commands="$commands" '
    {
        letters = $3
        if ($3 ~ /all/) {
            letters = commands
            gsub(/[a-z:]/, "", letters)
        }
        count = split(letters, letter, /[ ,]+/)
        while (match($2, /--[a-z-]+/)) {
            for (i = 1; i <= count; i++)
                if (index(commands, ":" letter[i]) && letter[i] != "")
                    print letter[i], substr($2, RSTART, RLENGTH)
            $2 = substr($2, RSTART + RLENGTH)
        }
    }' | LC_ALL=C sort -u >"$scratch/listed"
LC_ALL=C sort -u -o "$scratch/known" "$scratch/known"
for flag in $(LC_ALL=C comm -23 "$scratch/known" "$scratch/listed" | tr ' ' ':'); do
    fault "the table of flags does not give ${flag#*:} to the command ${flag%%:*}"
done
for flag in $(LC_ALL=C comm -13 "$scratch/known" "$scratch/listed" | tr ' ' ':'); do
    fault "the table of flags gives ${flag#*:} to the command ${flag%%:*}, which does not know it"
done

for name in $(sed -n 's/^    ZT_\(ERR_[A-Z]*\|OK\) = \([0-9]\),.*/\2/p' \
    "$root/include/zoetrope/zoetrope.h"); do
    grep -q "^| $name |" "$cli" || fault "the exit code $name is not in the table"
done

# "FLAG VALUE" of a column of the table of limits; those that depend on the machine or on the run have words.
limits() {
    sed -n '/^## Limits/,/^## Memory/s/^| `\(--max-[a-z]*\)` |/\1 |/p' "$root/docs/security.md" | cut -d '|' -f "1,$1" |
        tr -d ',|' | awk '$3 == "MiB" { $2 *= 1024 * 1024 } $3 == "GiB" { $2 *= 1024 * 1024 * 1024 } $3 != "%" { printf "%s %.0f\n", $1, $2 }'
}
for preset in 2: 3:--untrusted; do
    limits "${preset%%:*}" >"$scratch/limits"
    [ "$(wc -l <"$scratch/limits")" -ge 9 ] || fault "the table of limits was not found: the search is broken"
    "$zoetrope" --print-limits ${preset#*:} | awk '{ print $1, $2 }' >"$scratch/printed"
    for limit in $(grep -vxFf "$scratch/printed" "$scratch/limits" | tr ' ' '='); do
        fault "docs/security.md has the limit $limit, --print-limits ${preset#*:} another one"
    done
done

[ "$faults" -eq 0 ] || exit 1
echo "docs_keys: $found keys and all flags are documented"
