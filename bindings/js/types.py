"""Writes the TypeScript types of the JavaScript binding from the field table.

    types.py FIELDS.json >clustersize.d.ts

FIELDS.json is what "clustersize list fields --json" prints.
"""
import json
import sys

HEAD = '''// Made from the field table: do not edit.
/** What the library refused. */
export class CszError extends Error {
    status: string;
    field: string;
}
export type Depth = 'model' | 'fit' | 'step' | 'run';
export type Source = 'json' | 'hugging_face' | 'mistral' | 'megatron' | 'deepspeed';
export interface Range { low: number; likely: number; high: number; }
type Given<Fields> = { [Name in keyof Fields]?: Fields[Name] | string | null };
interface Input<Fields> {
    set(text: string): this;
    load(source: Source, text: string): this;
    isSet(name: keyof Fields): boolean;
    copy(): this;
    toJSON(): object;
    free(): void;
}
'''
TAIL = '''export interface OwnedEstimate extends Estimate {
    compute(workload: Workload, cluster?: Cluster | null, plan?: Plan | null, depth?: Depth): this;
    free(): void;
}
export interface Entry { plan: Plan; estimate: Estimate; }
export interface Ranking extends Iterable<Entry> {
    select(workload: Workload, cluster: Cluster, goal?: Goal | null): this;
    size(workload: Workload, cluster: Cluster, goal?: Goal | null): this;
    advise(workload: Workload, cluster: Cluster, plan: Plan): this;
    readonly length: number;
    at(index: number): Entry | undefined;
    readonly rejections: { reason: string; plans: number }[];
    toJSON(): object;
    free(): void;
}
export interface Clustersize {
    readonly version: string;
    readonly facts: string;
    workload(given?: string | Given<WorkloadFields>): Workload;
    cluster(given?: string | Given<ClusterFields>): Cluster;
    plan(given?: string | Given<PlanFields>): Plan;
    goal(given?: string | Given<GoalFields>): Goal;
    estimate(workload?: Workload, cluster?: Cluster | null, plan?: Plan | null, depth?: Depth): OwnedEstimate;
    ranking(): Ranking;
    answer(question: string): any;
}
/** The module's own clustersize.wasm, or its bytes. */
export function load(source?: URL | string | BufferSource): Promise<Clustersize>;
'''


def value(field):
    if field['type'] == 'boolean':
        return 'boolean'
    if field['type'] == 'choice':
        return ' | '.join("'%s'" % name for name in field['choices'])
    return 'string' if field['type'] == 'text' else 'number'


def doc(field, indent):
    facts = [field['text'].replace('*/', '* /')]
    if field.get('unit', 'none') != 'none':
        facts.append(field['unit'])
    if 'lower' in field and field['type'] in ('integer', 'number'):
        facts.append('%g to %g' % (field['lower'], field['upper']))
    return '%s/** %s. Since %s. */' % (indent, '; '.join(facts), field['since'])


def inputs(kind, fields):
    name = kind.capitalize()
    print('export interface %sFields {' % name)
    for field in fields:
        print(doc(field, '    '))
        print('    get %s(): %s | undefined;' % (field['name'], value(field)))
        print('    set %s(value: %s | string | null | undefined);' % (field['name'], value(field)))
    print('}\nexport type %s = Input<%sFields> & %sFields;' % (name, name, name))


def estimate(fields):
    groups = {}
    for field in fields:
        if 'list' not in field:
            group, name = field['name'].split('.')
            groups.setdefault(group, []).append((name, field))
    print('export interface Estimate {')
    for group, members in groups.items():
        print('    readonly %s: {' % group)
        for name, field in members:
            print(doc(field, ' ' * 8))
            print('        readonly %s: %s | undefined;' % (name, value(field)))
        print('    };')
    for name in ('stages', 'kernels'):
        print('    readonly %s: {' % name)
        for field in fields:
            if field.get('list') == name:
                print(doc(field, ' ' * 8))
                print('        %s: %s | undefined;' % (field['name'], value(field)))
        print('    }[];')
    print('    readonly notes: string[];\n    range(name: string): Range | undefined;\n    toJSON(): object;\n}')


def main(path):
    with open(path, encoding='utf-8') as file:
        fields = json.load(file)
    print(HEAD, end='')
    for kind in ('workload', 'cluster', 'plan', 'goal'):
        inputs(kind, [field for field in fields if field['object'] == kind])
    estimate([field for field in fields if field['object'] == 'estimate'])
    print(TAIL, end='')


main(sys.argv[1])
