#!/bin/sh
# Judges a build against the dumps of all releases that share its symbol version.
#
#     compatible.sh LIBRARY INCLUDE_DIR RELEASED_DIR VERSION_SCRIPT
#
# 0: compatible; 1: not; 77: cannot be judged (no abidw, no debug information, another architecture).
set -eu
library=$1 include=$2 released=$3 script=$4
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for tool in abidw abidiff readelf; do
    command -v "$tool" >/dev/null || { echo "no $tool"; exit 77; }
done
readelf -SW "$library" | grep -q '\.debug_info' || { echo "no debug information in $library"; exit 77; }
sh "$here/dump.sh" "$library" "$include" "$work/clustersize.abi"

node=$(sed -n 's/^\(CLUSTERSIZE_[0-9.]*\) *{.*/\1/p' "$script" | tail -n 1)
[ -n "$node" ] || { echo "no symbol version in $script"; exit 1; }
architecture=$(sed -n "s/^<abi-corpus .*architecture='\([^']*\)'.*/\1/p" "$work/clustersize.abi")
judged=0
for dump in "$released"/*/clustersize.abi; do
    [ -f "$dump" ] || continue
    grep -q "version='$node'" "$dump" || continue
    grep -q "architecture='$architecture'" "$dump" || { echo "$dump is of another architecture"; continue; }
    echo "against $dump"
    abidiff --no-added-syms "$dump" "$work/clustersize.abi" || { echo "not compatible"; exit 1; }
    judged=$((judged + 1))
done
if [ "$judged" -eq 0 ]; then
    echo "no released dump of $node for $architecture"
    exit 77
fi
echo "$judged releases, compatible"
