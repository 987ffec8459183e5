#!/bin/sh
# Compares the move generator of a UCI engine with Assay: check.sh GAME ENGINE [OPTION OF COMPARE...]
# The exit status is 1 after the first difference, which is printed; perft.xml has the results for the CI system.
set -eu
game=$1
engine=$2
shift 2
exec assay-perft compare "$game" --against "$engine" --max-differences 1 --junit perft.xml --progress none "$@"
