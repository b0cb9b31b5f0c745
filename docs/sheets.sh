#!/bin/sh
# SPDX-License-Identifier: MIT
# sheets.sh BUILD_DIR [NAME...]: makes the contact sheets docs/sheet_NAME.png of the demonstrations,
# frames of a scene side by side, or the given ones.
set -eu
build=$1
shift
cd "$(dirname "$0")/.."
names=" $* "
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# sheet NAME SCENE FRAMES SIZE COLUMNS [FLAG...]
sheet() {
    name=$1 scene=$2 frames=$3 size=$4 columns=$5
    shift 5
    [ "$names" = "  " ] || case $names in *" $name "*) ;; *) return 0 ;; esac
    rm -f "$work"/*.png
    "$build/zoetrope" render "scenes/$scene.yaml" --frames "$frames" --size "$size" --samples 16 \
        "$@" -o "$work/####.png" -q
    "$build/scenes/generate/contact_sheet" "$columns" "docs/sheet_$name.png" "$work"/*.png
}

sheet walk_to_run tests/walk_to_run 6-55x7 112x150 8
sheet wave tests/wave 6-83x11 112x150 8
sheet corner tests/corner 0-119x15 160x120 4
sheet look tests/ik_look 0-105x15 144x108 8
sheet head tests/ik_head 10-73x9 200x94 4
sheet retarget tests/retarget 0-35x5 200x112 4
sheet sequence tests/sequence 0-77x7 100x84 6
sheet door tests/ik_door 3-52x7 144x108 8
sheet rod tests/ik_rod 0-56x8 144x108 8
sheet rifle tests/ik_rifle 0-84x12 144x108 8
sheet chain tests/ik_chain 0-84x12 288x216 4
sheet twist_shared tests/ik_twist 0-56x8 160x120 8
sheet orient tests/ik_orient 0-56x8 288x144 2
sheet strider tests/ik_strider 0-28x4 240x180 4
sheet from_feet tests/from_feet 0-84x12 240x120 4
sheet stairs tests/ik_stairs 4-67x9 144x108 8
sheet beast tests/beast 8-64x8 112x135 8
sheet twist tests/arm_twist 2-30x4 112x120 8
sheet rider tests/rider 0-161x23 180x84 4
sheet springs tests/springs 0-66x6 270x120 4
sheet sockets tests/sockets 3-80x11 144x108 8
