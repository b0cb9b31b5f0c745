#!/bin/sh
# SPDX-License-Identifier: MIT
# Shards of a shot: by number, and by the variables of job arrays.
. "$(dirname "$0")/expect.sh"
unset SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_MIN SLURM_ARRAY_TASK_MAX SLURM_ARRAY_TASK_STEP SLURM_ARRAY_TASK_COUNT \
  JOB_COMPLETION_INDEX AWS_BATCH_JOB_ARRAY_INDEX

# array MIN MAX STEP COUNT: the environment of a Slurm job array, for the task in SLURM_ARRAY_TASK_ID.
array() {
  export SLURM_ARRAY_TASK_MIN="$1" SLURM_ARRAY_TASK_MAX="$2" SLURM_ARRAY_TASK_STEP="$3" SLURM_ARRAY_TASK_COUNT="$4"
}
shard() {
  run 0 turntable "$tri" --count 7 --size 16 -q -o "$1/####.png" --shard "$2"
}
same() {
  checks=$((checks + 1))
  diff -r whole "$1" >.out || fail "the shards of $1 are not the whole"
}

run 0 turntable "$tri" --count 7 --size 16 -q -o "whole/####.png"
array 0 2 1 3
for SLURM_ARRAY_TASK_ID in 0 1 2; do
  export SLURM_ARRAY_TASK_ID
  shard slurm slurm
done
same slurm
# The job script of docs/examples; a task that is repeated does nothing.
run 0 render "$tri" --frames 0-6 --size 16 -q -o "frames/####.png"
for SLURM_ARRAY_TASK_ID in 0 1 2 1; do
  ZOETROPE=$ZOETROPE SLURM_CPUS_PER_TASK=2 sh "$SOURCE/docs/examples/slurm.sh" "$tri" "job/####.png" --frames 0-6 --size 16 \
    --json >.out 2>.err || fail "docs/examples/slurm.sh: exit $?"
done
[ "$(grep -o '"skipped":true' .out | wc -l)" -eq 2 ] || fail "task 1 of docs/examples/slurm.sh has other frames"
diff -r frames job >.out || fail "the frames of docs/examples/slurm.sh are others"
# Tasks 5, 8 and 11. The last one has frames 2 and 5.
array 5 13 3 3
SLURM_ARRAY_TASK_ID=11
shard steps slurm
[ "$(echo steps/*)" = "steps/0002.png steps/0005.png" ] || fail "task 11 of 5-13:3 made $(echo steps/*)"
SLURM_ARRAY_TASK_ID=12 refuse 2 "array without gaps" render "$tri" --shard slurm
array 1 7 1 3
refuse 2 "array without gaps" render "$tri" --shard slurm
array x 7 1 3
refuse 2 "SLURM_ARRAY_TASK_MIN is 'x'" render "$tri" --shard slurm
unset SLURM_ARRAY_TASK_ID
refuse 2 "SLURM_ARRAY_TASK_ID is not set (expected to run as a task of a Slurm job array" render "$tri" --shard slurm

for JOB_COMPLETION_INDEX in 0 1; do
  export JOB_COMPLETION_INDEX
  shard kubernetes kubernetes/2
done
same kubernetes
JOB_COMPLETION_INDEX=2 refuse 2 "JOB_COMPLETION_INDEX is 2 (expected 0 to 1)" render "$tri" --shard kubernetes/2
refuse 2 "expected kubernetes/N" render "$tri" --shard kubernetes
refuse 2 "expected aws/N" render "$tri" --shard aws/x
refuse 2 "AWS_BATCH_JOB_ARRAY_INDEX is not set" render "$tri" --shard aws/4
AWS_BATCH_JOB_ARRAY_INDEX=6 shard aws aws/7
[ "$(echo aws/*)" = aws/0006.png ] || fail "the last of aws/7 made $(echo aws/*)"
refuse 2 "did you mean 'slurm'" render "$tri" --shard slrum
refuse 2 "expected I/N with I from 1 to N" render "$tri" --shard 3/2

# The recipe of docs/farm.md, where GNU parallel is installed.
if parallel --version 2>/dev/null | grep -q GNU; then
  parallel -j 2 "$ZOETROPE" turntable "$tri" --count 7 --size 16 -q -o "parallel/####.png" --threads 1 \
    --shard {}/3 ::: 1 2 3 >.out 2>.err || fail "parallel failed"
  same parallel
fi
finish
