#!/bin/sh
# SPDX-License-Identifier: MIT
# How many small bugs do the tests find? Run by hand, from anywhere:
#
#   sh tests/mutation/run.sh [--check|--quick] [NAME...]
#
# Each entry of mutations.txt is one bug that could happen: a line of src, found by its text, and
# what stands there instead. The script puts it into a copy of the tree, builds what the named tests
# need and runs them; if they pass, also every golden picture once, and then all other tests but the
# lints. It prints one line for each bug and a total, and fails when fewer than 37 of 40 are caught.
# --check only says whether each text is found once; --quick runs only the named tests. With names
# it takes these bugs alone.
# ZT_MUTATION_DIR: where the copy and its build go (build/mutation). About 30 s each on two cores.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=${ZT_MUTATION_DIR:-$root/build/mutation}
tree=$work/tree
build=$work/build
check=false quick=false
case ${1:-} in
--check) check=true && shift ;;
--quick) quick=true && shift ;;
esac

# field NAME KEY: the text of one line of an entry: its tests (@), the old text (-), the new one (+).
field() {
  awk -v name="$1" -v key="$2" '
    substr($0, 1, 2) == "@ " { here = $2 == name }
    here && substr($0, 1, 2) == key " " {
      text = substr($0, 3)
      if (key == "@") sub(/^[^ ]+ */, "", text)
      print text
      exit
    }' "$here/mutations.txt"
}

# places TEXT FOLDER: the lines of FOLDER/src that hold the text, FILE:LINE each.
places() {
  (cd "$2" && grep -rnF -e "$1" src | cut -d: -f1,2)
}

names=$*
[ -n "$names" ] || names=$(sed -n 's/^@ \([^ ]*\).*/\1/p' "$here/mutations.txt")

if $check; then
  stale=0
  for name in $names; do
    count=$(places "$(field "$name" -)" "$root" | wc -l)
    [ "$count" -eq 1 ] && continue
    echo "$name: its text is found $count times"
    stale=$((stale + 1))
  done
  [ "$stale" -eq 0 ]
  exit
fi

# The copy follows the tree. Files that are equal stay, so that they keep their times: an object of
# the last bug must be older than the file that is whole again.
mkdir -p "$tree"
(cd "$root" && git ls-files) | LC_ALL=C sort >"$work/files"
while read -r name; do
  [ ! -f "$root/$name" ] || cmp -s "$root/$name" "$tree/$name" || {
    mkdir -p "$tree/$(dirname "$name")"
    cp "$root/$name" "$tree/$name"
  }
done <"$work/files"
(cd "$tree" && find src tests scenes -type f) | LC_ALL=C sort | LC_ALL=C comm -13 "$work/files" - |
  while read -r name; do rm -f "$tree/$name"; done
(cd "$tree" && cmake --preset ci -B "$build" -DZT_KERNELS="${ZT_MUTATION_KERNELS:-scalar;avx2}") \
  >"$work/configure.log"
# target_of TEST: what must be built for a ctest.
target_of() {
  case $1 in
  cli_* | golden.* | api_*) echo zoetrope ;;
  golden_matrix) echo matrix ;;
  *) echo "$1" ;;
  esac
}

# Without a bug all of them pass: else none of them says anything.
tests=$(for name in $names; do field "$name" @; done | tr ' ' '\n' | sort -u | grep -v '^golden_matrix$')
# shellcheck disable=SC2046 # several words
cmake --build "$build" --target matrix $(for test in $tests; do target_of "$test"; done | sort -u) \
  >"$work/build.log" 2>&1 || {
  tail -20 "$work/build.log"
  echo "the tree does not build as it is" >&2
  exit 2
}
ctest --test-dir "$build" -j2 --no-tests=error -R "^($(echo $tests | tr ' ' '|'))\$" \
  >"$work/test.log" 2>&1 || {
  tail -20 "$work/test.log"
  echo "its tests fail as it is" >&2
  exit 2
}

# caught_by TEST...: builds and runs them until one fails, whose name it prints.
caught_by() {
  for test in "$@"; do
    cmake --build "$build" --target "$(target_of "$test")" >"$work/build.log" 2>&1 || {
      echo "the compiler"
      return
    }
    if [ "$test" = golden_matrix ]; then
      (cd "$tree" && timeout 300 "$build/tests/golden/matrix" . --threads 2 --orders forward \
        --schedules together >"$work/test.log" 2>&1)
    else
      ctest --test-dir "$build" -R "^$test\$" --timeout 120 --no-tests=error >"$work/test.log" 2>&1
    fi || {
      echo "$test"
      return
    }
  done
}

rest() {
  cmake --build "$build" >"$work/build.log" 2>&1
  ctest --test-dir "$build" -LE 'lint|golden' -j2 --timeout 120 --stop-on-failure \
    >"$work/test.log" 2>&1 || sed -n 's/.*- \([a-z0-9_.]*\) (.*/\1/p' "$work/test.log" | head -1
}

file=
restore() {
  [ -z "$file" ] || cp "$work/original" "$tree/$file"
  file=
}
trap 'restore; exit 130' INT TERM
trap restore EXIT

total=0 caught=0
for name in $names; do
  old=$(field "$name" -) new=$(field "$name" +)
  place=$(places "$old" "$tree")
  if [ -z "$old" ] || [ "$(printf '%s\n' "$place" | grep -c .)" -ne 1 ]; then
    echo "stale     $name: its text is not found once"
    total=$((total + 1))
    continue
  fi
  file=${place%%:*}
  cp "$tree/$file" "$work/original"
  OLD=$old NEW=$new awk '{
    at = index($0, ENVIRON["OLD"])
    if (at) $0 = substr($0, 1, at - 1) ENVIRON["NEW"] substr($0, at + length(ENVIRON["OLD"]))
    print
  }' "$work/original" >"$tree/$file"
  total=$((total + 1))
  # shellcheck disable=SC2046 # several words
  by=$(caught_by $(field "$name" @))
  [ -n "$by" ] || $quick || by=$(caught_by golden_matrix)
  [ -n "$by" ] || $quick || by=$(rest)
  restore
  if [ "$by" = "the compiler" ]; then
    echo "invalid   $name: it does not compile"
  elif [ -n "$by" ]; then
    caught=$((caught + 1))
    echo "caught    $name by $by"
  else
    echo "SURVIVED  $name ($place)"
  fi
done
echo "$caught of $total caught"
[ $((caught * 40)) -ge $((total * 37)) ]
