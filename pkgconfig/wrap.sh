#!/bin/sh
# Writes the wrap file by which a Meson project takes a release as a subproject.
#
#     wrap.sh clustersize-0.1.0.tar.gz URL >subprojects/clustersize.wrap
#
# The archive holds one folder of its own name. Meson takes it from subprojects/packagecache, or from URL.
set -eu
[ $# -eq 2 ] && [ -f "$1" ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
archive=$(basename "$1")
cat <<WRAP
[wrap-file]
directory = ${archive%.tar.*}
source_url = $2
source_filename = $archive
source_hash = $(sha256sum "$1" | cut -d ' ' -f 1)

[provide]
dependency_names = clustersize
WRAP
