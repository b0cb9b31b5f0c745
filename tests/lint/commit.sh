#!/bin/sh
# SPDX-License-Identifier: MIT
# commit.sh SOURCE_DIR CMAKE: the commit in zt_version() (cmake/commit.cmake) differs between commits,
# and between states of a checkout that are in none: pictures are known by it.
set -eu
command -v git >/dev/null || exit 77
script=$1/cmake/commit.cmake cmake=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/checkout"
cd "$work/checkout"
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a GIT_CONFIG_GLOBAL=/dev/null

# names: adds what the version would say now.
names() {
    "$cmake" -D GIT=git -D SOURCE_DIR="$PWD" -D FILE="$work/commit.h" -P "$script"
    cat "$work/commit.h" >>"$work/all"
}
names
git init -q .
echo 1 >a.c
git add a.c
git commit -qm one
names
for text in 2 3; do
    echo $text >a.c
    names
done
git commit -qam two
names
git commit -q --allow-empty -m three
names
[ "$(sort -u "$work/all" | wc -l)" -eq 6 ] || {
    echo "commit.sh: states that differ have one name:"
    cat "$work/all"
    exit 1
}
grep -q 'dirty-[0-9a-f]\{8\})' "$work/all"
