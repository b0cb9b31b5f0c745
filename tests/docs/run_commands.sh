#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the commands of the documentation: every line of a fenced sh block that begins with zoetrope,
# cmake, ctest or ./setup.sh, in the order of its page, in a folder with our scenes, a copy of the explorer
# as model.glb, a small tree of models, and the files that the page shows ("<!-- file: NAME -->", "more:" for
# what is added to one, "after: TEXT" for what is added behind a line). Exit code 0 is expected, or N where the
# line ends in "# exit N". Scenes that a page shows must pass zoetrope check.
#   usage: run_commands.sh SOURCE_DIR BUILD_DIR [PAGE...]
# Builds and tests would take long, so cmake, ctest and the package tools are stand-ins: presets, targets
# and tests must exist; configuring and installing are real.
set -u
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
shift 2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
tab=$(printf '\t')
faults=0
program=""
commands=0
marks=0
cd "$source" || exit 1
pages=${*:-$(ls ./*.md docs/*.md bench/*.md)}

# stand_in NAME: a program of this name, from standard input, before the real one.
mkdir "$work/bin" "$work/home"
stand_in() {
    { printf '#!/bin/sh\nreal=%s\nbuild=%s\n' "$(command -v "$1" || echo true)" "$build" && cat; } \
        >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
ln -s "$build/zoetrope" "$work/bin/zoetrope"
# The list of tests, in a folder of its own: even ctest -N writes a log, over that of the tests that run now.
mkdir "$work/tests"
(cd "$build" && find . -name CTestTestfile.cmake -exec tar -c {} +) | tar -x -C "$work/tests"
echo 'exit 0' | stand_in apt-get
echo 'echo "install ok installed"' | stand_in dpkg-query
echo 'exec "$@"' | stand_in sudo
stand_in cmake <<'END'
kind=configure preset="" target="" folder=""
for argument in "$@"; do
    case $last in
    --preset) preset=$argument ;;
    --target) target=$argument ;;
    --build | --install | -B) folder=$argument ;;
    esac
    case $argument in
    --build) kind=build ;;
    --workflow) kind=workflow ;;
    --install) kind=install ;;
    esac
    last=$argument
done
if [ -n "$preset" ]; then
    "$real" --list-presets=$kind | grep -q "^ *\"$preset\"" || {
        echo "no preset $preset to $kind"
        exit 1
    }
    [ -z "$target" ] || "$real" --build "$build" --target "$target" -- -n >/dev/null || {
        echo "no target $target"
        exit 1
    }
elif [ $kind = build ]; then
    "$real" "$@" --target help | grep -qE "(^|[ /])zoetrope(:|$)"
elif [ $kind = install ]; then
    shift 2
    "$real" --install "$build" "$@"
else
    # What was found out about the compiler holds here too.
    mkdir -p "$folder/CMakeFiles" && cp -r "$build"/CMakeFiles/[0-9]* "$folder/CMakeFiles" &&
        grep -E '^(ZT_HAS_|CMAKE_HAVE_|CMAKE_C_LINK_)[A-Za-z0-9_]*:INTERNAL' "$build/CMakeCache.txt" \
            >"$folder/CMakeCache.txt"
    "$real" "$@"
fi
END
stand_in ctest <<'END'
preset=""
for argument in "$@"; do
    shift
    case $last in --preset) preset=$argument ;; --test-dir) ;;
    *) case $argument in --preset | --test-dir) ;; *) set -- "$@" "$argument" ;; esac ;;
    esac
    last=$argument
done
[ -z "$preset" ] || cmake --list-presets=test | grep -q "^ *\"$preset\"" || {
    echo "no preset $preset to test"
    exit 1
}
"$real" --test-dir "${0%/bin/*}/tests" -N "$@" | grep 'Total Tests: [1-9]' && exit
# Some tests depend on the machine and on the instruction sets of the build.
case $* in -R\ *) grep -rh "add_test\|function\|ZT_" tests/*/CMakeLists.txt | grep "${2}" && exit ;; esac
echo "no test for: $*"
exit 1
END

# check_file PAGE LINE: a scene or suite that the page shows, not a program.
check_file() {
    case $file in *.yaml | *.json) run "$1" "$2" "zoetrope check $file" ;; esac
}

# prepare FOLDER: what a reader has before the first command of a page.
cp -r scenes "$work/scenes"
mkdir -p "$work/models/1" "$work/models/2"
cp scenes/models/walker.glb scenes/models/ball.glb scenes/models/door.glb "$work/models"
cp scenes/models/rod.glb "$work/models/1/scene.glb"
cp scenes/models/stairs.glb "$work/models/2/scene.glb"
prepare() {
    mkdir -p "$1/build"
    ln -s "$source/CMakeLists.txt" "$source/CMakePresets.json" "$source/LICENSE" "$source/README.md" \
        "$source/setup.sh" "$source/src" "$source/include" "$source/cmake" "$source/tests" "$source/bench" \
        "$source/golden" "$source/docs" "$work/scenes" "$work/models" "$1"
    ln -s "$build" "$1/build/release"
    cp scenes/models/walker.glb "$1/model.glb"
}

# run PAGE LINE COMMAND
run() {
    [ -z "$program" ] || command -v "$program" >/dev/null || return 0
    expected=0
    case $3 in *"# exit "[0-9]*) expected=${3##*# exit } expected=${expected%%[!0-9]*} ;; esac
    (cd "$folder" && PATH=$work/bin:$PATH HOME=$work/home exec timeout 120 sh -c "$3") \
        >"$work/out" 2>"$work/err" </dev/null
    status=$?
    commands=$((commands + 1))
    case $3 in *"# exit "?": "*[0-9\']*) # numbers and quotes are what the program says
        grep -qF -- "${3##*# exit ?: }" "$work/out" "$work/err" || status="$status without these words" ;;
    esac
    [ "$status" = "$expected" ] && return
    echo "run_commands: $1:$2: exit $status (expected $expected): $3"
    tail -n 5 "$work/out" "$work/err"
    faults=$((faults + 1))
}

for page in $pages; do
    page=${page#./}
    awk -f "$here/commands.awk" "$page" >"$work/found"
    [ -s "$work/found" ] || continue
    : >"$work/rest"
    folder=$work/$(printf '%s' "$page" | tr '/.' '__')
    prepare "$folder"
    began=$(date +%s)
    before=$commands
    file=""
    while IFS=$tab read -r kind line text; do
        if [ "$kind" != text ] && [ -s "$work/rest" ]; then
            cat "$work/rest" >>"$folder/$last"
            : >"$work/rest"
        fi
        case $kind in
        mark) marks=$((marks + 1)) ;;
        need) program=$text ;;
        file)
            file=$text
            : >"$folder/$file" ;;
        more) file=$text ;;
        after)
            file=$last
            mv "$folder/$file" "$work/whole"
            awk -v text="$text" -v rest="$work/rest" '{ print >(found ? rest : "/dev/stdout") }
                index($0, text) { found = 1 } END { exit !found }' "$work/whole" >"$folder/$file" || {
                echo "run_commands: $page:$line: $file has no line with '$text'"
                faults=$((faults + 1))
            } ;;
        text)
            last=$file
            printf '%s\n' "$text" >>"$folder/$file" ;;
        run | other)
            check_file "$page" "$line"
            file=""
            run "$page" "$line" "$text" ;;
        esac
    done <"$work/found"
    check_file "$page" ""
    [ "$commands" -eq "$before" ] ||
        echo "run_commands: $page: $((commands - before)) commands in $(($(date +%s) - began)) s"
    rm -rf "$folder"
done

[ "$faults" -eq 0 ] || exit 1
if [ "$commands" -lt 30 ] && [ $# -eq 0 ]; then
    echo "run_commands: only $commands commands were found: the search is broken"
    exit 1
fi
echo "run_commands: $commands commands ran, $marks blocks are marked as not run"
