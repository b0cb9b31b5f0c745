#!/bin/sh
# SPDX-License-Identifier: MIT
# score.sh ZOETROPE OUT [SET [FLAGS]]: renders the scenarios of the fidelity references and the references of
# Cycles to OUT, and prints how far the pictures are from path tracers, next to other renderers. SET is
# core (the headline), all, or a pattern of names; "cycles" renders those references alone.
# ZT_FIDELITY names the folder of the references (../shared/fidelity); without it nothing is done.
# Needs python3 with numpy, scipy and PIL (python3-numpy python3-scipy python3-pil).
set -eu
[ $# -ge 2 ] || {
    echo "usage: score.sh ZOETROPE OUT [SET [FLAGS]]"
    exit 2
}
here=$(dirname "$0")
references=${ZT_FIDELITY:-$here/../../../shared/fidelity}
zoetrope=$1 out=$2 set=${3:-core} flags=${4-} # of render: '--quality final'
[ -d "$references" ] || {
    echo "score: skipped: no folder $references"
    exit 0
}
for python in /usr/bin/python3 python3; do
    "$python" -c 'import numpy, scipy, PIL' 2>/dev/null && break
    python=
done
[ -n "$python" ] || {
    echo "score: skipped: no python3 with numpy, scipy and PIL"
    exit 0
}
mkdir -p "$out"

# render KIND NAMES: a picture of each scene; one that fails is reported and left out.
render() {
    "$python" "$here/fidelity_scenes.py" "$references" "$out" "$1" "$2" | while read -r name frame; do
        rm -f "$out/$name.png"
        # shellcheck disable=SC2086
        "$zoetrope" render "$out/$name.yaml" --frames "$frame" $flags -o "$out/$name.png" -q ||
            echo "score: $name was not rendered"
    done
}

if [ "$set" != cycles ]; then
    names=$("$python" "$references/score.py" --set "$set" --list)
    render scenarios "$names"
    "$python" "$references/score.py" "$out" --set "$set" --name zoetrope --json "$out/score.json" | tee "$out/score.txt"
    # A rank of 5/5 is worse than all four rasterizers.
    worst=$(awk '{ split($7, rank, "/"); if (rank[2] > 1 && rank[1] == rank[2]) print "  " $1 }' "$out/score.txt")
    [ -z "$worst" ] || printf 'worse than every rasterizer:\n%s\n' "$worst"
fi
render cycles ""
"$python" "$here/cycles_rmse.py" "$references/cycles" "$out"
