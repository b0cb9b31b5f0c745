#!/bin/sh
# SPDX-License-Identifier: MIT
# setup.sh says how far a build is and how long it took, and what is wrong. usage: setup.sh SOURCE_DIR
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$1/setup.sh" "$work"
mkdir "$work/bin"
printf '#!/bin/sh\n[ $1 != --build ] || { echo "[1/20] a"; echo "[2/20] b"; echo "[20/20] c"; echo "d: wrong"; exit $CODE; }\n' >"$work/bin/cmake"
echo 'echo "install ok installed"' | tee "$work/bin/dpkg-query" >"$work/bin/ctest"
chmod +x "$work"/bin/*
for code in 0 1; do
    status=0
    CODE=$code PATH=$work/bin:$PATH "$work/setup.sh" test >"$work/out" || status=$?
    [ "$status" -eq "$code" ]
    [ "$(grep -c ' of 20 files$' "$work/out")" -eq 2 ]
    grep -q '^d: wrong$' "$work/out"
done
CODE=0 PATH=$work/bin:$PATH "$work/setup.sh" test | grep -qE '^setup:   built after [0-9]+ min [0-9]+ s$'
