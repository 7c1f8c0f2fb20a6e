#!/bin/sh
# Compiles the public headers as C99 and C++11, pedantic, with every compiler that is there.
#
#     headers.sh INCLUDE_DIR
#
# 77 when there is no C or no C++ compiler.
set -eu
include=$1
here=$(dirname "$0")
c=0 cxx=0

for compiler in cc gcc clang; do
    command -v "$compiler" >/dev/null || continue
    "$compiler" -std=c99 -pedantic -Wall -Wextra -Wstrict-prototypes -Werror -fsyntax-only -I "$include" "$here/header_c99.c"
    "$compiler" -std=c11 -pedantic -Wall -Wextra -Werror -fsyntax-only -x c "$include/clustersize/enums.h"
    echo "C99 by $compiler"
    c=$((c + 1))
done
for compiler in c++ g++ clang++; do
    command -v "$compiler" >/dev/null || continue
    "$compiler" -std=c++11 -pedantic -Wall -Wextra -Werror -fsyntax-only -I "$include" "$here/header_cxx11.cc"
    echo "C++11 by $compiler"
    cxx=$((cxx + 1))
done
[ "$c" -gt 0 ] && [ "$cxx" -gt 0 ] || exit 77
