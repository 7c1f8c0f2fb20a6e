// test_types.mts: compiled, not run, with tsc --strict; a line that must not compile is marked.
import { load, CszError, type Plan, type Range } from 'clustersize';

const csz = await load();
const plan: Plan = csz.plan({ tensor_parallel: 8, sharding: 'optimizer' });
plan.tensor_parallel = '8';
plan.micro_batch = null;
const degree: number | undefined = plan.tensor_parallel;
const sharding: 'none' | 'optimizer' | 'gradients' | 'parameters' | undefined = plan.sharding;
// @ts-expect-error no such field
plan.tensor_paralel = 8;
// @ts-expect-error no boolean
plan.tensor_parallel = true;
// @ts-expect-error results are read only
csz.estimate().memory.total = 1;
const estimate = csz.estimate(csz.workload('model=llama-3-8b'), csz.cluster(), plan, 'step');
const fit: 'no' | 'tight' | 'yes' | undefined = estimate.memory.fit;
const time: Range | undefined = estimate.range('step.time');
for (const { plan, estimate } of csz.ranking().select(csz.workload(), csz.cluster()))
    console.log(plan.tensor_parallel, estimate.stages[0].total, degree, sharding, fit, time);
try {
    plan.set('tp=0');
} catch (error) {
    if (error instanceof CszError)
        console.log(error.status, error.field);
}
