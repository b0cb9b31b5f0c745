#!/bin/sh
# SPDX-License-Identifier: MIT
# The packages for npm, installed without the network into an empty folder: npm_api.mjs and the first example of the
# README run there. Two packs have the same bytes; another platform is refused.
#   usage: npm.sh SOURCE_DIR ZOETROPE
. "$(dirname "$0")/npm_install.sh"
sh "$source/src/bindings/npm/pack.sh" "$work/again" "$program" >/dev/null
for package in "$work"/again/*; do cmp "$package" "$work/packages/${package##*/}"; done
ls node_modules/zoetrope/LICENSE node_modules/@zoetrope/*/LICENSE node_modules/@zoetrope/*/README.md >/dev/null

mkdir "$work/mac"
echo 'Object.defineProperty(process, "platform", { value: "darwin" })' >"$work/mac.cjs"
if (cd "$work/mac" && NODE_OPTIONS="--require $work/mac.cjs" npm install "$work"/packages/zoetrope-[0-9]*) 2>"$work/err"; then
    fail "the package can be installed on another platform"
fi
[ "$(grep -c 'Unsupported platform for zoetrope@.*"os":"linux"' "$work/err")" = 1 ] || fail "$(cat "$work/err")"
[ ! -e "$work/mac/node_modules" ]

block() { awk -v n="$1" '/^```/ { fences++; next } fences == 2 * n - 1' node_modules/zoetrope/README.md; }
block 1 | sh -eu >/dev/null
block 2 >example.mjs
node example.mjs | grep -q walk || fail "the first example prints no clip"
ls picture.png model.png walk-0.png walk-11.png >/dev/null

cp "$source/tests/bindings/npm_api.mjs" "$source/docs/examples/upload_service.mjs" .
node --test npm_api.mjs >"$work/log" 2>&1 </dev/null || fail "$(grep -A 20 '^not ok' "$work/log")"
[ -z "$(ls -A "$TMPDIR")" ] || fail "files are left: $(ls -A "$TMPDIR")"
left=$(ls -l /proc/[0-9]*/exe 2>/dev/null | grep -F "$work" || true)
[ -z "$left" ] || fail "a process is left: $left"
echo "npm: $(grep -c '^ok' "$work/log") tests passed"
