#!/bin/sh
# The installed C++ header with every compiler that is there, as C++11 and C++20: its tests and its examples.
#
#     cxx.sh SOURCE_ROOT BUILD_DIR MESON
#
# 77: no pkg-config or no C++ compiler.
set -eu
source_root=$1 build=$2 meson=$3
here=$source_root/tests/consumers
command -v pkg-config >/dev/null || { echo "no pkg-config"; exit 77; }
. "$here/stage.sh"
compilers=0

for compiler in g++ clang++; do
    command -v "$compiler" >/dev/null || { echo "not tried: there is no $compiler"; continue; }
    compilers=$((compilers + 1)) last=$compiler
    for standard in 11 20; do
        step "$compiler -std=c++$standard"
        for file in bindings/cpp/test_clustersize examples/cpp/size examples/cpp/admission; do
            "$compiler" -std=c++$standard -O2 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror \
                "$source_root/$file.cc" $(pkg-config "$flags" --cflags --libs clustersize) -o "$work/${file##*/}"
        done
        good "$work/test_clustersize"
    done
done
[ "$compilers" -gt 0 ] || exit 77

step a header that is newer than the library
mkdir "$work/newer"
cp -R "$prefix/include/clustersize" "$work/newer"
sed -i 's/^\(#define CSZ_VERSION_STRING\).*/\1 "9.9.0"/; s/^\(#define CSZ_VERSION_NUMBER\).*/\1 90900/' "$work/newer/clustersize/clustersize.h"
cat >"$work/newer.cc" <<'END'
#include <clustersize/clustersize.hpp>
#include <iostream>
int main()
try {
    csz::plan().set(static_cast<csz_field>(3999), 1);
} catch (const csz::error &error) {
    std::cout << error.what() << '\n';
}
END
"$last" -std=c++11 -I"$work/newer" "$work/newer.cc" $(pkg-config "$flags" --libs clustersize) -o "$work/newer.out"
"$work/newer.out" | grep ': the library is [0-9.]*, older than the header, 9.9.0$' || fail "the versions are not named"

step examples/cpp/size.cc
"$work/size" | tee "$work/answer"
grep -q ' accelerators, .* days, \$' "$work/answer" || fail "no answer"

step examples/cpp/admission.cc
"$work/admission" | tee "$work/answer"
[ "$(awk '!/%/ { n += $1 } END { print n }' "$work/answer")" = 100000 ] || fail "not every request was answered"
grep -q ' admitted$' "$work/answer" && grep -q 'does not fit$' "$work/answer" || fail "all requests had one answer"
grep -v % "$work/answer" >"$work/first"
"$work/admission" 100000 | grep -v % | cmp - "$work/first" || fail "another answer the second time"
