#!/bin/sh
# Installs a build into a fresh place and uses it as others do: pkg-config shared and static, C++, a Meson subproject, the
# program and its manual page.
#
#     consumers.sh SOURCE_ROOT BUILD_DIR CC CXX MESON [INSTALLED_FILE...]
#
# Paths of INSTALLED_FILE are relative to the prefix. An empty CXX leaves C++ out. 77: no pkg-config.
set -eu
source_root=$1 build=$2 cc=$3 cxx=$4 meson=$5
shift 5
here=$source_root/tests/consumers
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v pkg-config >/dev/null || { echo "no pkg-config"; exit 77; }

step() {
    echo "--- $*"
}
fail() {
    echo "FAILED: $*"
    exit 1
}
# Runs a program and wants "good" as its first word.
good() {
    answer=$("$@") || fail "$* ended with $?: $answer"
    echo "$answer"
    case $answer in good*) ;; *) fail "$*: $answer" ;; esac
}

step install
$meson install -C "$build" --destdir "$work/root" >"$work/log" 2>&1 || { cat "$work/log"; fail "meson install"; }
pc=$(find "$work/root" -name clustersize.pc)
[ -n "$pc" ] || fail "no clustersize.pc is installed"
libdir=$(dirname "$(dirname "$pc")")
prefix=$(sed -n 's/^prefix=//p' "$pc")
prefix=$work/root$prefix
for file in include/clustersize/clustersize.h include/clustersize/enums.h "$@"; do
    [ -s "$prefix/$file" ] || fail "$file is not installed"
    echo "$file"
done
for file in libclustersize.so libclustersize.so.0 libclustersize.a; do
    [ -e "$libdir/$file" ] || fail "$file is not installed"
done
find "$work/root" -name '*internal*' | grep . && fail "something internal is installed"

export PKG_CONFIG_PATH="$libdir/pkgconfig" LD_LIBRARY_PATH="$libdir"
flags="--define-variable=prefix=$prefix"
[ "$(pkg-config --modversion clustersize)" = "$(sed -n 's/^#define CSZ_VERSION_STRING "\(.*\)"/\1/p' \
    "$source_root/include/clustersize/clustersize.h")" ] || fail "pkg-config says another version"

step C, shared
$cc "$here/program.c" $(pkg-config "$flags" --cflags --libs clustersize) -o "$work/shared"
good "$work/shared"
readelf -d "$work/shared" | grep -q 'NEEDED.*libclustersize.so.0' || fail "not linked with the shared library"

step C, static
$cc "$here/program.c" -static $(pkg-config "$flags" --static --cflags --libs clustersize) -o "$work/static"
good env -u LD_LIBRARY_PATH "$work/static"

if [ -n "$cxx" ]; then
    step C++
    $cxx -std=c++11 "$here/program.cc" $(pkg-config "$flags" --cflags --libs clustersize) -o "$work/cxx"
    good "$work/cxx"
fi

step Meson subproject
mkdir -p "$work/project/subprojects"
ln -s "$source_root" "$work/project/subprojects/clustersize"
cp "$here/program.c" "$work/project"
cat >"$work/project/meson.build" <<'END'
project('consumer', 'c')
executable('consumer', 'program.c', dependencies: dependency('clustersize', fallback: 'clustersize'))
END
{
    env -u PKG_CONFIG_PATH $meson setup "$work/project/build" "$work/project" --wrap-mode=forcefallback &&
        $meson compile -C "$work/project/build" consumer
} >"$work/log" 2>&1 || { tail -n 40 "$work/log"; fail "the subproject does not build"; }
good env -u LD_LIBRARY_PATH "$work/project/build/consumer"

if [ -x "$prefix/bin/clustersize" ]; then
    step program and manual page
    "$prefix/bin/clustersize" --version
    "$prefix/bin/clustersize" --help >/dev/null || fail "clustersize --help"
    for page in $(find "$prefix/share/man" -name '*.[13]' 2>/dev/null); do
        echo "${page#"$prefix/"}"
        command -v man >/dev/null || continue
        if LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null | grep .; then
            fail "warnings in $page"
        fi
    done
fi
echo "all consumers are content"
