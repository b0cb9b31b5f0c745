#!/bin/sh
# SPDX-License-Identifier: MIT
# The Python wheel: built twice to the same bytes, installed from the file alone into a new venv, and tested there
# by test_python.py; nothing stays in the folder of temporaries. usage: python.sh SOURCE_DIR ZOETROPE
set -eu
python=${PYTHON:-/usr/bin/python3}
"$python" -c 'import ensurepip, numpy, PIL, pytest, setuptools, wheel' 2>/dev/null || {
    echo "bindings: SKIPPED, python3-venv, -setuptools, -wheel, -numpy, -pil or -pytest is not installed"
    exit 77
}
source=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/a folder with ü" "$work/tmp"
for n in 1 2; do
    SOURCE_DATE_EPOCH=1700000000 PYTHON=$python "$source/src/bindings/python/wheel.sh" "$work/$n" "$2" "$(uname -m)" \
        2>"$work/log" || { cat "$work/log" && exit 1; }
done
cmp "$work"/1/*.whl "$work"/2/*.whl
cd "$work/a folder with ü"
"$python" -m venv --system-site-packages venv
venv/bin/pip install -q --no-index "$work"/1/*.whl
cp "$source/scenes/models/walker.glb" model.glb
export ZOETROPE_SOURCE="$source" TMPDIR="$work/tmp"
venv/bin/python -m pytest -q -p no:cacheprovider --basetemp="$work/pytest" "$source/tests/bindings/test_python.py"
[ -z "$(ls -A "$TMPDIR")" ] || {
    echo "bindings: left in the folder of temporaries: $(ls -A "$TMPDIR")"
    exit 1
}
! command -v mypy >/dev/null || mypy --strict --ignore-missing-imports venv/lib/python3*/site-packages/zoetrope
