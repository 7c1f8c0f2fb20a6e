#!/bin/sh
# Installs a build into a fresh place and uses it as others do: pkg-config shared and static, a Meson subproject and
# a wrap, the program and its manual pages.
#
#     consumers.sh SOURCE_ROOT BUILD_DIR CC CXX MESON [INSTALLED_FILE...]
#
# Paths of INSTALLED_FILE are relative to the prefix. An empty CXX leaves C++ out. 77: no pkg-config.
set -eu
source_root=$1 build=$2 cc=$3 cxx=$4 meson=$5
shift 5
here=$source_root/tests/consumers
command -v pkg-config >/dev/null || { echo "no pkg-config"; exit 77; }
. "$here/stage.sh"
installed "$@"

step C, shared
$cc "$here/program.c" $(pkg-config "$flags" --cflags --libs clustersize) -o "$work/shared"
good "$work/shared"
readelf -d "$work/shared" | grep -q 'NEEDED.*libclustersize.so.0' || fail "not linked with the shared library"

step C, static
$cc "$here/program.c" -static $(pkg-config "$flags" --static --cflags --libs clustersize) -o "$work/static"
good env -u LD_LIBRARY_PATH "$work/static"

step Meson subproject, by a wrap
release=clustersize-$(pkg-config --modversion clustersize)
mkdir -p "$work/project/subprojects/packagecache"
tar -C "$source_root" --transform "s,^,$release/," -czf "$work/project/subprojects/packagecache/$release.tar.gz" \
    meson.build meson_options.txt LICENSE include lib bindings pkgconfig examples
"$source_root/pkgconfig/wrap.sh" "$work/project/subprojects/packagecache/$release.tar.gz" "file:///nowhere/$release.tar.gz" \
    >"$work/project/subprojects/clustersize.wrap"
cp "$here/program.c" "$here/program.cc" "$work/project"
cat >"$work/project/meson.build" <<END
project('consumer', 'c')
clustersize = dependency('clustersize')
executable('consumer', 'program.c', dependencies: clustersize)
if '$cxx' != ''
  add_languages('cpp', native: false)
  executable('consumer-cxx', 'program.cc', dependencies: clustersize)
endif
END
{
    env -u PKG_CONFIG_PATH $meson setup "$work/project/build" "$work/project" --wrap-mode=forcefallback &&
        $meson compile -C "$work/project/build" consumer ${cxx:+consumer-cxx}
} >"$work/log" 2>&1 || { tail -n 40 "$work/log"; fail "the subproject does not build"; }
for program in consumer ${cxx:+consumer-cxx}; do
    good env -u LD_LIBRARY_PATH "$work/project/build/$program"
done

if [ -x "$prefix/bin/clustersize" ]; then
    step program and manual page
    "$prefix/bin/clustersize" --version
    "$prefix/bin/clustersize" --help >/dev/null || fail "clustersize --help"
    for page in $(find "$prefix/share/man" -name '*.[137]' 2>/dev/null); do
        echo "${page#"$prefix/"}"
        command -v man >/dev/null || continue
        if LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null | grep .; then
            fail "warnings in $page"
        fi
    done
fi

step the reference names everything and prints examples that run
reference=$prefix/share/doc/clustersize/reference.md
{
    grep -oE '\bcsz_[a-z0-9_]+\(' "$source_root/include/clustersize/clustersize.h" | tr -d '('
    grep -oE '^ +CSZ_[A-Z0-9_]+ =' "$source_root/include/clustersize/enums.h" | grep -v MAX_ENUM | tr -d ' ='
} | sort -u >"$work/names"
[ "$(wc -l <"$work/names")" -gt 500 ] || fail "the headers were not read"
grep -ohwE '(csz|CSZ)_[A-Za-z0-9_]+' "$reference" | sort -u | comm -13 - "$work/names" | grep . && fail "not in the reference"
grep -ohwE 'csz_[a-z0-9_]+' "$prefix/share/man/man3/libclustersize.3" | sort -u >"$work/page"
grep ^csz_ "$work/names" | comm -13 "$work/page" - | grep . && fail "not in libclustersize(3)"
# example LANGUAGE FENCE: the first program in that language as the reference prints it.
example() {
    awk -v title="### $1" -v fence="\`\`\`$2" '$0 == title { found = 1 } found && $0 == "```" { exit }
        inside { print } found && $0 == fence { inside = 1 }' "$reference"
}
example C c >"$work/first.c"
$cc "$work/first.c" $(pkg-config "$flags" --cflags --libs clustersize) -o "$work/first"
"$work/first" | grep '^[0-9]* accelerators, [0-9.]* days, \$[0-9]*, plan {' || fail "the first example in C"
if [ -n "$cxx" ]; then
    example C++ cpp >"$work/first.cc"
    $cxx -std=c++11 "$work/first.cc" $(pkg-config "$flags" --cflags --libs clustersize) -o "$work/first"
    "$work/first" | grep '^[0-9]* accelerators, [0-9.]* to [0-9.]* days, ' || fail "the first example in C++"
fi
if command -v python3 >/dev/null; then
    example Python python >"$work/first.py"
    CLUSTERSIZE_LIBRARY=$libdir/libclustersize.so.0 PYTHONPATH=$source_root/bindings/python PYTHONDONTWRITEBYTECODE=1 \
        python3 "$work/first.py" | grep '^fits: yes, [0-9.]* to [0-9.]* days$' || fail "the first example in Python"
fi
echo "all consumers are content"
