#!/bin/sh
# A film by several processes at once on this machine, with GNU parallel:
#
#   examples/parallel.sh WORKERS OUT [arguments of `pelagic record`, such as --tour --seconds 20]
#
# The parts stay in OUT.parts when anything fails; the same command goes on from there.
set -eu

workers=$1 out=$2
shift 2
pelagic=${PELAGIC:-pelagic}
seq 0 $((workers - 1)) | parallel --will-cite --jobs "$workers" --halt now,fail=1 --quote \
    "$pelagic" record --out "$out.parts/" --part "{}/$workers" "$@"
"$pelagic" record merge "$out.parts" --out "$out"
rm -r "$out.parts"
