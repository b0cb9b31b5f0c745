# SPDX-License-Identifier: MIT
# Sourced by the tests of the command line. Environment: ZOETROPE (the program), MODELS (the folder
# of test models). Each test works in a folder of its own and reports every failure before it ends.
set -u
unset ZT_ISA ZT_THREADS
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
: >.out
: >.err
failures=0
checks=0
tri=$MODELS/triangle.gltf
version=$("$ZOETROPE" --version | sed -n '1s/^zoetrope \(.*\)$/"\1"/p')

fail() {
  failures=$((failures + 1))
  echo "FAIL: $*"
  sed 's/^/  stdout: /' "$work/.out" 2>/dev/null | head -5
  sed 's/^/  stderr: /' "$work/.err" 2>/dev/null | head -5
}

# run CODE ARGUMENT...: runs the program and checks its exit code.
run() {
  checks=$((checks + 1))
  wanted=$1
  shift
  words=$*
  "$ZOETROPE" "$@" >"$work/.out" 2>"$work/.err"
  code=$?
  [ "$code" -eq "$wanted" ] || fail "zoetrope $words: exit $code, expected $wanted"
  case $words in
  *--json*) # a result document names the build that made it
    if grep -q '^{' "$work/.out" && ! grep -qF "\"zoetrope\":$version" "$work/.out" &&
      ! grep -qF "\"zoetrope\": $version" "$work/.out"; then
      fail "zoetrope $words: no version in the result document"
    fi ;;
  esac
  case $words in
  *--stats*) return ;; # a table
  esac
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
    "" | "zoetrope: "*) ;;
    *) fail "zoetrope $words: a line on stderr that does not start with 'zoetrope: '" ;;
    esac
  done <"$work/.err"
}

# files: the names of all files here, by the shell alone: it is asked twice for each refusal.
files() {
  for name in * */*; do
    [ ! -f "$name" ] || printf '%s\n' "$name"
  done
}

# refuse CODE TEXT ARGUMENT...: fails with CODE, says TEXT in one line, nothing on stdout, no files.
refuse() {
  refused_code=$1
  text=$2
  shift 2
  before=$(files)
  run "$refused_code" "$@"
  lines=0 said=no
  while IFS= read -r line; do
    lines=$((lines + 1))
    case $line in *"$text"*) said=yes ;; esac
  done <"$work/.err"
  [ $said = yes ] || fail "zoetrope $words: no '$text' in its message"
  [ $lines -eq 1 ] || fail "zoetrope $words: not one line on stderr"
  [ ! -s "$work/.out" ] || fail "zoetrope $words: something on stdout"
  [ "$before" = "$(files)" ] || fail "zoetrope $words: files left behind"
}

# await COMMAND...: until it succeeds, a minute at most.
await() {
  tries=0
  until "$@" || [ $tries -ge 600 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
}

# hash FILE [FLAG...]: the pixel hash of a small picture, made with $hash_flags.
hash() {
  shown=$1
  shift
  # shellcheck disable=SC2086 # several words
  "$ZOETROPE" thumbnail "$shown" hash.png $hash_flags --json -q "$@" 2>/dev/null |
    sed -n 's/.*"hash":"\([0-9a-f]*\)".*/\1/p'
}

# uses FILE: a model whose buffer is FILE.
uses() {
  printf '{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"buffers":[{"byteLength":36,"uri":"%s"}],
    "bufferViews":[{"buffer":0,"byteLength":36}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}]}' "$1"
}

# find_assets NAME...: `assets` is the folder of files of other makers; a test ends where it lacks one of these.
find_assets() {
  assets=${ZT_ASSETS:-$MODELS/../../../../shared/assets}
  for name in "$@"; do
    [ -e "$assets/$name" ] || { echo "skipped: no $assets/$name" && exit 0; }
  done
  assets=$(cd "$assets" && pwd)
}

# python WORD...: python3 with these, where it is installed.
python() {
  ! command -v python3 >/dev/null || python3 "$@"
}

# out_has TEXT...: all of these; err_has the same.
out_has() {
  has stdout "$work/.out" "$@"
}

err_has() {
  has stderr "$work/.err" "$@"
}

has() {
  stream=$1 stream_file=$2
  shift 2
  for piece in "$@"; do
    checks=$((checks + 1))
    grep -qF -- "$piece" "$stream_file" || fail "zoetrope $words: no '$piece' on $stream"
  done
}

# prints CODE TEXT ARGUMENT...: ends with CODE and has TEXT on stdout; warns: on stderr.
prints() {
  ends=$1 said=$2
  shift 2
  run "$ends" "$@"
  out_has "$said"
}

warns() {
  ends=$1 said=$2
  shift 2
  run "$ends" "$@"
  err_has "$said"
}

is_file() {
  for name in "$@"; do
    checks=$((checks + 1))
    [ -s "$name" ] || fail "after zoetrope $words: no file $name"
  done
}

no_file() {
  for name in "$@"; do
    checks=$((checks + 1))
    [ ! -e "$name" ] || fail "after zoetrope $words: there is a file $name"
  done
}

# installed PROGRAM: whether it is installed; says what is not looked at otherwise.
installed() {
  command -v "$1" >/dev/null && return 0
  echo "skipped: no $1"
  return 1
}

finish() {
  echo "$checks checks, $failures failures"
  [ "$checks" -gt 0 ] && [ "$failures" -eq 0 ]
  exit $?
}
