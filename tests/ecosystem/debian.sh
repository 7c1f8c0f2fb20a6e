#!/bin/sh
# Builds the Debian packages, has lintian and dpkg-gensymbols judge them, unpacks them into a fresh root and uses them there.
#
#     debian.sh SOURCE_ROOT
#
# 77: a tool is not here.
set -eu
source_root=$1
for tool in dpkg-buildpackage dh dh_python3 lintian pkg-config gcc; do
    command -v "$tool" >/dev/null || { echo "not tried: there is no $tool"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*"
    exit 1
}

echo "--- dpkg-buildpackage"
mkdir "$work/build" "$work/root"
DEBEMAIL=packager@clustersize.test DEB_BUILD_OPTIONS="nocheck parallel=2" \
    "$source_root/pkgconfig/deb.sh" "$work/build" >"$work/log" 2>&1 || { tail -n 30 "$work/log"; fail "no packages"; }
cd "$work/build"
ls ./*.deb
if grep -E '^dpkg-gensymbols: (warning|error)' "$work/log"; then fail "symbols differ from debian/symbols"; fi
for package in libclustersize0 libclustersize-dev clustersize python3-clustersize; do
    ls "${package}"_*.deb >/dev/null || fail "no $package"
    dpkg-deb -x "${package}"_*.deb "$work/root"
done
dpkg-deb -e libclustersize0_*.deb "$work/control"
functions=$(grep -c '^CSZ_API ' "$source_root/include/clustersize/clustersize.h")
[ "$(grep -c '^ csz_' "$work/control/symbols")" -eq "$functions" ] || fail "the symbols file has not all of $functions functions"
dpkg-deb -f clustersize_*.deb Depends | grep 'libclustersize0 (>= ' || fail "the program does not depend on its library"

echo "--- lintian"
lintian --fail-on error,warning --pedantic --display-info ./*.changes || fail "lintian"

echo "--- use"
triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
export LD_LIBRARY_PATH="$work/root/usr/lib/$triplet"
"$work/root/usr/bin/clustersize" --version
PKG_CONFIG_SYSROOT_DIR=$work/root PKG_CONFIG_PATH=$LD_LIBRARY_PATH/pkgconfig PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
    pkg-config --cflags --libs clustersize >"$work/flags"
gcc "$work/root/usr/share/doc/libclustersize-dev/examples/c/size.c" -I"$work/root/usr/include" -L"$LD_LIBRARY_PATH" \
    $(cat "$work/flags") -o "$work/size"
"$work/size" | grep accelerators || fail "the example of the package has no answer"
PYTHONPATH=$work/root/usr/lib/python3/dist-packages /usr/bin/python3 \
    "$work/root/usr/share/doc/python3-clustersize/examples/size.py" | grep '^fits: ' || fail "Python has no answer"
for page in man1/clustersize.1 man3/libclustersize.3 man7/clustersize_fields.7; do
    [ -s "$work/root/usr/share/man/$page.gz" ] || fail "no $page"
done
echo "good: Debian packages"
