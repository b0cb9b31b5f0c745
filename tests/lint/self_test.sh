#!/bin/sh
# SPDX-License-Identifier: MIT
# Each lint must fail on a tree or object with its fault, and pass on one without.
# usage: self_test.sh LINT_DIR CC NM OBJDUMP CONTRACTED_OBJECT
set -u
lint=$1
cc=$2
nm=$3
objdump=$4
contracted=$5
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
faults=0

# fresh: a tree without faults.
fresh() {
    rm -rf "$folder/tree"
    mkdir -p "$folder/tree/src/base" "$folder/tree/src/simd" "$folder/tree/src/kernels" \
        "$folder/tree/src/cli" "$folder/tree/include/zoetrope"
    put include/zoetrope/zoetrope.h '#include <stdint.h>'
    put src/base/error.h '#include <zoetrope/zoetrope.h>'
    put src/simd/lanes.h '#include <immintrin.h>'
    put src/kernels/pose_kernels.c '#include "base/error.h"' '#include "simd/lanes.h"'
    put src/cli/main.c '#include "base/error.h"'
}

# put FILE LINE...: a C file with its licence.
put() {
    path=$folder/tree/$1
    shift
    echo '// SPDX-License-Identifier: MIT' >"$path"
    for line in "$@"; do printf '%s\n' "$line" >>"$path"; done
}

# wrong WORD...: says so, and the test fails.
wrong() {
    echo "self_test: $*"
    faults=1
}

# expect pass|fail NAME SCRIPT
expect() {
    output=$(sh "$lint/$3" "$folder/tree" 2>&1)
    status=$?
    if [ "$1" = pass ] && [ "$status" -ne 0 ]; then
        wrong "$3 fails on $2: $output"
    elif [ "$1" = fail ] && [ "$status" -ne 1 ]; then
        wrong "$3 does not notice $2 (status $status): $output"
    fi
}

# notices NAME SCRIPT FILE LINE...: the script fails on a tree whose one fault is this file.
notices() {
    fault=$1 script=$2
    shift 2
    fresh
    put "$@"
    expect fail "$fault" "$script"
}

fresh
for script in includes.sh file_size.sh words.sh; do expect pass "a clean tree" $script; done

put src/base/up.c '#include "kernels/pose_kernels.c"'
expect fail "an include against the law" includes.sh
notices "intrinsics outside simd" includes.sh src/kernels/k.c '#include <immintrin.h>'
notices "an include of C++ against the law" includes.sh src/base/up.cpp '#include "kernels/pose_kernels.c"'
notices "an arrow of the law that no file uses" includes.sh src/cli/main.c
notices "cglm outside trs.h" includes.sh src/base/matrix.h '#include <cglm/cglm.h>'
notices "an internal header in cli" includes.sh src/cli/main.c '#include "kernels/pose_kernels.c"'
notices "a header that is not there" includes.sh src/base/gone.c '#include "base/none.h"'
notices "an own header in angle brackets" includes.sh src/base/angle.c '#include <base/error.h>'
fresh && put src/kernels/table.h 'struct table {' '    int size;' '};'
put src/base/reader.h 'struct table;' 'int size_of(const struct table *t);'
expect fail "a struct of a folder above" includes.sh
fresh && put src/base/table.h 'struct table {' '    int size;' '};'
put src/kernels/reader.h 'struct table; // of base' 'int size_of(const struct table *t);'
expect pass "a struct of a folder below" includes.sh
fresh && mkdir -p "$folder/tree/src/raster" "$folder/tree/src/geometry"
put src/raster/a.inl '#include "base/error.h"' 'ZT_LANE_OP vf low(vf x)' '{' '    return x;' '}'
put src/geometry/b.inl '#include "base/error.h"' 'ZT_LANE_OP vf high(vf x)' '{' '    return low(x);' '}'
put src/kernels/pose_kernels.c '#include "geometry/b.inl"' '#include "raster/a.inl"' \
    '#include "simd/lanes.h"' '#include "base/error.h"'
expect pass "a loop that calls one of a folder below" includes.sh
put src/raster/a.inl '#include "base/error.h"' 'ZT_LANE_OP vf low(vf x)' '{' '    return high(x);' '}'
put src/geometry/b.inl '#include "base/error.h"' '#include "raster/a.inl"' \
    'ZT_LANE_OP vf high(vf x)' '{' '    return x;' '}'
expect fail "a loop that calls one of a folder above" includes.sh
fresh && mkdir "$folder/tree/src/misc" && put src/misc/a.c '#include <stdio.h>'
expect fail "a folder that the law does not name" includes.sh

fresh && put src/base/long.c && awk 'BEGIN { for (i = 0; i < 600; i++) print "int x;" }' \
    >>"$folder/tree/src/base/long.c"
expect fail "601 lines of src" file_size.sh
notices "two files of one name" file_size.sh src/base/pose_kernels.c 'int x;'

# circle FOLDER LINE...: the objects of src/base/one.c, which calls src/FOLDER/two.c of these lines.
circle() {
    home=$1
    shift
    rm -rf "$folder/objects"
    mkdir -p "$folder/objects/base" "$folder/objects/$home" "$folder/tree/src/$home"
    put src/base/one.c 'int two(void);' 'int one(void); int one(void) { return two(); }'
    put "src/$home/two.c" "$@"
    for name in base/one "$home/two"; do
        "$cc" -c -o "$folder/objects/$name.c.o" "$folder/tree/src/$name.c" || exit 1
    done
    output=$(sh "$lint/circles.sh" "$folder/tree" "$nm" "$folder/objects/base/one.c.o" \
        "$folder/objects/$home/two.c.o" 2>&1)
}
fresh
circle base 'int two(void); int two(void) { return 2; }' ||
    wrong "circles.sh fails on calls that go one way: $output"
circle base 'int one(void); int two(void); int two(void) { return one(); }' &&
    wrong "circles.sh does not notice files that call each other"
circle json 'int two(void); int two(void) { return 2; }' &&
    wrong "circles.sh does not notice a call of a folder above"

# def_structs STRUCT: the public header and its tables; a struct with another field.
def_structs() {
    sed "s/^} $1;/    int32_t sky; \/\/\/< new\n&/" "$lint/../../include/zoetrope/zoetrope.h" >"$folder/tree/include/zoetrope/zoetrope.h"
    (cd "$lint/../.." && cp --parents src/base/def_tables.c src/base/file_supply.c src/load/*.c \
        src/scene/*.c src/convert/*.c "$folder/tree")
}
fresh && def_structs none
expect pass "fields that all have rows" def_fields.sh
for struct in shot load encode; do
    fresh && def_structs "zt_${struct}_def"
    expect fail "a field of zt_${struct}_def without a row" def_fields.sh
done
fresh && def_structs zt_instance_def
expect fail "a field of zt_instance_def that is in no key" def_fields.sh
fresh && def_structs none && sed -i '/= def->unit_um/d' "$folder/tree/src/load/load.c"
expect fail "a field of zt_load_def that is not read" def_fields.sh
# model_names FILE PATTERN: what the lint reads, without the lines of a file that have the pattern.
model_names() {
    (cd "$lint/../.." && cp --parents src/base/model_names.[ch] src/thumbnail/thumbnail_list.c src/load/other_formats.c \
        cmake/desktop/zoetrope.* $(grep -l '\.extensions = {{' src/*/*.c) "$folder/tree")
    sed -i "/$2/d" "$folder/tree/$1"
}
fresh && model_names src/base/model_names.c "no such line"
expect pass "suffixes that are in all lists" model_names.sh
fresh && model_names src/base/model_names.c '"\.obj"'
expect fail "a reader without a suffix" model_names.sh
fresh && model_names cmake/desktop/zoetrope.xml '"\*\.x"'
expect fail "a suffix without a glob" model_names.sh
# docs_lists FILE EDIT: what the lint reads, with a line of a file edited.
docs_lists() {
    (cd "$lint/../.." && cp -r --parents README.md docs/*.md src/base/model_names.c src/image/picture_writer.c src/gltf \
        src/model CMakePresets.json CMakeLists.txt cmake/*.cmake tests/kernels/CMakeLists.txt setup.sh "$folder/tree")
    sed -i "$2" "$folder/tree/$1"
}
fresh && docs_lists README.md ''
expect pass "pages with whole lists" docs_lists.sh
fresh && docs_lists docs/cli.md 's/^\.fbx or//'
expect fail "a list of formats without one" docs_lists.sh
fresh && docs_lists docs/building.md 's/, `afl`//'
expect fail "a preset that no page has" docs_lists.sh
notices "an unfinished mark" words.sh src/base/a.c "// TO""DO: later"
notices "trailing space" words.sh src/base/a.c "int x; "
notices "a tab" words.sh src/base/a.c "$(printf '\tint x;')"
notices "a path of one machine" words.sh src/base/a.c 'const char *path = "/hom''e/someone/model.m3d";'
notices "a skip that fails" words.sh src/base/a.c 'cr_log_''warn("skipped");'
fresh && put src/base/a.c && printf 'int x;' >>"$folder/tree/src/base/a.c"
expect fail "no final newline" words.sh
fresh && echo 'int x;' >"$folder/tree/src/base/a.c"
expect fail "no licence" words.sh

# The table of folders, made from the law.
fresh && mkdir -p "$folder/tree/docs"
for name in $(sh "$lint/includes.sh" "$folder/tree" law | cut -d : -f 1); do
    mkdir -p "$folder/tree/src/$name"
done
{
    echo '<!-- law of includes -->'
    sh "$lint/includes.sh" "$folder/tree" law | sed 's|^\([a-z0-9]*\): *\(.*\)|\| `src/\1` \| a room \| \2 \||'
    echo '<!-- end of the law -->'
} >"$folder/tree/docs/architecture.md"
expect pass "a table that is the law" docs_links.sh
sed -i 's/| image base |/| base |/' "$folder/tree/docs/architecture.md"
expect fail "a table that is not the law" docs_links.sh

# page LINE...: the page docs/page.md.
page() { printf '%s\n' "$@" >"$folder/tree/docs/page.md"; }
fresh && mkdir -p "$folder/tree/docs"
page '# Page' '' '- [One part](#one-part)' '' '## One part' '' '[home](../README.md)'
echo '# Home' >"$folder/tree/README.md"
expect pass "a page whose links hit" docs_links.sh
page '# Page' '' '- [One part](#other-part)' '' '## One part'
expect fail "a link to a heading that is not there" docs_links.sh
page '# Page' '' '- [One part](#one-part)' '' '## One part' '' '![a](gone.png)'
expect fail "a link to a file that is not there" docs_links.sh
page '# Page' '' '- [One part](#one-part)' '' '## One part' '' '[home](../README.md#nowhere)'
expect fail "a link to a heading of another page that is not there" docs_links.sh
page '# Page' '' '## One part'
expect fail "a page without a table of contents" docs_links.sh
page '# Page' '' '- [One part](#one-part)' '' '## One part' '' '```' 'ls' '```'
expect fail "a block without a language" docs_links.sh

page '```sh' 'zoetrope render a.yaml' '```' '<!-- not run: why -->' '```sh' 'ls' '```'
expect pass "commands, and a block with a reason" docs_commands.sh
page '```sh' 'zoetrope render a.yaml' 'ls' '```'
expect fail "a line of shell that nothing runs" docs_commands.sh
page '```sh' 'zoetrope render a.yaml' '```' '```yaml' 'format: 1' '```'
expect fail "a scene that nothing checks" docs_commands.sh
page 'No command.'
expect fail "pages without commands" docs_commands.sh

mkdir -p "$folder/tree/scenes" "$folder/tree/bench" "$folder/tree/tests"
for part in scenes bench tests src/cli src/simd; do put "$part/clean.c" 'int x;'; done
page 'The workers draw.'
expect pass "common words" banned_words.sh
for words in 'The cre''w draws.' 'frame_cre''w' 'as was tol''d' 'what a is wha''t' 'of the contrac''t'; do
    page "$words"
    expect fail "'$words'" banned_words.sh
done
page 'It says what it was' 'tol''d to say.'
expect fail "words that a line parts" banned_words.sh
page 'The workers draw.'
awk 'BEGIN { for (i = 0; i < 41; i++) print "\n/// What it is.\nint x" i ";" }' >"$folder/tree/src/base/what.c"
expect fail "41 comments that open with What" banned_words.sh
rm "$folder/tree/src/base/what.c"

# An object that calls libm, and one that calls only what is allowed.
echo 'float sinf(float); float f(float x) { return sinf(x); }' >"$folder/calls.c"
echo 'double fmod(double, double); double f(double x, double y) { return fmod(x, y); }' \
    >"$folder/exact.c"
for name in calls exact; do
    "$cc" -O0 -c "$folder/$name.c" -o "$folder/$name.o" || exit 1
done
sh "$lint/libm_symbols.sh" "$nm" "$folder/exact.o" "$folder/calls.o" >/dev/null &&
    wrong "libm_symbols.sh does not notice sinf"
sh "$lint/libm_symbols.sh" "$nm" "$folder/exact.o" >/dev/null ||
    wrong "libm_symbols.sh refuses fmod"

# An object of a frame that sorts behind the arena's back; elsewhere one may.
echo 'void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
void f(int *x) { qsort(x, 0, 4, 0); }' >"$folder/sorts.c"
mkdir -p "$folder/raster" "$folder/scene"
"$cc" -O0 -fno-builtin -c "$folder/sorts.c" -o "$folder/scene/sorts.o" || exit 1
cp "$folder/exact.o" "$folder/raster/exact.o"
sh "$lint/heap_symbols.sh" "$nm" "$folder/raster/exact.o" "$folder/scene/sorts.o" >/dev/null ||
    wrong "heap_symbols.sh refuses what is no part of a frame"
cp "$folder/scene/sorts.o" "$folder/raster/sorts.o"
sh "$lint/heap_symbols.sh" "$nm" "$folder/raster/sorts.o" >/dev/null &&
    wrong "heap_symbols.sh does not notice qsort"

# Objects with fused arithmetic among those of the library or the kernels, and none that proves the
# search.
echo 'int zt_pose_scalar(void) { return 1; }' >"$folder/table.c"
"$cc" -O0 -c "$folder/table.c" -o "$folder/table.o" || exit 1
# instructions pass|fail WHAT KERNELS LIBRARY CONTRACTED
instructions() {
    if sh "$lint/isa_symbols.sh" "$nm" "$objdump" --kernels scalar "$3" --library "$4" \
        --contracted "$5" >"$folder/out" 2>&1; then
        passes=pass
    else
        passes=fail
    fi
    [ $passes = "$1" ] || wrong "isa_symbols.sh is wrong on $2: $(cat "$folder/out")"
}
instructions pass "objects without a fault" "$folder/table.o" "$folder/exact.o" "$contracted"
instructions fail "a fused library" "$folder/table.o" "$contracted" "$contracted"
instructions fail "fused kernels" "$contracted" "$folder/exact.o" "$contracted"
instructions fail "a proof that holds nothing" "$folder/table.o" "$folder/exact.o" "$folder/exact.o"

# A library that exports what its header declares; one with an internal name; one that lacks a name.
printf 'ZT_API int zt_one(void);\nZT_API const char *zt_two(\n    int a);\n' >"$folder/api.h"
one='int zt_one(void) { return 1; }' two='const char *zt_two(int a) { return a ? "" : 0; }'
# library NAME CODE
library() {
    echo "$2" >"$folder/$1.c"
    "$cc" -fPIC -c "$folder/$1.c" -o "$folder/$1.o" && "$cc" -shared "$folder/$1.o" -o "$folder/$1.so" ||
        exit 1
}
library whole "$one $two"
library more "$one $two int arena(void) { return 0; }"
library less "$one"
for name in whole more less; do
    if sh "$lint/public_symbols.sh" "$nm" "$folder/api.h" "$folder/$name.o" "$folder/whole.so" \
        >"$folder/out" && sh "$lint/public_symbols.sh" "$nm" "$folder/api.h" "$folder/whole.o" \
        "$folder/$name.so" >>"$folder/out"; then
        passes=yes
    else
        passes=no
    fi
    case $name$passes in
    wholeyes | moreno | lessno) ;;
    *) wrong "public_symbols.sh is wrong on the library '$name': $(cat "$folder/out")" ;;
    esac
done

# A header from which a field is gone.
header=$lint/../../include/zoetrope/zoetrope.h
sed '/int32_t anisotropy;/d' "$header" >"$folder/less.h"
sh "$lint/../api/abi.sh" "$folder/less.h" "$lint/../api/abi.txt" >"$folder/out" &&
    wrong "abi.sh does not notice a field that is gone"

# A program without protection. What compilers do by default differs, so only faults are looked at.
echo 'int main(void) { return 0; }' >"$folder/bare.c"
for option in -no-pie -Wl,-z,norelro -Wl,-z,lazy -Wl,-z,execstack; do
    "$cc" "$option" "$folder/bare.c" -o "$folder/bare" 2>/dev/null || continue
    sh "$lint/hardening.sh" readelf "$objdump" "$folder/bare" "" >"$folder/out" &&
        wrong "hardening.sh accepts a program that was linked with $option"
done
[ "$faults" -eq 0 ] || exit 1
echo "self_test: every lint notices its faults"
