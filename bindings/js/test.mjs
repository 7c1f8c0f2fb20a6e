// test.mjs: the package as an ES module, against a native program. Run where node finds the package "clustersize".
//
//     node test.mjs PROGRAM
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { load, CszError } from 'clustersize';

const program = process.argv[2];
const csz = await load();

// What a call throws.
function thrown(call) {
    try {
        call();
    } catch (error) {
        return error;
    }
    return assert.fail('nothing was thrown');
}

// Numbers equal to 1e-9, everything else the same.
function close(a, b, path = '') {
    if (typeof a === 'number' && typeof b === 'number')
        assert.ok(Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b)), `${path}: ${a} and ${b}`);
    else if (a !== null && typeof a === 'object' && b !== null && typeof b === 'object') {
        assert.deepEqual(Object.keys(a), Object.keys(b), path);
        Object.keys(a).forEach((key) => close(a[key], b[key], `${path}.${key}`));
    } else
        assert.deepEqual(a, b, path);
}

const plan = csz.plan('tp=8 pp=4');
assert.equal(plan.tensor_parallel, 8);
plan.sharding = 'optimizer';
plan.micro_batch = 2;
plan.sequence_parallel = true;
assert.equal(plan.sharding, 'optimizer');
assert.equal(plan.sequence_parallel, true);
assert.equal(plan.data_parallel, undefined);
assert.equal(plan.isSet('micro_batch'), true);
plan.micro_batch = null;
assert.equal(plan.isSet('micro_batch'), false);
const copy = plan.copy();
copy.tensor_parallel = 1;
assert.equal(plan.tensor_parallel, 8);
assert.deepEqual(JSON.parse(JSON.stringify(csz.plan({ tensor_parallel: 2 }))), { tensor_parallel: 2 });

const range = thrown(() => { plan.tensor_parallel = 0; });
assert.ok(range instanceof CszError && range.status === 'CSZ_ERR_RANGE' && range.field === 'tensor_parallel');
assert.match(range.message, /65536/);
assert.equal(plan.tensor_parallel, 8);
assert.equal(thrown(() => { plan.tensor_parallel = 1.5; }).status, 'CSZ_ERR_TYPE');
assert.equal(thrown(() => { plan.tensor_parallel = NaN; }) instanceof CszError, true);
assert.equal(thrown(() => { plan.tensor_parallel = 2n ** 60n; }) instanceof CszError, true);
for (const wrong of [{}, [], '', '8 pp=2', Symbol.iterator, () => 8])
    assert.ok(thrown(() => { plan.tensor_parallel = wrong; }) instanceof TypeError);
assert.ok(thrown(() => { plan.tensor_paralel = 8; }) instanceof TypeError);
assert.ok(thrown(() => csz.plan({ tensor_paralel: 8 })) instanceof TypeError);
assert.ok(thrown(() => plan.set(8)) instanceof TypeError);
assert.ok(thrown(() => csz.estimate(plan, plan, plan)) instanceof TypeError);
assert.match(thrown(() => csz.workload('model=lama-3-8b')).message, /lama-3-8b/);

const workload = csz.workload({ model: 'llama-3-70b', tokens: '1T', global_batch: 512 });
const cluster = csz.cluster('accelerator=h100-sxm-80gb accelerators=64');
assert.equal(workload.tokens, 1e12);
const estimate = csz.estimate(workload, cluster, plan);
assert.equal(estimate.memory.fit, 'yes');
assert.equal(estimate.stages.length, 4);
assert.equal(estimate.stages.reduce((sum, stage) => sum + stage.layers, 0), 80);
const time = estimate.range('run.time');
assert.ok(time.low < time.likely && time.likely < time.high && time.likely === estimate.run.time);
assert.ok(estimate.notes.length > 0 && estimate.kernels.length > 0);
assert.match(thrown(() => estimate.range('run.tme')).message, /no field run.tme in 0\./);

// The same figures as the native library.
const flags = ['fit', '--model', 'llama-3-70b', '--tokens', '1T', '--global-batch', '512', '--accelerator', 'h100-sxm-80gb',
    '--accelerators', '64', '--tp', '8', '--pp', '4', '--sharding', 'optimizer', '--sequence-parallel', 'yes', '--json'];
let native;
try {
    native = execFileSync(program, flags);
} catch (error) {
    assert.equal(error.status, 1); // does not fit
    native = error.stdout;
}
const ours = estimate.toJSON();
native = JSON.parse(native);
for (const group of ['memory', 'step', 'run', 'flops', 'stages'])
    close(ours[group], native[group], group);

plan.tensor_parallel = 7;
assert.equal(thrown(() => estimate.compute(workload, cluster, plan)).status, 'CSZ_ERR_CONFLICT');
assert.equal(estimate.run.time, undefined);
plan.tensor_parallel = 8;

const ranking = csz.ranking();
ranking.select(csz.workload('model=llama-3-8b tokens=1T'), cluster, csz.goal('rows=3'));
const entries = [...ranking];
assert.equal(entries.length, 3);
assert.ok(entries[0].estimate.run.time <= entries[1].estimate.run.time);
assert.ok(ranking.rejections.length > 0 && ranking.rejections[0].plans > 0);
assert.equal(ranking.at(3), undefined);
ranking.free();
ranking.free(); // twice is once
assert.match(thrown(() => entries[0].estimate.run.time).message, /has changed/);
assert.ok(entries[0].plan.tensor_parallel >= 1); // a copy
copy.free();
assert.equal(thrown(() => { copy.tensor_parallel = 2; }).status, 'CSZ_ERR_ARGUMENT');

assert.ok(csz.answer('size model=llama-3-8b tokens=1T accelerator=h100-sxm-80gb deadline=30d').clustersize.version === csz.version);
assert.ok('error' in csz.answer('what?'));
assert.ok('error' in csz.answer('size model=\u0000\ud800'));

// Handles that nobody frees are many; memory stays bounded when they are freed.
const before = csz.plan().copy();
for (let i = 0; i < 100000; i++)
    csz.plan('tp=2').free();
before.free();

const rounds = 20000;
const start = process.hrtime.bigint();
for (let i = 0; i < rounds; i++) {
    plan.tensor_parallel = 8;
    plan.pipeline_parallel = 4;
    plan.micro_batch = 1 + i % 2;
    estimate.compute(workload, cluster, plan, 'step');
    estimate.memory.total;
    estimate.step.time;
}
console.log(`good: ES module ${csz.version}; 3 setters, compute, 2 getters: ${(Number(process.hrtime.bigint() - start) / rounds / 1000).toFixed(1)} us`);
