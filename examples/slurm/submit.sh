#!/bin/bash
# Submits a run as an array of shards, and the job that merges them when all have ended.
#
#   ./submit.sh SHARDS OUT.db COMMAND...
#   ./submit.sh 16 gamma2.db generate gamma2 --games 100000 --nodes 2000 --seed 7
#
# COMMAND is a command of assay-selfplay (generate, match) or assay-tuner (validate, weigh) without the options for
# its file, threads and shard, which shard.sbatch adds. Run it again to continue a run that failed or to extend it.
set -euo pipefail
if [ $# -lt 3 ]; then
    echo "usage: $0 SHARDS OUT.db COMMAND..." >&2
    exit 2
fi
case $2 in
*.db) ;;
*)
    echo "$0: found $2, expected the name of a file that ends in .db" >&2
    exit 2
    ;;
esac
here=$(dirname "$(readlink -f "$0")")
shards=$1 out=$2
shift 2
array=$(sbatch --parsable --array=1-"$shards" "$here/shard.sbatch" "$shards" "$out" "$@")
merge=$(sbatch --parsable --dependency=afterok:"$array" "$here/merge.sbatch" "$shards" "$out")
echo "shards: job array $array of $shards tasks; merging: job $merge"
