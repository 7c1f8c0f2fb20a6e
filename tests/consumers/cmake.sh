#!/bin/sh
# find_package(clustersize) in CMake projects against a moved installation: C and C++, shared and static, and versions and
# components that are not there.
#
#     cmake.sh SOURCE_ROOT BUILD_DIR CC CXX MESON
#
# An empty CXX leaves C++ out. 77: no cmake or no pkg-config.
set -eu
source_root=$1 build=$2 cc=$3 cxx=$4 meson=$5
here=$source_root/tests/consumers
for tool in cmake pkg-config; do
    command -v "$tool" >/dev/null || { echo "not tried: there is no $tool"; exit 77; }
done
. "$here/stage.sh"
installed "${libdir#"$prefix/"}/cmake/clustersize/clustersize-config.cmake"
export CC="$cc" CXX="$cxx" CMAKE_BUILD_PARALLEL_LEVEL=2

# project NAME REQUEST LINES: a project that asks for the package; its log is $work/NAME.log.
project() {
    mkdir -p "$work/$1"
    cp "$here/program.c" "$here/program.cc" "$work/$1"
    cat >"$work/$1/CMakeLists.txt" <<LISTS
cmake_minimum_required(VERSION 3.13)
project(consumer C${cxx:+ CXX})
find_package(clustersize $2 REQUIRED)
$3
LISTS
    cmake -S "$work/$1" -B "$work/$1/build" -DCMAKE_PREFIX_PATH="$prefix" >"$work/$1.log" 2>&1
}
# refused NAME REQUEST WORDS: the request must fail and say why.
refused() {
    project "$1" "$2" '' && fail "find_package(clustersize $2) is content"
    tr -s ' \n' ' ' <"$work/$1.log" | grep -q "$3" || { cat "$work/$1.log"; fail "$2: not a word of: $3"; }
    echo "refused: $2"
}

step consumers
project good '0.1 COMPONENTS shared static' "
add_executable(shared program.c)
target_link_libraries(shared clustersize::clustersize)
add_executable(static program.c)
target_link_libraries(static clustersize::static)
if(CMAKE_CXX_COMPILER)
  add_executable(cxx program.cc)
  set_target_properties(cxx PROPERTIES CXX_STANDARD 11)
  target_link_libraries(cxx clustersize::clustersize)
endif()" && cmake --build "$work/good/build" >>"$work/good.log" 2>&1 || { cat "$work/good.log"; fail "no consumer was built"; }
for program in shared ${cxx:+cxx}; do
    good "$work/good/build/$program"
    readelf -d "$work/good/build/$program" | grep -q 'NEEDED.*libclustersize.so.0' || fail "$program is not linked with the library"
done
good env -u LD_LIBRARY_PATH "$work/good/build/static"
readelf -d "$work/good/build/static" | grep -q libclustersize && fail "static is linked with the shared library"

step what is not there
refused newer 0.99 'version: 0.1'
refused major 1.0 'version: 0.1'
refused component 'COMPONENTS cuda' 'component cuda: the components are shared and static; looked in '
project range 0.1...0.2 '' || { cat "$work/range.log"; fail "0.1...0.2 is refused"; }

step only the static library is there
rm "$libdir"/libclustersize.so*
project alone 0.1 'add_executable(alone program.c)
target_link_libraries(alone clustersize::clustersize)' && cmake --build "$work/alone/build" >>"$work/alone.log" 2>&1 ||
    { cat "$work/alone.log"; fail "no static consumer was built"; }
good "$work/alone/build/alone"
rm "$libdir/libclustersize.a"
refused gone 0.1 'no library clustersize in '
echo "all CMake consumers are content"
