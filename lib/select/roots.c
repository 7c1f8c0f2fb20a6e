/* roots.c: tensor, context and expert degrees with micro-batches: which there are, how many plans
 * lie under each, and the order in which they are searched, by a lower bound of their step time. */
#include "plan/slots.h"
#include "select/search.h"

#define LARGEST_MICRO_BATCH 64 /* of the search; a given plan may use more */

/* ---- Tensor, context and expert degrees ---- */

static int allowed(cszi_search *s, csz_field field, int64_t value)
{
    if (cszi_space_allows(s, field, value))
        return 1;
    cszi_space_reject(s, CSZ_REASON_LIMIT, 1);
    return 0;
}

/* Whether the sequence is not shared among tensor ranks is said only where it makes a difference.
 */
static void lay_sequence(cszi_search *s, int whole)
{
    const uint64_t bit = (uint64_t)1 << CSZI_SLOT_CSZ_PLAN_SEQUENCE_PARALLEL;
    if (s->whole_is_set)
        return;
    s->plan.sequence_parallel = 0;
    s->plan.set[0] = whole ? s->plan.set[0] | bit : s->plan.set[0] & ~bit;
}

/* A plan of tensor, context and expert degrees alone, for their own constraints: a count and a
 * batch that every degree divides. */
static csz_reason probe(cszi_search *s, int64_t c, const cszi_class *class, cszi_layout *layout)
{
    csz_reason reason;
    cszi_plan plan = s->plan;
    cszi_cluster one = s->cluster;
    cszi_batching batch = s->batching;
    plan.context_parallel = c;
    plan.expert_parallel = class->e;
    plan.expert_tensor_parallel = class->etp;
    plan.pipeline_parallel = plan.virtual_pipeline = plan.micro_batch = 1;
    plan.first_stage_layers = plan.last_stage_layers = 0;
    plan.embedding_counts = plan.loss_counts = 0;
    plan.recompute = CSZ_RECOMPUTE_NONE;
    plan.recompute_layers = 0;
    plan.recompute_norm = plan.recompute_activation = plan.recompute_latent = 0;
    plan.recompute_mlp = plan.recompute_experts = 0;
    plan.shard_group = 0;
    plan.sharding = plan.offload_parameters ? CSZ_SHARDING_PARAMETERS : CSZ_SHARDING_NONE;
    plan.gradient_release = 0;
    plan.set[0] &= ~((uint64_t)1 << CSZI_SLOT_CSZ_PLAN_SCHEDULE);
    one.accelerators = plan.tensor_parallel * c * class->e * class->etp;
    batch.sequences = one.accelerators;
    (void)cszi_plan_settle(&plan, s->workload, &one, &batch, layout, &reason, NULL);
    return reason;
}

static int64_t most_experts(const cszi_workload *w)
{
    int64_t most = 0;
    for (int64_t i = 0; i < w->kinds_count; i++)
        most = w->kinds[i].experts > most ? w->kinds[i].experts : most;
    return most;
}

/* Expert degrees that go with the tensor degree of the plan. */
static csz_status list_experts(cszi_search *s, int whole, cszi_error *error)
{
    int64_t experts = most_experts(s->workload), n = s->cluster.accelerators,
            t = s->plan.tensor_parallel;
    cszi_experts *list = &s->lists[s->list_count++];
    *list = (cszi_experts){(int32_t)t, whole, s->expert_count, 0};
    lay_sequence(s, whole);
    for (int64_t e = 1; e <= (experts > 0 ? experts : 1) && e <= n; e++) {
        if ((experts > 0 && experts % e != 0) || !allowed(s, CSZ_PLAN_EXPERT_PARALLEL, e))
            continue;
        for (int64_t etp = 1; etp <= (experts > 0 ? t : 1); etp++) {
            const cszi_class class = {0, (int32_t)e, (int32_t)etp};
            cszi_layout layout;
            csz_reason reason;
            if (t % etp != 0 || n % (e * etp) != 0 ||
                !allowed(s, CSZ_PLAN_EXPERT_TENSOR_PARALLEL, etp))
                continue;
            reason = probe(s, 1, &class, &layout);
            if (reason != CSZ_REASON_NONE)
                cszi_space_reject(s, reason, 1);
            else if (list->count == CSZI_CLASSES_OF_ROOT)
                return cszi_fail(error, CSZ_ERR_LIMIT, CSZ_PLAN_EXPERT_PARALLEL,
                                 "expert_parallel: more than %d degrees, with those of "
                                 "expert_tensor_parallel; limit them",
                                 CSZI_CLASSES_OF_ROOT);
            else
                s->experts[list->first + list->count++] = class;
        }
    }
    s->expert_count += list->count;
    return CSZ_OK;
}

/* How many of them divide the ranks of each pipeline degree. */
static void count_classes(cszi_search *s, const cszi_experts *list)
{
    for (size_t i = 0; i < s->divisor_count; i++) {
        int64_t ranks = s->cluster.accelerators / s->divisors[i];
        s->classes[i] = 0;
        for (size_t k = list->first; k < list->first + list->count; k++)
            s->classes[i] += (float)(ranks % (s->experts[k].e * s->experts[k].etp) == 0);
    }
}

/* ---- Roots ---- */

static void sink(cszi_root *heap, size_t count, size_t at)
{
    cszi_root root = heap[at];
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && heap[child + 1].least < heap[child].least;
        if (root.least <= heap[child].least)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = root;
}

/* The layout of a root. */
static csz_reason lay_root(cszi_search *s, const cszi_root *root)
{
    const cszi_class plain = {0, 1, 1};
    csz_reason reason;
    s->plan.tensor_parallel = root->t;
    s->plan.context_parallel = root->c;
    s->plan.micro_batch = root->b;
    lay_sequence(s, s->lists[root->list].whole);
    reason = probe(s, root->c, &plain, &s->base);
    s->base.b = root->b;
    s->base.used = s->cluster.accelerators;
    return reason;
}

static void open_root(cszi_search *s, const cszi_root *root)
{
    (void)lay_root(s, root);
    (void)cszi_bound_root(s);
    cszi_branch_root(s, &s->lists[root->list]);
}

/* The most promising root of each tensor degree first, so that the list soon holds what rules
 * others out. */
static void search_first(cszi_search *s, size_t count)
{
    for (size_t list = s->list_count; list-- > 0;) {
        cszi_root *best = NULL;
        for (size_t i = 0; i < count; i++)
            if ((size_t)s->roots[i].list == list &&
                (best == NULL || s->roots[i].least < best->least))
                best = &s->roots[i];
        if (best == NULL || best->least > cszi_branch_most_time(s))
            continue;
        open_root(s, best);
        best->b = 0; /* done */
    }
}

static csz_status search_roots(cszi_search *s, const cszi_progress *progress, cszi_error *error)
{
    size_t all = s->root_count, count = all;
    for (size_t i = count / 2; i-- > 0;)
        sink(s->roots, count, i);
    s->root_count = 0;
    if (s->counting)
        return CSZ_OK;
    search_first(s, count);
    while (count > 0 && s->roots[0].least <= cszi_branch_most_time(s)) {
        cszi_root root = s->roots[0];
        s->roots[0] = s->roots[--count];
        sink(s->roots, count, 0);
        if (root.b > 0)
            open_root(s, &root);
        if (progress != NULL && progress->fn != NULL &&
            progress->fn(progress->user, 1 - (double)count / (double)all) != 0)
            return cszi_fail(error, CSZ_ERR_CANCELLED, CSZ_FIELD_NONE, "cancelled");
    }
    return CSZ_OK;
}

/* Counts the plans under a root; whether there is one. */
static int count_root(cszi_search *s)
{
    int64_t n = s->cluster.accelerators, model = s->base.t * s->base.c;
    double plans = 0;
    for (size_t i = 0; i < s->divisor_count && s->divisors[i] <= s->layers; i++) {
        int64_t p = s->divisors[i], d = n / (model * p), each = d * s->base.b;
        if (n % (model * p) != 0 || !allowed(s, CSZ_PLAN_PIPELINE_PARALLEL, p) ||
            !allowed(s, CSZ_PLAN_DATA_PARALLEL, d))
            continue;
        if (s->batching.sequences % each != 0)
            cszi_space_reject(s, CSZ_REASON_BATCH, 1);
        else if (s->classes[i] <= 0)
            cszi_space_reject(s, CSZ_REASON_EXPERT_GROUP, 1);
        else
            plans += (double)s->classes[i] *
                     cszi_space_counted(s, p, s->batching.sequences / each, d * s->base.c);
    }
    s->valid += plans;
    return plans > 0;
}

/* A limit of the goal may ask for more than is tried on its own. */
static int64_t largest_micro_batch(const cszi_search *s)
{
    int64_t most = LARGEST_MICRO_BATCH;
    if ((s->goal->limited >> CSZI_SLOT_CSZ_PLAN_MICRO_BATCH & 1) != 0)
        most = (int64_t)s->goal->highest[CSZI_SLOT_CSZ_PLAN_MICRO_BATCH];
    return most < s->batching.sequences ? most : s->batching.sequences;
}

/* Micro-batches under tensor and context degrees. */
static csz_status add_micro_batches(cszi_search *s, cszi_root root, const cszi_progress *progress,
                                    cszi_error *error)
{
    csz_status status = CSZ_OK;
    int64_t most = largest_micro_batch(s);
    for (int64_t b = 1; b <= most && status == CSZ_OK; b++) {
        if (s->batching.sequences % b != 0 || !allowed(s, CSZ_PLAN_MICRO_BATCH, b))
            continue;
        if (s->root_count == CSZI_ROOTS) {
            status = search_roots(s, progress, error);
            (void)lay_root(s, &root);
        }
        root.b = (int32_t)b;
        s->base.b = s->plan.micro_batch = b;
        if (status != CSZ_OK || !count_root(s))
            continue;
        root.least = cszi_bound_root(s);
        s->roots[s->root_count++] = root;
    }
    return status;
}

/* Context degrees under a tensor degree. */
static csz_status add_contexts(cszi_search *s, int64_t t, int whole, const cszi_progress *progress,
                               cszi_error *error)
{
    csz_status status = CSZ_OK;
    if (s->list_count == CSZI_LISTS_OF_EXPERTS ||
        s->expert_count + CSZI_CLASSES_OF_ROOT > CSZI_CLASSES) {
        status = search_roots(s, progress, error);
        s->list_count = s->expert_count = 0;
    }
    s->plan.tensor_parallel = t;
    if (status == CSZ_OK)
        status = list_experts(s, whole, error);
    if (status != CSZ_OK)
        return status;
    count_classes(s, &s->lists[s->list_count - 1]);
    for (size_t i = 0; i < s->divisor_count && status == CSZ_OK; i++) {
        int64_t c = s->divisors[i];
        cszi_root root = {0, (int32_t)t, (int32_t)c, 1, (int32_t)(s->list_count - 1)};
        csz_reason reason;
        if (s->cluster.accelerators / t % c != 0 || 2 * c > s->batching.sequence + 1 ||
            !allowed(s, CSZ_PLAN_CONTEXT_PARALLEL, c))
            continue;
        reason = lay_root(s, &root);
        if (reason == CSZ_REASON_NONE)
            status = add_micro_batches(s, root, progress, error);
        else
            cszi_space_reject(s, reason, 1);
    }
    return status;
}

static int in_domain(cszi_search *s, int64_t t)
{
    int64_t domain = s->cluster.scale_up_domain > 0 ? s->cluster.scale_up_domain : 1;
    if (t <= domain || s->goal->tensor_beyond_domain)
        return 1;
    cszi_space_reject(s, CSZ_REASON_TENSOR_DOMAIN, 1);
    return 0;
}

/* All roots, then those that may be best. */
csz_status cszi_roots_search(cszi_search *s, const cszi_progress *progress, cszi_error *error)
{
    int64_t n = s->cluster.accelerators, heads = s->workload->kinds[0].heads;
    int64_t most = heads > 0 && heads < n ? heads : n;
    csz_status status = CSZ_OK;
    s->root_count = s->list_count = s->expert_count = 0;
    cszi_space_open(s);
    cszi_bound_open(s);
    for (size_t i = 0; i < s->divisor_count && s->divisors[i] <= most && status == CSZ_OK; i++) {
        int64_t t = s->divisors[i];
        int split = t > 1 && !s->whole_is_set;
        if (!allowed(s, CSZ_PLAN_TENSOR_PARALLEL, t) || !in_domain(s, t))
            continue;
        for (int whole = 0; whole <= split && status == CSZ_OK; whole++)
            if (!split || cszi_space_allows(s, CSZ_PLAN_SEQUENCE_PARALLEL, !whole))
                status = add_contexts(s, t, whole, progress, error);
    }
    if (status == CSZ_OK)
        status = search_roots(s, progress, error);
    cszi_space_close(s);
    return status;
}
