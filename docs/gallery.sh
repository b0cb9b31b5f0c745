#!/bin/sh
# SPDX-License-Identifier: MIT
# gallery.sh BUILD_DIR [NAME...]: makes the pictures of docs/light.md, docs/gallery_NAME.png, or the
# given ones. Each is one frame of a scene of ours.
set -eu
build=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")/.."
names=" $* "

# picture NAME SCENE [FLAG...]
picture() {
    name=$1 scene=$2
    shift 2
    [ "$names" = "  " ] || case $names in *" $name "*) ;; *) return 0 ;; esac
    "$build/zoetrope" render "scenes/$scene.yaml" --samples 16 --png small "$@" -o "docs/gallery_$name.png" -q
}

picture metal_rough gallery/metal_rough --frames 0
picture coat gallery/coat --frames 0
picture sheen gallery/sheen --frames 0
picture iridescence gallery/iridescence --frames 0
picture anisotropy gallery/anisotropy --frames 0
picture diffuse_transmission gallery/diffuse_transmission --frames 0
picture transmission tests/transmission --frames 0
picture volume tests/transmission_thick --frames 0
picture glass_layers tests/transmission_layers --frames 0
picture specular tests/reflectance --size 320x240 --frames 0
picture emission gallery/emission --frames 0
picture studio gallery/presets --frames 8 --preset studio
picture neutral gallery/presets --frames 8 --preset neutral
picture product gallery/presets --frames 8 --preset product
picture flat gallery/presets --frames 8 --preset flat
picture environment tests/environment --frames 0
picture environment_blur tests/environment_blur --frames 0
picture model_environment tests/model_environment --frames 0
picture occlusion tests/occlusion --frames 0
picture directional gallery/directional --frames 8
picture directional_soft gallery/directional_soft --frames 8
picture point gallery/point --frames 8
picture spot gallery/spot --frames 8
picture shutter tests/blur_run --frames 6 --size 240x240 --subframes 64
picture lens chess --frames 16 --size 426x240 --samples 4 --aperture f/0.5 --focus head --subframes 128
for map in neutral soft agx aces linear; do
    picture "tone_$map" chess --frames 16 --size 300x169 --tone-map "$map"
done
for look in flat clay normals uv albedo depth wireframe skeleton; do
    picture "look_$look" gallery/presets --frames 8 --size 160x200 --look "$look"
done

# Each plane of a frame; oiiotool makes colours of numbers.
planes() {
    work=$(mktemp -d)
    frame="scenes/chess.yaml --frames 16 --size 240x135 --samples 16 -q"
    # shellcheck disable=SC2086
    "$build/zoetrope" render $frame --planes all -o "$work/all.exr"
    # shellcheck disable=SC2086
    "$build/zoetrope" render $frame --bits 8 -o "$work/{plane}.png" \
        --planes color,albedo,emission,diffuse,specular,transmitted,coverage,normal,uv
    while read -r name channels rest; do
        # shellcheck disable=SC2086
        oiiotool "$work/all.exr" --ch "$channels" $rest -d uint8 -o "$work/$name.png"
    done <<TABLE
depth Z --mulc -0.07 --addc 1.28 --clamp:min=0:max=1 --colormap inferno
position P.X,P.Y,P.Z --mulc 0.3 --addc 0.5
motion forward.u,forward.v,motion.known --mulc 0.15,0.15,0.3 --addc 0.5,0.5,0
vector Vector.X,Vector.Y,Vector.Z --mulc 0.15 --addc 0.5
instance id.instance --mulc 1e9 --colormap turbo
object id.object --mulc 3e8 --colormap turbo
material id.material --mulc 2.6e8 --colormap turbo
bone id.bone --mulc 1e8 --colormap turbo
crypto_object CryptoObject00.G --colormap magma
crypto_material CryptoMaterial00.G --colormap magma
crypto_bone CryptoBone00.G --colormap magma
TABLE
    (cd "$work" && "$build/zoetrope" sheet color.png albedo.png emission.png diffuse.png specular.png transmitted.png \
        coverage.png depth.png normal.png uv.png position.png motion.png vector.png instance.png object.png \
        material.png bone.png crypto_object.png crypto_material.png crypto_bone.png \
        -o planes.png -q --png small --columns 4 --captions --background 202020)
    mv "$work/planes.png" docs/planes.png
    rm -r "$work"
}
case " $* " in "  " | *" planes "*) planes ;; esac

# Pairs of a fast frame and a final one.
pairs() {
    work=$(mktemp -d)
    while read -r name scene frame; do
        for quality in fast final; do
            set -- "$@" "$name-$quality.png"
            "$build/zoetrope" render "scenes/$scene.yaml" --frames "$frame" --size 240x180 --quality "$quality" \
                -o "$work/$name-$quality.png" -q
        done
    done <<TABLE
chess chess 16
shapes tests/occlusion 0
catcher tests/shadow_catcher 0
soft gallery/directional_soft 8
point gallery/point 8
spot gallery/spot 8
studio gallery/presets 8
checker tests/ground_checker 0
TABLE
    (cd "$work" && "$build/zoetrope" sheet "$@" -o pairs.png -q --png small --columns 4 --captions --background 202020)
    mv "$work/pairs.png" docs/gallery_pairs.png
    rm -r "$work"
}
case $names in "  " | *" pairs "*) pairs ;; esac

# What a pull request changes: the paint of the robot arm, and a rougher steel; before, after and differences.
case " $* " in "  " | *" changed "*) ;; *) exit 0 ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/zoetrope" convert scenes/models/robot_arm.glb "$work/new.gltf" -q
sed -i 's/0.2399999[0-9]*/0.45/; s/0.2800000[0-9]*/0.6/' "$work/new.gltf"
"$build/zoetrope" diff scenes/models/robot_arm.glb "$work/new.gltf" --results "$work" --size 256x320 || [ $? -eq 1 ]
"$build/zoetrope" sheet "$work/0.old.png" "$work/0.new.png" "$work/0.diff.png" -o docs/gallery_changed.png -q \
    --columns 3 --atlas "$work/atlas.json"
