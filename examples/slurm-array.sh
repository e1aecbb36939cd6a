#!/bin/sh
# A film as a Slurm array: each task draws its share of the frames. A task that was ended goes on from what is whole.
#
#   parts=$(sbatch --parsable --array=0-15 examples/slurm-array.sh)
#   sbatch --dependency=afterok:$parts --wrap 'pelagic record merge film --out film.mp4'
#
#SBATCH --job-name=pelagic
#SBATCH --cpus-per-task=8
#SBATCH --mem=8G
#SBATCH --time=04:00:00
#SBATCH --requeue
set -eu

# All parts share a folder; each has a manifest of its own in it.
exec "${PELAGIC:-pelagic}" record --out film/ --part "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
    --scene reef --tour --seconds 60 --fps 30 --size 3840x2160 --quality ultra
