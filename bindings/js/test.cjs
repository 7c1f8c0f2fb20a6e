// test.cjs: the package as a CommonJS module, several instances, and a missing file.
const assert = require('node:assert/strict');
const path = require('node:path');
const { load, CszError } = require('clustersize');

(async () => {
    const wasm = path.join(path.dirname(require.resolve('clustersize')), 'clustersize.wasm');
    const [csz, other] = await Promise.all([load(), load(require('node:fs').readFileSync(wasm))]);
    assert.ok(csz.plan('tp=8').tensor_parallel === 8 && other.plan('tp=4').tensor_parallel === 4);
    assert.throws(() => csz.plan('tp=0'), CszError);
    await assert.rejects(load('/no/such/clustersize.wasm'), /no\/such\/clustersize\.wasm/);
    await assert.rejects(load(new Uint8Array([0, 97, 115])));
    console.log(`good: CommonJS ${csz.version}`);
})();
