#!/bin/sh
# A shot as a Slurm job array. Each task renders its part of the frames; frames that are there stay.
#
#   sbatch --array=0-19 docs/examples/slurm.sh scene.yaml 'frames/####.png' [FLAGS...]
#
# A task whose node fails is put back into the queue and goes on where it stopped. After a cancelled
# or failed job submit the same line again: only what is missing is rendered.
#SBATCH --job-name=zoetrope
#SBATCH --cpus-per-task=2
#SBATCH --mem=2G
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=zoetrope-%A_%a.log
scene=$1
frames=$2
shift 2
exec "${ZOETROPE:-zoetrope}" render "$scene" -o "$frames" --shard slurm --resume \
  --threads "${SLURM_CPUS_PER_TASK:-1}" "$@"
