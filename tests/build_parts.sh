#!/bin/sh
# SPDX-License-Identifier: MIT
# build_parts.sh FOLDER PART...: what the parts of tests/full.sh need, built one after the other. full.sh runs it
# in the background, at a low priority: compilers use what tests leave that wait for files, clocks or each other.
# FOLDER/PART.built or FOLDER/PART.failed says how it went; PART.log is what compilers said, PART.seconds the time
# of processors.
set -u
cd "$(dirname "$0")/.." || exit 1
folder=$1
shift

# cpu_seconds: sets $cpu to the processor time of all children so far.
cpu_seconds() {
    times >"$folder/times" # a pipe would ask a shell of its own
    cpu=$(tr 'ms' '  ' <"$folder/times" | awk 'END { printf "%d", $1 * 60 + $2 + $3 * 60 + $4 }')
}

# build PRESET TARGET...: warnings are errors.
build() {
    preset=$1
    shift
    cmake --preset "$preset" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON >/dev/null &&
        cmake --build --preset "$preset" -j "$(nproc)" --target "$@" -- --quiet
}

# host_tools: the folder of the generators of the first part, if it was built.
host_tools() { [ ! -x build/ci/zt_make_studio ] || echo "$PWD/build/ci"; }

build_part() {
    case $1 in
    gcc) build ci all ;;
    clang)
        build clang zoetrope zoetrope_shared zoetrope_manual matrix header_c header_cxx api_embed api_keyed api_light api_memory api_scene \
            zt_contracted kernels_bit_exact kernels_shade
        ;;
    asan) build fuzz all ;;
    fuzz) ;; # run_fuzz.sh builds what asan left
    tsan) # the studio's light is made by what gcc built: with this sanitizer that takes 15 s
        cmake --preset tsan -DZT_HOST_TOOLS="$(host_tools)" -DZT_SCALAR_LEVEL=-O0 >/dev/null
        build tsan matrix jobs_stress
        ;;
    neon) sh tests/neon/run_neon.sh --build-only ;;
    control) build ci matrix_contracted ;;
    *) echo "build_parts.sh: no such part: $1" && return 2 ;;
    esac
}

# Packages come over the network while compilers run.
case " $* " in *" neon "*)
    [ -d build/neon-sysroot ] || sh cmake/arm64_sysroot.sh build/neon-sysroot >"$folder/sysroot.log" 2>&1 &
    sysroot=$!
    ;;
esac
for part in "$@"; do
    [ "$part" != neon ] || wait "$sysroot" || true # run_neon.sh tries again and says why
    cpu_seconds
    began=$cpu
    : >"$folder/$part.log"
    if ! build_part "$part" >"$folder/$part.log" 2>&1; then
        touch "$folder/$part.failed"
        exit 1
    fi
    cpu_seconds
    echo $((cpu - began)) >"$folder/$part.seconds"
    touch "$folder/$part.built"
done
