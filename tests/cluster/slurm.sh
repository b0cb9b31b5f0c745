#!/bin/sh
# SPDX-License-Identifier: MIT
# A job array on a Slurm of one node, started here and ended here: the job script of docs/farm renders a
# scene while workers are killed and put back into the queue; the frames must be those of one run.
# Started by hand, as root. usage: slurm.sh ZOETROPE [FRAMES [TASKS]]
set -u
zoetrope=$(realpath "${1:?usage: slurm.sh ZOETROPE [FRAMES [TASKS]]}") || exit 2
frames=${2:-60}
tasks=${3:-6}
root=$(cd "$(dirname "$0")/../.." && pwd)
for program in slurmctld slurmd munged mungekey sbatch squeue scontrol; do
  if ! PATH=$PATH:/usr/sbin command -v $program >/dev/null; then
    echo "skipped: $program is not installed (Debian: slurmctld slurmd slurm-client munge)"
    exit 77
  fi
done
[ "$(id -u)" -eq 0 ] || { echo "skipped: slurmd needs root"; exit 77; }
PATH=$PATH:/usr/sbin
work=$(mktemp -d /tmp/zt-slurm-XXXXXX) || exit 1
chmod 755 "$work"
pids=
stop() {
  for pid in $pids; do kill "$pid" 2>/dev/null; done
  sleep 1
  for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
  rm -rf "$work"
}
trap stop EXIT
trap 'exit 1' INT TERM
die() {
  echo "slurm.sh: $*"
  tail -n 20 "$work"/log/* 2>/dev/null
  exit 1
}

# ---- A cluster of one node ----------------------------------------------------------------------
host=$(hostname -s)
mkdir "$work/ctl" "$work/d" "$work/log" "$work/munge"
chmod 700 "$work/munge"
mungekey --create --keyfile="$work/munge/key" || die "no key"
munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
  --seed-file="$work/munge/seed" --log-file="$work/log/munge" 2>/dev/null &
pids=$!
cat >"$work/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket=$work/munge/socket
SlurmUser=root
SlurmctldPort=17917
SlurmdPort=17918
StateSaveLocation=$work/ctl
SlurmdSpoolDir=$work/d
SlurmctldPidFile=$work/ctl.pid
SlurmdPidFile=$work/d.pid
SlurmctldLogFile=$work/log/ctl
SlurmdLogFile=$work/log/d
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
KillWait=2
ReturnToService=2
NodeName=$host CPUs=2 State=UNKNOWN
PartitionName=p Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF="$work/slurm.conf"
sleep 1
slurmctld -D 2>/dev/null &
pids="$pids $!"
slurmd -D 2>/dev/null &
pids="$pids $!"
for _ in $(seq 60); do
  sinfo -h -o %T 2>/dev/null | grep -q idle && break
  sleep 0.5
done
sinfo -h -o %T | grep -q idle || die "the node is not idle"

# ---- One run, and an array of tasks -------------------------------------------------------------
cd "$work" || exit 1
cat >shot.yaml <<SHOT
format: 1
output: { size: [640, 480], frames: 0-$((frames - 1)), fps: 30, samples: 8 }
models: [ { file: $root/scenes/models/walker.glb, animation: { clip: walk, loop: repeat } } ]
SHOT
"$zoetrope" check shot.yaml || die "the scene"
"$zoetrope" render shot.yaml -q --threads 2 -o 'whole/####.png' || die "the whole"

export ZOETROPE="$zoetrope"
job=$(sbatch --parsable --array="3-$((3 + 2 * tasks - 2)):2" --cpus-per-task=1 --mem=0 "$root/docs/examples/slurm.sh" \
  "$work/shot.yaml" "$work/array/####.png") || die "sbatch"
count() { find array -name '????.png' 2>/dev/null | wc -l; }
# worker: the number of a process of the array that renders now.
worker() { pgrep -f "render $work/shot.yaml" | head -n 1; }

kills=0
requeues=0
for _ in $(seq 6000); do
  [ -n "$(squeue -h -j "$job" 2>/dev/null)" ] || break
  done_now=$(count)
  if [ $requeues -eq 0 ] && [ "$done_now" -ge $((frames / 6)) ]; then
    # A task is taken from its node, as before maintenance, and comes back.
    task=$(squeue -h -j "$job" -t RUNNING -r -o %i | head -n 1)
    [ -z "$task" ] || { scontrol requeue "$task" && requeues=1; }
  elif [ $requeues -eq 1 ] && squeue -h -j "$task" -t PENDING -o %i 2>/dev/null | grep -q .; then
    # It would wait two minutes.
    scontrol update jobid="$task" starttime=now 2>/dev/null
  fi
  if [ $kills -lt 2 ] && [ "$done_now" -ge $((frames / 3 * (kills + 1))) ]; then
    # A worker dies without a word. Slurm calls its task failed, and does not repeat it.
    pid=$(worker)
    [ -z "$pid" ] || { kill -9 "$pid" && kills=$((kills + 1)); }
  fi
  sleep 0.05
done
[ -z "$(squeue -h -j "$job" 2>/dev/null)" ] || die "the array does not end"
missing=$((frames - $(count)))
echo "first array: $kills workers killed, 1 put back into the queue, $missing of $frames frames missing"
[ "$kills" -gt 0 ] && [ $requeues -gt 0 ] || die "nothing was killed: use more frames"

# The same line again, for what is missing. Nothing that is there is written again.
find array -name '????.png' -printf '%f %T@ %i\n' | sort >before
job=$(sbatch --parsable --wait --array="0-$((tasks - 1))" --cpus-per-task=1 --mem=0 "$root/docs/examples/slurm.sh" \
  "$work/shot.yaml" "$work/array/####.png") || die "the second array failed"
find array -name '????.png' -printf '%f %T@ %i\n' | sort >after
[ "$(comm -23 before after | wc -l)" -eq 0 ] || die "frames that were there were written again"
diff -r whole array || die "the frames are not those of one run"
echo "$frames frames by $tasks tasks are those of one run, bit for bit; no other file is in the folder"
