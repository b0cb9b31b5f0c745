#!/bin/sh
# generated.sh GENERATOR SOURCE_DIR: the generators rebuild scenes/models byte for byte.
set -eu
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
"$1" "$fresh"
diff -r "$fresh" "$2/scenes/models"
