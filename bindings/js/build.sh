#!/bin/sh
# Builds the JavaScript package into FOLDER: clustersize.wasm, an ES module, a CommonJS module, TypeScript types.
#
#     build.sh FOLDER PROGRAM
#
# PROGRAM is a clustersize that runs here and prints the field table. It takes clang, lld and wasi-libc (Debian: clang lld
# wasi-libc libclang-rt-dev-wasm32); the result imports nothing.
set -eu
[ $# -eq 2 ] && [ -d "$1" ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
version=$(sed -n 's/^#define CSZ_VERSION_STRING "\(.*\)"/\1/p' "$root/include/clustersize/clustersize.h")
# The sources are those of lib/meson.build, the functions those of the header.
sources=$(sed -n '/^sources = files(/,/)/p' "$root/lib/meson.build" | grep -o "'[^']*'" | sed "s,',,g; s,^,$root/lib/,")
exports=$(grep -oE '\bcsz_[a-z0-9_]+\(' "$root/include/clustersize/clustersize.h" | sort -u | sed 's/($//; s/^/-Wl,--export=/')
# Stack first: an overflow traps instead of writing into data. -ffp-contract=off as in every build.
clang --target=wasm32-wasi -mexec-model=reactor -std=c11 -O2 -ffp-contract=off -I"$root/include" -I"$root/lib" $sources \
    -Wl,--export=malloc -Wl,--export=free $exports -Wl,--strip-all -Wl,--gc-sections -Wl,--stack-first -Wl,-z,stack-size=131072 \
    -o "$1/clustersize.wasm"
"$2" list fields --json >"$1/fields.json"
python3 "$here/types.py" "$1/fields.json" >"$1/clustersize.d.ts"
rm "$1/fields.json"
cp "$1/clustersize.d.ts" "$1/clustersize.d.mts"
cp "$1/clustersize.d.ts" "$1/clustersize.d.cts"
rm "$1/clustersize.d.ts"
{
    cat "$here/core.js"
    cat <<'END'

// source: a URL, a path or the bytes; by default the file beside this one.
export async function load(source = new URL('clustersize.wasm', import.meta.url)) {
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source))
        return instantiate(source);
    const url = new URL(source, import.meta.url);
    if (url.protocol === 'file:')
        return instantiate(await (await import('node:fs/promises')).readFile(url));
    const response = await fetch(url);
    if (!response.ok)
        throw new Error(`clustersize.wasm: ${response.status} at ${url}`);
    return instantiate(await response.arrayBuffer());
}
export { CszError };
END
} >"$1/clustersize.mjs"
{
    cat "$here/core.js"
    cat <<'END'

// source: a path or the bytes; by default the file beside this one.
async function load(source = require('node:path').join(__dirname, 'clustersize.wasm')) {
    const bytes = source instanceof ArrayBuffer || ArrayBuffer.isView(source);
    return instantiate(bytes ? source : await require('node:fs').promises.readFile(source));
}
module.exports = { load, CszError };
END
} >"$1/clustersize.cjs"
cat >"$1/package.json" <<END
{
  "name": "clustersize",
  "version": "$version",
  "description": "Sizes accelerator clusters for training large models",
  "license": "MIT",
  "main": "./clustersize.cjs",
  "module": "./clustersize.mjs",
  "types": "./clustersize.d.cts",
  "exports": {
    ".": {
      "import": { "types": "./clustersize.d.mts", "default": "./clustersize.mjs" },
      "require": { "types": "./clustersize.d.cts", "default": "./clustersize.cjs" }
    },
    "./clustersize.wasm": "./clustersize.wasm"
  },
  "engines": { "node": ">=16" }
}
END
