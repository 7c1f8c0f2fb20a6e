#!/bin/sh
# Writes down the ABI of a release: tests/abi/released/VERSION/{clustersize.abi,fields.txt,constants.txt}.
#
#     tests/abi/release.sh
#
# Builds the checkout with debug information in a temporary directory. Once the version is tagged its files are never
# written again.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
version=$(sed -n 's/^#define CSZ_VERSION_STRING "\(.*\)"/\1/p' "$root/include/clustersize/clustersize.h")
out=$root/tests/abi/released/$version
if git -C "$root" rev-parse -q --verify "refs/tags/v$version" >/dev/null; then
    echo "$version is released: its files stay as they are" >&2
    exit 1
fi
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
meson setup "$build" "$root" --buildtype=debugoptimized -Dtests=disabled >/dev/null
meson compile -C "$build" clustersize:shared_library dump_fields >/dev/null
mkdir -p "$out"
sh "$root/tests/abi/dump.sh" "$build/lib/libclustersize.so" "$root/include" "$out/clustersize.abi"
"$build/tests/abi/dump_fields" >"$out/fields.txt"
python3 "$root/tests/abi/constants.py" "$root/include/clustersize/enums.h" >"$out/constants.txt"
wc -l "$out"/*
