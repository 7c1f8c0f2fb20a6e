#!/bin/sh
# Writes the ABI of a library as the gate compares it, without the place of the sources.
#
#     dump.sh LIBRARY INCLUDE_DIR OUT
set -eu
abidw --headers-dir "$2" --drop-private-types --no-show-locs --no-corpus-path --no-comp-dir-path \
    --type-id-style hash --out-file "$3" "$1"
sed "s#\( path='\)[^']*/\(lib\)/#\1\2/#" "$3" >"$3.tmp"
mv "$3.tmp" "$3"
