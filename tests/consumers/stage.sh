# stage.sh: what the tests of this folder share, to be sourced. Installs the build $build of $source_root into a fresh place
# and sets work, root, prefix, libdir, PKG_CONFIG_PATH, LD_LIBRARY_PATH and flags, pkg-config's own for the moved prefix.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

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
$meson install -C "$build" --no-rebuild --destdir "$work/root" >"$work/log" 2>&1 || { cat "$work/log"; fail "meson install"; }
pc=$(find "$work/root" -name clustersize.pc)
[ -n "$pc" ] || fail "no clustersize.pc is installed"
libdir=$(dirname "$(dirname "$pc")")
prefix=$(sed -n 's/^prefix=//p' "$pc")
prefix=$work/root$prefix
installed() {
    for file in "$@"; do
        [ -s "$prefix/$file" ] || fail "$file is not installed"
        echo "$file"
    done
}
installed include/clustersize/clustersize.h include/clustersize/enums.h include/clustersize/clustersize.hpp
for file in libclustersize.so libclustersize.so.0 libclustersize.a; do
    [ -e "$libdir/$file" ] || fail "$file is not installed"
done
find "$work/root" -name '*internal*' | grep . && fail "something internal is installed"

export PKG_CONFIG_PATH="$libdir/pkgconfig" LD_LIBRARY_PATH="$libdir"
flags="--define-variable=prefix=$prefix"
[ "$(pkg-config --modversion clustersize)" = "$(sed -n 's/^#define CSZ_VERSION_STRING "\(.*\)"/\1/p' \
    "$source_root/include/clustersize/clustersize.h")" ] || fail "pkg-config says another version"

