#!/bin/sh
# Builds Debian packages of this tree into FOLDER, source and binary, unsigned.
#
#     deb.sh FOLDER [DPKG_BUILDPACKAGE_OPTION...]
#
# debian/ is laid beside the sources at packaging time: pkgconfig/debian, and what follows from the tree itself, which are the
# changelog, the symbols file, and the maintainer, who is DEBFULLNAME <DEBEMAIL>. It needs debhelper, dh-python, dpkg-dev
# and meson.
set -eu
[ $# -ge 1 ] && [ -d "$1" ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ -n "${DEBEMAIL:-}" ] || { echo "deb.sh: DEBEMAIL is not set: the address of who packages" >&2; exit 2; }
packager="${DEBFULLNAME:-The libclustersize developers} <$DEBEMAIL>"
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(cd "$1" && pwd)
shift
archive=$("$root/pkgconfig/archive.sh" "$folder")
name=$(basename "$archive" .tar.gz)
version=${name#clustersize-}
tree=$folder/$name

mv "$archive" "$folder/clustersize_$version.orig.tar.gz"
tar -C "$folder" -xzf "$folder/clustersize_$version.orig.tar.gz"
cp -R "$root/pkgconfig/debian" "$tree/debian"
python3 "$tree/debian/symbols.py" "$tree" >"$tree/debian/libclustersize0.symbols"
rm "$tree/debian/symbols.py"
sed -i "s/@MAINTAINER@/$packager/" "$tree/debian/control"
cat >"$tree/debian/changelog" <<END
clustersize ($version-1) unstable; urgency=medium

  * Release $version.

 -- $packager  $(date -R)
END
cd "$tree"
exec dpkg-buildpackage -us -uc "$@"
