#!/bin/sh
# pairs.sh SOURCE_DIR: pictures that must be equal have equal hashes in the manifest, whatever they
# are; and every picture in golden/ belongs to a line and the other way round.
set -eu
source_dir=$1
. "$(dirname "$0")/manifest.sh"
hash_of() {
    golden_line "$1"
    echo "$hash"
}
status=0
for pair in walk=walk_m3d loop_start=loop_wrap; do
    if [ "$(hash_of "${pair%=*}")" != "$(hash_of "${pair#*=}")" ]; then
        echo "${pair%=*} and ${pair#*=} must be the same picture"
        status=1
    fi
done
names=$(sed -n 's/^\([a-z][a-z0-9_]*\)  .*/\1/p' "$source_dir/golden/manifest.txt" | sort)
pictures=$(cd "$source_dir/golden" && ls ./*.png | sed 's|^\./||; s/\.png$//' | sort)
if [ "$names" != "$pictures" ]; then
    echo "golden/manifest.txt and its pictures do not match"
    status=1
fi
exit $status
