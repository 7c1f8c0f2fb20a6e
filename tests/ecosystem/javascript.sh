#!/bin/sh
# Builds the JavaScript package and uses it from node: as an ES module and as CommonJS, against the native program; its size, what
# it imports, and its types where there is a TypeScript compiler.
#
#     javascript.sh SOURCE_ROOT PROGRAM
#
# 77: a tool is not here (Debian: clang lld wasi-libc libclang-rt-dev-wasm32 nodejs).
set -eu
source_root=$1
program=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
for tool in clang wasm-ld node python3; do
    command -v "$tool" >/dev/null || { echo "not tried: there is no $tool"; exit 77; }
done
echo 'int main(void) { return 0; }' | clang --target=wasm32-wasi -x c - -o /dev/null 2>/dev/null ||
    { echo "not tried: clang has no wasi-libc"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
package=$work/node_modules/clustersize
mkdir -p "$package"
"$source_root/bindings/js/build.sh" "$package" "$program"

compressed=$(gzip -9c "$package/clustersize.wasm" | wc -c)
echo "clustersize.wasm: $(wc -c <"$package/clustersize.wasm") bytes, $compressed compressed"
[ "$compressed" -lt 300000 ] || { echo "FAILED: over 300 KB"; exit 1; }
node -e 'const wasm = new WebAssembly.Module(require("fs").readFileSync(process.argv[1]));
if (WebAssembly.Module.imports(wasm).length !== 0) throw new Error("the module imports something");' "$package/clustersize.wasm"

cp "$source_root"/bindings/js/test* "$work"
cd "$work"
node test.mjs "$program"
node test.cjs
if command -v tsc >/dev/null; then
    tsc --strict --noEmit --target es2022 --module node16 --moduleResolution node16 test_types.mts
    echo "good: types"
else
    echo "not tried: types, there is no tsc"
fi
