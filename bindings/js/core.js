// core.js: libclustersize, compiled to WebAssembly, as JavaScript objects. build.sh makes an ES module and a CommonJS module
// of it.
//
// Fields are properties by the names of the field table (clustersize_fields(7)), in base units: what was found is nested as in
// JSON (estimate.memory.total). A choice reads as its name, an unset field without a default as undefined. A property takes a
// number, a boolean, a text with a unit ("1T", "14d"), the name of a choice, or null to unset it; anything else is a TypeError.
// What the library refuses is thrown as CszError, with status, field and message, and changes nothing.
//
// Handles live in the memory of the module. free() gives it back at once, the garbage collector in time. A freed object is
// refused by the library; entries of a ranking end with its next change. Each instance has a memory of its own: one for each
// worker.

'use strict';

class CszError extends Error {
    constructor(status, field, message) {
        super(message);
        this.name = 'CszError';
        this.status = status;
        this.field = field;
    }
}

const TYPE = { integer: 1, number: 2, choice: 3, boolean: 4, text: 5, range: 6 };
const DEPTH = { model: 0, fit: 1, step: 2, run: 3 };
const SOURCE = { json: 0, hugging_face: 1, mistral: 2, megatron: 3, deepspeed: 4 };
const OBJECT = { workload: 1, cluster: 2, plan: 3, goal: 4, estimate: 5, ranking: 6 };
const UNSET = 6; // CSZ_ERR_UNSET
const SCRATCH = 65536;

// Calls with JavaScript's texts and numbers.
class Module {
    constructor(exports) {
        this.c = exports;
        if (exports._initialize)
            exports._initialize();
        this.scratch = this.allocate(SCRATCH);
        this.fields = this.readFields();
    }
    get view() {
        return new DataView(this.c.memory.buffer); // anew: the buffer changes as memory grows
    }
    allocate(size) {
        const at = this.c.malloc(size);
        if (at === 0)
            throw new CszError('CSZ_ERR_NO_MEMORY', '', 'out of memory');
        return at;
    }
    string(at) {
        if (at === 0)
            return undefined;
        const bytes = new Uint8Array(this.c.memory.buffer);
        return new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)));
    }
    // Calls use(address, length) with a text in UTF-8 that ends with NUL.
    withText(text, use) {
        if (typeof text !== 'string')
            throw new TypeError(`a text is wanted, not ${typeof text}`);
        const bytes = new TextEncoder().encode(text);
        const at = this.allocate(bytes.length + 1);
        try {
            const memory = new Uint8Array(this.c.memory.buffer);
            memory.set(bytes, at);
            memory[at + bytes.length] = 0;
            return use(at, bytes.length);
        } finally {
            this.c.free(at);
        }
    }
    // Text out: write(address, capacity) returns the full length.
    textOut(write) {
        let length = write(this.scratch, SCRATCH) >>> 0;
        if (length < SCRATCH)
            return this.string(this.scratch);
        const at = this.allocate(length + 1);
        try {
            write(at, length + 1);
            return this.string(at);
        } finally {
            this.c.free(at);
        }
    }
    // Value out: read(address) returns a status; undefined for CSZ_ERR_UNSET.
    f64Out(field, read) {
        const status = read(this.scratch);
        if (status === UNSET)
            return undefined;
        if (status !== 0)
            this.fail(status, field);
        return this.view.getFloat64(this.scratch, true);
    }
    fail(status, field, message) {
        const name = this.string(this.c.csz_status_name(status));
        throw new CszError(name, field ? field.name : '', message || (field ? `${name}: ${field.name}` : name));
    }
    readFields() {
        const fields = [];
        for (let i = 0; i < this.c.csz_field_count(); i++) {
            const id = this.c.csz_field_at(i);
            fields.push({
                id,
                object: Math.floor(id / 1000),
                name: this.string(this.c.csz_field_name(id)),
                list: this.string(this.c.csz_field_list(id)),
                type: this.c.csz_field_type(id),
            });
        }
        return fields;
    }
    of(object) {
        return this.fields.filter((field) => field.object === OBJECT[object]);
    }
    field(object, name) {
        const found = this.of(object).find((field) => field.name === name && (!field.list || object !== 'estimate'));
        if (!found)
            throw new CszError('CSZ_ERR_FIELD', name, `${object} has no field ${name} in ${this.string(this.c.csz_version_string())}`);
        return found;
    }
    // A number of the library as the field's type reads in JavaScript.
    present(field, value) {
        if (value === undefined)
            return undefined;
        if (field.type === TYPE.boolean)
            return value !== 0;
        return field.type === TYPE.choice ? this.string(this.c.csz_field_choice(field.id, BigInt(value))) : value;
    }
}

// One handle of C; kind is "plan" and the like.
class Handle {
    constructor(module, kind) {
        this._ = { module, kind, at: module.c[`csz_${kind}_new`](0) };
        if (this._.at === 0)
            throw new CszError('CSZ_ERR_NO_MEMORY', '', 'out of memory');
        Handle.collected.register(this, { module, kind, at: this._.at }, this);
    }
    free() {
        Handle.collected.unregister(this);
        this._.module.c[`csz_${this._.kind}_free`](this._.at);
        this._.at = 0;
    }
    // A call csz_KIND_VERB(handle, ...) that returns a status.
    _call(verb, ...values) {
        const { module, kind, at } = this._;
        const status = module.c[`csz_${kind}_${verb}`](at, ...values);
        if (status === 0)
            return this;
        const message = module.string(module.c[`csz_${kind}_error`](at, module.scratch));
        const id = module.view.getInt32(module.scratch, true);
        return module.fail(status, module.fields.find((field) => field.id === id), message || 'the object was freed');
    }
    toJSON() {
        const { module, kind, at } = this._;
        return JSON.parse(module.textOut((text, capacity) => module.c[`csz_${kind}_to_json`](at, text, capacity)) || '{}');
    }
}
Handle.collected = new FinalizationRegistry(({ module, kind, at }) => module.c[`csz_${kind}_free`](at));

class Input extends Handle {
    constructor(module, kind, given) {
        super(module, kind);
        Object.preventExtensions(this); // a misspelt property is a TypeError in strict code
        if (typeof given === 'string')
            this.set(given);
        else
            Object.assign(this, given);
    }
    // "name=value name=value ...", all or nothing.
    set(text) {
        const catalog = this._.kind === 'workload' || this._.kind === 'cluster' ? [0] : [];
        return this._.module.withText(text, (at) => this._call('set', ...catalog, at));
    }
    // source: json, hugging_face, mistral, megatron, deepspeed.
    load(source, text) {
        if (!(source in SOURCE))
            throw new TypeError(`no source ${source}: ${Object.keys(SOURCE).join(', ')}`);
        const catalog = this._.kind === 'workload' || this._.kind === 'cluster' ? [0] : [];
        return this._.module.withText(text, (at, length) => this._call('load', ...catalog, SOURCE[source], at, length));
    }
    isSet(name) {
        const { module, kind, at } = this._;
        return module.c[`csz_${kind}_is_set`](at, module.field(kind, name).id) !== 0;
    }
    copy() {
        const other = new this.constructor(this._.module, this._.kind);
        return other._call('copy', this._.at);
    }
    _get(field) {
        const { module, kind, at } = this._;
        if (field.type === TYPE.text)
            return module.textOut((text, capacity) => module.c[`csz_${kind}_get_text`](at, field.id, text, capacity)) || undefined;
        return module.present(field, module.f64Out(field, (to) => module.c[`csz_${kind}_get_f64`](at, field.id, to)));
    }
    _set(field, value) {
        if (value === null || value === undefined)
            this._call('unset', field.id);
        else if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
            this._call('set_f64', field.id, Number(value));
        else if (typeof value === 'string' && value !== '' && !/\s/.test(value))
            this.set(`${field.list ? `${field.list}[0].` : ''}${field.name}=${value}`);
        else
            throw new TypeError(`${field.name}: a number, a boolean, a text without blanks or null, not ${JSON.stringify(value)}`);
    }
}

// Properties that read estimate.GROUP.NAME.
function nest(target, module, read) {
    for (const field of module.of('estimate').filter((each) => !each.list)) {
        const [group, name] = field.name.split('.');
        if (!(group in target))
            Object.defineProperty(target, group, { value: {}, enumerable: true });
        Object.defineProperty(target[group], name, { get: () => read(field), enumerable: true });
    }
}

class Estimate {
    // owner() is the address of the estimate, or throws when it is gone.
    constructor(module, owner) {
        this._ = { module, owner };
        nest(this, module, (field) => this._get(field));
    }
    // { low, likely, high } of a field, "run.time"; three equal values where it is exact.
    range(name) {
        const { module, owner } = this._;
        const field = module.field('estimate', name);
        const at = module.scratch;
        const status = module.c.csz_estimate_get_range(owner(), field.id, at, at + 8, at + 16);
        if (status === UNSET)
            return undefined;
        if (status !== 0)
            module.fail(status, field);
        const view = module.view;
        return { low: view.getFloat64(at, true), likely: view.getFloat64(at + 8, true), high: view.getFloat64(at + 16, true) };
    }
    get stages() {
        return this._list('stages');
    }
    get kernels() {
        return this._list('kernels');
    }
    get notes() {
        const { module, owner } = this._;
        const notes = [];
        for (let i = 0, note; (note = module.c.csz_estimate_note_at(owner(), i)) !== 0; i++)
            notes.push(module.string(module.c.csz_note_text(note)));
        return notes;
    }
    toJSON() {
        const { module, owner } = this._;
        return JSON.parse(module.textOut((text, capacity) => module.c.csz_estimate_to_json(owner(), text, capacity)) || '{}');
    }
    _get(field) {
        const { module, owner } = this._;
        if (field.type === TYPE.text)
            return module.textOut((text, capacity) => module.c.csz_estimate_get_text(owner(), field.id, text, capacity)) || undefined;
        return module.present(field, module.f64Out(field, (to) => module.c.csz_estimate_get_f64(owner(), field.id, to)));
    }
    _list(name) {
        const { module, owner } = this._;
        const fields = module.of('estimate').filter((field) => field.list === name);
        const rows = [];
        for (let i = 0; i < module.c.csz_estimate_count(owner(), fields[0].id); i++) {
            rows.push(Object.fromEntries(fields.map((field) => [field.name, module.present(field,
                module.f64Out(field, (to) => module.c.csz_estimate_get_f64_at(owner(), field.id, i, to)))])));
        }
        return rows;
    }
}

class OwnedEstimate extends Estimate {
    constructor(module) {
        const handle = new Handle(module, 'estimate');
        super(module, () => handle._.at);
        this._.handle = handle;
    }
    // depth: model, fit, step or run.
    compute(workload, cluster, plan, depth = 'run') {
        if (!(depth in DEPTH))
            throw new TypeError(`no depth ${depth}: ${Object.keys(DEPTH).join(', ')}`);
        this._.handle._call('compute', addressOf(workload, 'workload'), addressOf(cluster, 'cluster'), addressOf(plan, 'plan'), DEPTH[depth]);
        return this;
    }
    free() {
        this._.handle.free();
    }
}

function addressOf(object, kind) {
    if (object === null || object === undefined)
        return 0;
    if (!(object instanceof Input) || object._.kind !== kind)
        throw new TypeError(`a ${kind} is wanted`);
    return object._.at;
}

// Entries, best first: for (const { plan, estimate } of ranking.select(workload, cluster, goal)).
class Ranking extends Handle {
    constructor(module) {
        super(module, 'ranking');
        this._.turn = 0;
    }
    select(workload, cluster, goal) {
        return this._rank('select', workload, cluster, addressOf(goal, 'goal'));
    }
    size(workload, cluster, goal) {
        return this._rank('size', workload, cluster, addressOf(goal, 'goal'));
    }
    advise(workload, cluster, plan) {
        return this._rank('advise', workload, cluster, addressOf(plan, 'plan'));
    }
    free() {
        this._.turn++;
        super.free();
    }
    get length() {
        return this._.module.c.csz_ranking_count(this._.at);
    }
    // undefined beyond the end.
    at(index) {
        const { module, turn } = this._;
        const from = module.c.csz_ranking_plan_at(this._.at, index);
        if (from === 0)
            return undefined;
        const estimate = module.c.csz_ranking_estimate_at(this._.at, index);
        const plan = new module.Plan(module, 'plan')._call('copy', from);
        return { plan, estimate: new Estimate(module, () => this._.turn === turn ? estimate
            : module.fail(2, undefined, 'the ranking of this estimate has changed')) };
    }
    *[Symbol.iterator]() {
        for (let i = 0; i < this.length; i++)
            yield this.at(i);
    }
    // [{ reason, plans }], the most frequent first.
    get rejections() {
        const { module, at } = this._;
        const rows = [];
        for (let i = 0; i < module.c.csz_ranking_reject_count(at); i++) {
            module.c.csz_ranking_reject_at(at, i, module.scratch, module.scratch + 8);
            rows.push({ reason: module.string(module.c.csz_reason_text(module.view.getInt32(module.scratch, true))),
                plans: module.view.getFloat64(module.scratch + 8, true) });
        }
        return rows;
    }
    _rank(verb, workload, cluster, third) {
        this._.turn++;
        return this._call(verb, addressOf(workload, 'workload'), addressOf(cluster, 'cluster'), third);
    }
}

// A subclass of Input whose properties are the fields of its object.
function inputClass(module, kind) {
    const made = class extends Input {};
    for (const field of module.of(kind)) {
        Object.defineProperty(made.prototype, field.name, {
            get() {
                return this._get(field);
            },
            set(value) {
                this._set(field, value);
            },
        });
    }
    return made;
}

// The library around a compiled module: const csz = await instantiate(bytes).
async function instantiate(source) {
    const { instance } = await WebAssembly.instantiate(source, {});
    const module = new Module(instance.exports);
    const classes = {};
    for (const kind of ['workload', 'cluster', 'plan', 'goal'])
        classes[kind] = inputClass(module, kind);
    module.Plan = classes.plan;
    return {
        version: module.string(module.c.csz_version_string()),
        facts: module.string(module.c.csz_version_facts()),
        workload: (given) => new classes.workload(module, 'workload', given),
        cluster: (given) => new classes.cluster(module, 'cluster', given),
        plan: (given) => new classes.plan(module, 'plan', given),
        goal: (given) => new classes.goal(module, 'goal', given),
        estimate: (workload, cluster, plan, depth) => {
            const made = new OwnedEstimate(module);
            return workload === undefined ? made : made.compute(workload, cluster, plan, depth);
        },
        ranking: () => new Ranking(module),
        // The whole question in one line; the answer as an object, {error: ...} where there is none.
        answer: (question) => JSON.parse(module.withText(question, (at) =>
            module.textOut((text, capacity) => module.c.csz_question_answer(at, text, capacity)))),
    };
}
