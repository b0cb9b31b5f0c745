#!/bin/sh
# SPDX-License-Identifier: MIT
# draw_seeds.sh FOLDER: wrote corpus/draw: small models, each with the bytes that choose how it is drawn
# (fuzz_draw.c: look, size, time, clip, light, view, memory, work).
set -eu
folder=$1
cd "$(dirname "$0")/../.."

# seed FILE 'CHOICES in octal'
seed() {
    name=$(basename "$1")
    {
        cat "$1"
        # shellcheck disable=SC2059
        printf "$2"
    } >"$folder/$name"
}

corpus=tests/fuzz/corpus models=scenes/models
seed $corpus/gltf/embedded.gltf '\000\025\000\000\000\000\000\000'
seed $corpus/gltf/lacking.gltf '\002\000\000\000\000\001\000\000'
seed $corpus/gltf/morph.gltf '\000\005\205\004\000\000\000\000'
seed $corpus/gltf/pointers_of_six_uses.gltf '\010\026\203\004\001\000\001\000'
seed $corpus/gltf/pulsing.gltf '\010\026\203\004\001\000\001\000'
seed $corpus/gltf/skinned.glb '\000\045\212\004\004\006\000\000'
seed $corpus/m3d/static_one_line.m3d '\005\000\000\000\010\000\000\000'
seed $corpus/m3d/two_bones.m3d '\200\025\210\004\000\000\000\000'
seed $corpus/models/draco_edgebreaker.glb '\003\000\000\000\002\000\000\000'
seed $corpus/models/draco_plain_positions.glb '\003\000\000\000\002\000\000\000'
seed $corpus/models/draco_sequential.glb '\006\021\000\000\000\002\000\000'
seed $corpus/models/meshopt.glb '\004\000\000\000\014\000\000\000'
seed $models/mirrored_instance.glb '\007\000\000\000\000\000\000\000'
seed $models/vertex_colors.glb '\020\060\000\000\003\000\002\000'
seed $models/veils.glb '\100\000\000\000\020\000\001\100'
seed $models/interpolation.glb '\000\000\020\005\000\020\000\000'
seed $models/stairs.glb '\001\100\000\010\000\000\003\210'
seed $models/mips.glb '\000\017\000\000\020\000\000\000'
seed $models/wraps.glb '\030\003\000\070\040\004\000\217'
