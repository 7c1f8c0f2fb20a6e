/* parameters.c: parameter counts as sums over the list of matrices, checked against overflow. */
#include "workload/parameters.h"

#include <string.h>

#include "base/checked.h"

int64_t cszi_norm_parameters(int64_t norm, int64_t width)
{
    if (norm == CSZ_NORM_LAYER_NO_PARAMETERS)
        return 0;
    return norm == CSZ_NORM_LAYER ? 2 * width : width;
}

int64_t cszi_workload_last_kind(const cszi_workload *workload)
{
    return workload->runs_count > 0 ? workload->runs[workload->runs_count - 1].layer_kind : 0;
}

/* Norms inside the attention block: the ranks of latent attention, queries and keys. */
static int64_t inner_norms(const cszi_workload *w, const cszi_layer_kind *k)
{
    int64_t count = 0, d = cszi_kind_head_dim(k, w->hidden);
    if (k->attention == CSZ_ATTENTION_LATENT)
        count += k->query_rank + k->kv_rank;
    if (k->attention == CSZ_ATTENTION_DELTA)
        count += k->state_head_dim; /* on the output of each value head */
    if (k->state_norms)
        count += k->state_rank + 2 * k->state_size;
    if (k->attention == CSZ_ATTENTION_GROUPED && k->qk_norm == CSZ_QK_NORM_HEAD)
        count += 2 * d;
    if (k->attention == CSZ_ATTENTION_GROUPED && k->qk_norm == CSZ_QK_NORM_FULL)
        count += (k->heads + cszi_kind_kv_heads(k)) * d;
    return count;
}

/* 0 is a norm of its own, so whether the kind has one is asked of its set bit. */
static int64_t kind_norm(const cszi_workload *w, const cszi_layer_kind *k)
{
    const cszi_field_row *row = cszi_table_row(&cszi_workload_table, CSZ_WORKLOAD_KIND_NORM);
    return cszi_field_is_set(&cszi_workload_table, w, row, (size_t)(k - w->kinds)) ? k->kind_norm
                                                                                   : w->norm;
}

int cszi_matrix_is_target(const cszi_workload *w, const cszi_matrix *m)
{
    if (w->lora_targets == CSZ_LORA_TARGETS_QUERY_VALUE)
        return m->adapted > 0;
    if (w->lora_targets == CSZ_LORA_TARGETS_ATTENTION)
        return m->part == CSZI_PART_ATTENTION;
    return m->part != CSZI_PART_ROUTER;
}

typedef struct tallies {
    cszi_tally sharded, replicated, experts, inactive, adapters, expert_adapters, active_adapters;
} tallies;

static void count_matrix(const cszi_workload *w, const cszi_matrix *m, tallies *t)
{
    cszi_tally one = {0, 0};
    int64_t ends;
    cszi_tally *group = m->part == CSZI_PART_EXPERT   ? &t->experts
                        : m->split == CSZI_SPLIT_NONE ? &t->replicated
                                                      : &t->sharded;
    cszi_tally_add(&one, m->in, m->out);
    /* A row-parallel bias is added after the reduction: every rank holds it. */
    if (m->part == CSZI_PART_EXPERT || m->split != CSZI_SPLIT_ROW)
        cszi_tally_add(&one, m->bias, 1);
    else
        cszi_tally_add(&t->replicated, m->bias, 1);
    cszi_tally_add(group, one.value, m->copies);
    cszi_tally_add(&t->inactive, one.value, m->copies - m->active);
    group->overflow |= one.overflow;
    if (!cszi_matrix_is_target(w, m))
        return;
    ends =
        w->lora_targets == CSZ_LORA_TARGETS_QUERY_VALUE ? 2 * m->in + m->adapted : m->in + m->out;
    cszi_tally_add(m->part == CSZI_PART_EXPERT ? &t->expert_adapters : &t->adapters,
                   ends * w->lora_rank, m->copies);
    cszi_tally_add(&t->active_adapters, ends * w->lora_rank, m->active);
}

static int count_kind(const cszi_workload *w, const cszi_layer_kind *k, cszi_layer_parameters *p)
{
    cszi_matrix matrices[CSZI_MATRICES];
    size_t count = cszi_kind_matrices(k, w->hidden, matrices);
    tallies t = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
    int64_t norm = cszi_norm_parameters(kind_norm(w, k), cszi_kind_width(k, w->hidden));
    for (size_t i = 0; i < count; i++)
        count_matrix(w, &matrices[i], &t);
    cszi_tally_add(&t.replicated, norm, k->norms_per_layer);
    cszi_tally_add(&t.replicated, inner_norms(w, k), 1);
    cszi_tally_add(&t.sharded, k->attention_sinks ? k->heads : 0, 1);
    if (k->attention == CSZ_ATTENTION_CUSTOM) {
        cszi_tally_add(&t.sharded, k->custom_parameters, 1);
        if (k->custom_active != 0)
            cszi_tally_add(&t.inactive, k->custom_parameters - k->custom_active, 1);
    }
    *p = (cszi_layer_parameters){
        t.sharded.value,  t.replicated.value,      t.experts.value,        t.inactive.value,
        t.adapters.value, t.expert_adapters.value, t.active_adapters.value};
    return !(t.sharded.overflow || t.replicated.overflow || t.experts.overflow ||
             t.inactive.overflow || t.adapters.overflow || t.expert_adapters.overflow);
}

/* Embedding, output layer, outer norms and what prediction layers add (2h x h projection, 3 norms).
 * An embedding of another width has a projection on each side. */
static void count_outside(const cszi_workload *w, cszi_parameters *p)
{
    int64_t h = w->hidden, width = w->embedding_width != 0 ? w->embedding_width : h;
    int64_t project = width != h ? width * h : 0;
    p->embedding = w->vocab * width + project + w->learned_positions * h;
    p->head_matrix = w->output_layer ? w->vocab * width + project : 0;
    p->head = (w->tied_embeddings ? (w->output_layer ? project : 0) : p->head_matrix) +
              (w->head_bias ? w->vocab : 0);
    p->outer_norms = cszi_norm_parameters(w->norm, h) * (w->final_norm + w->embedding_norm);
    p->prediction_extra = 2 * h * h + 3 * cszi_norm_parameters(w->norm, h);
}

static int sum_up(const cszi_workload *w, cszi_parameters *p)
{
    cszi_tally total = {0, 0}, inactive = {0, 0}, adapters = {0, 0}, active = {0, 0};
    const cszi_layer_parameters *last = &p->kinds[cszi_workload_last_kind(w)];
    p->layers = 0;
    for (int64_t i = 0; i < w->runs_count; i++) {
        const cszi_layer_parameters *k = &p->kinds[w->runs[i].layer_kind];
        cszi_tally_add(&total, k->sharded + k->replicated + k->experts, w->runs[i].layers);
        cszi_tally_add(&inactive, k->inactive, w->runs[i].layers);
        cszi_tally_add(&adapters, k->adapters + k->expert_adapters, w->runs[i].layers);
        cszi_tally_add(&active, k->active_adapters, w->runs[i].layers);
        p->layers += w->runs[i].layers;
    }
    cszi_tally_add(&total, last->sharded + last->replicated + last->experts, w->prediction_layers);
    cszi_tally_add(&total, p->prediction_extra, w->prediction_layers);
    cszi_tally_add(&inactive, last->inactive, w->prediction_layers);
    cszi_tally_add(&total, p->embedding + p->head + p->outer_norms, 1);
    cszi_tally_add(&total, w->extra_parameters, 1);
    p->total = total.value;
    p->active = total.value - inactive.value;
    p->active_adapters = active.value;
    p->trained = cszi_is_adapter_job(w) ? adapters.value : total.value;
    return !(total.overflow || inactive.overflow || adapters.overflow);
}

csz_status cszi_workload_parameters(const cszi_workload *workload, cszi_parameters *parameters,
                                    cszi_error *error)
{
    int exact = 1;
    parameters->kind_count = workload->kinds_count;
    for (int64_t i = 0; i < workload->kinds_count; i++)
        exact &= count_kind(workload, &workload->kinds[i], &parameters->kinds[i]);
    count_outside(workload, parameters);
    exact &= sum_up(workload, parameters);
    if (!exact)
        return cszi_fail(
            error, CSZ_ERR_LIMIT, CSZ_WORKLOAD_HIDDEN,
            "the parameter count passes 2^53: check hidden, ffn, experts, layers and vocab");
    return CSZ_OK;
}
