#!/bin/sh
# Packs this tree as a release: FOLDER/clustersize-VERSION.tar.gz, whose path it prints.
#
#     archive.sh FOLDER
set -eu
[ $# -eq 1 ] && [ -d "$1" ] || { sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
name=clustersize-$(sed -n 's/^#define CSZ_VERSION_STRING "\(.*\)"/\1/p' "$root/include/clustersize/clustersize.h")
# The date of the files: of the environment, else of the last commit, else now.
date=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
tar -C "$root" --exclude-vcs --exclude='./build*' --exclude=__pycache__ --sort=name --mtime="@$date" --owner=0 --group=0 \
    --numeric-owner --transform "s,^\.,$name," -cf - . | gzip -n >"$1/$name.tar.gz"
echo "$1/$name.tar.gz"
