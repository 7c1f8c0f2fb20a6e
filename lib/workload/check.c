/* check.c: a workload that can be computed with. Bounds of single fields were checked when they
 * were set; here is what fields say of each other. */
#include "workload/workload.h"

static csz_status missing(cszi_error *error, csz_field field, const char *name, const char *why)
{
    return cszi_fail(error, CSZ_ERR_MISSING, field, "%s: is not set; %s", name, why);
}

static csz_status check_grouped(const cszi_workload *w, const cszi_layer_kind *k, long long i,
                                cszi_error *error)
{
    if (k->heads == 0)
        return cszi_fail(error, CSZ_ERR_MISSING, CSZ_WORKLOAD_HEADS,
                         "kinds[%lld].heads: is not set; give the query heads, or attention=none",
                         i);
    if (k->head_dim == 0 && cszi_kind_width(k, w->hidden) % k->heads != 0)
        return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_HEADS,
                         "kinds[%lld].heads: %lld does not divide hidden %lld; set head_dim", i,
                         (long long)k->heads, (long long)cszi_kind_width(k, w->hidden));
    if (k->heads % cszi_kind_kv_heads(k) != 0)
        return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_KV_HEADS,
                         "kinds[%lld].kv_heads: %lld does not divide heads %lld", i,
                         (long long)k->kv_heads, (long long)k->heads);
    return CSZ_OK;
}

static csz_status check_latent(const cszi_layer_kind *k, long long i, cszi_error *error)
{
    if (k->heads == 0 || k->kv_rank == 0 || k->nope_dim == 0 || k->value_dim == 0)
        return cszi_fail(
            error, CSZ_ERR_MISSING, CSZ_WORKLOAD_KV_RANK,
            "kinds[%lld]: latent attention needs heads, kv_rank, nope_dim and value_dim", i);
    return CSZ_OK;
}

/* What a recurrent or custom kind needs. */
static csz_status check_mixer(const cszi_layer_kind *k, long long i, cszi_error *error)
{
    const char *needs = NULL;
    if (k->attention == CSZ_ATTENTION_MAMBA &&
        (k->state_inner == 0 || k->state_size == 0 || k->state_rank == 0))
        needs = "mamba needs state_inner, state_size and state_rank";
    if (k->attention == CSZ_ATTENTION_MAMBA2 &&
        (k->state_heads == 0 || k->state_head_dim == 0 || k->state_size == 0))
        needs = "mamba2 needs state_heads, state_head_dim and state_size";
    if (k->attention == CSZ_ATTENTION_DELTA &&
        (k->key_heads == 0 || k->key_dim == 0 || k->state_heads == 0 || k->state_head_dim == 0))
        needs = "delta needs key_heads, key_dim, state_heads and state_head_dim";
    if (k->attention == CSZ_ATTENTION_LIGHTNING && k->heads == 0)
        needs = "lightning needs heads";
    if (k->attention == CSZ_ATTENTION_CUSTOM && k->custom_parameters == 0)
        needs = "custom needs custom_parameters";
    if (needs != NULL)
        return cszi_fail(error, CSZ_ERR_MISSING, CSZ_WORKLOAD_ATTENTION,
                         "kinds[%lld].attention: %s", i, needs);
    if (k->custom_active > k->custom_parameters)
        return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_CUSTOM_ACTIVE,
                         "kinds[%lld].custom_active: %lld of only %lld custom_parameters", i,
                         (long long)k->custom_active, (long long)k->custom_parameters);
    return CSZ_OK;
}

static csz_status check_experts(const cszi_layer_kind *k, long long i, cszi_error *error)
{
    if (k->experts == 0)
        return CSZ_OK;
    if (k->expert_ffn == 0 || k->experts_per_token == 0)
        return cszi_fail(error, CSZ_ERR_MISSING, CSZ_WORKLOAD_EXPERT_FFN,
                         "kinds[%lld]: experts need expert_ffn and experts_per_token", i);
    if (k->experts_per_token > k->experts)
        return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_EXPERTS_PER_TOKEN,
                         "kinds[%lld].experts_per_token: %lld of only %lld experts", i,
                         (long long)k->experts_per_token, (long long)k->experts);
    if (k->router_groups_chosen > k->router_groups)
        return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_ROUTER_GROUPS_CHOSEN,
                         "kinds[%lld].router_groups_chosen: %lld of %lld router_groups", i,
                         (long long)k->router_groups_chosen, (long long)k->router_groups);
    if (k->experts % k->router_groups != 0)
        return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_ROUTER_GROUPS,
                         "kinds[%lld].router_groups: %lld does not divide experts %lld", i,
                         (long long)k->router_groups, (long long)k->experts);
    return CSZ_OK;
}

static csz_status check_kind(const cszi_workload *w, int64_t index, cszi_error *error)
{
    const cszi_layer_kind *k = &w->kinds[index];
    csz_status status = CSZ_OK;
    if (k->attention == CSZ_ATTENTION_GROUPED)
        status = check_grouped(w, k, (long long)index, error);
    else if (k->attention == CSZ_ATTENTION_LATENT)
        status = check_latent(k, (long long)index, error);
    else
        status = check_mixer(k, (long long)index, error);
    if (status == CSZ_OK && k->cross_attention && k->token_share >= 1)
        status =
            cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_TOKEN_SHARE,
                      "kinds[%lld].token_share: is 1, which leaves cross_attention no other side",
                      (long long)index);
    if (status == CSZ_OK && k->cross_attention && k->attention != CSZ_ATTENTION_GROUPED)
        status =
            cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_CROSS_ATTENTION,
                      "kinds[%lld].cross_attention: needs attention=grouped", (long long)index);
    if (status == CSZ_OK)
        status = check_experts(k, (long long)index, error);
    if (status == CSZ_OK && k->attention == CSZ_ATTENTION_NONE && k->ffn == 0 && k->experts == 0)
        status =
            cszi_fail(error, CSZ_ERR_MISSING, CSZ_WORKLOAD_FFN,
                      "kinds[%lld]: has neither attention nor ffn nor experts", (long long)index);
    return status;
}

static csz_status check_runs(const cszi_workload *w, cszi_error *error)
{
    int64_t layers = 0;
    for (int64_t i = 0; i < w->runs_count; i++) {
        if (w->runs[i].layers == 0)
            return cszi_fail(error, CSZ_ERR_MISSING, CSZ_WORKLOAD_LAYERS,
                             "runs[%lld].layers: is not set", (long long)i);
        if (w->runs[i].layer_kind >= w->kinds_count)
            return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_LAYER_KIND,
                             "runs[%lld].layer_kind: %lld, but there are only %lld kinds",
                             (long long)i, (long long)w->runs[i].layer_kind,
                             (long long)w->kinds_count);
        layers += w->runs[i].layers;
    }
    if (layers > 65536)
        return cszi_fail(error, CSZ_ERR_LIMIT, CSZ_WORKLOAD_LAYERS,
                         "layers: %lld in all, at most 65536", (long long)layers);
    return CSZ_OK;
}

/* ---- The job ---- */

static const char *name_of(csz_field field, int64_t choice)
{
    return cszi_table_choice_name(&cszi_workload_table, field, choice);
}

/* Quantized optimizers bring the format of their moments along. */
static csz_status check_states(const cszi_workload *w, cszi_error *error)
{
    int four = w->optimizer == CSZ_OPTIMIZER_ADAM_4BIT;
    int eight =
        w->optimizer == CSZ_OPTIMIZER_ADAM_8BIT || w->optimizer == CSZ_OPTIMIZER_PAGED_ADAM_8BIT;
    if (!cszi_workload_has(w, CSZ_WORKLOAD_STATE_FORMAT) || (!four && !eight) ||
        (eight && w->state_format == CSZ_FORMAT_INT8))
        return CSZ_OK;
    return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_STATE_FORMAT,
                     "state_format: %s, but optimizer=%s keeps its moments in %d bit; leave it "
                     "unset%s, or choose optimizer=adamw",
                     name_of(CSZ_WORKLOAD_STATE_FORMAT, w->state_format),
                     name_of(CSZ_WORKLOAD_OPTIMIZER, w->optimizer), four ? 4 : 8,
                     eight ? " or int8" : "");
}

/* Every layer that mixes tokens sees those that follow: an encoder. */
static int sees_ahead(const cszi_workload *w)
{
    int mixers = 0;
    for (int64_t i = 0; i < w->kinds_count; i++) {
        const cszi_layer_kind *k = &w->kinds[i];
        if (k->attention == CSZ_ATTENTION_NONE)
            continue;
        if (!cszi_kind_has_scores(k) || k->causal)
            return 0;
        mixers = 1;
    }
    return mixers;
}

static csz_status check_method(const cszi_workload *w, cszi_error *error)
{
    int generates = w->method == CSZ_METHOD_PPO || w->method == CSZ_METHOD_GRPO;
    if (!generates || !sees_ahead(w))
        return CSZ_OK;
    return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_METHOD,
                     "method: %s generates text, and a model of causal=no layers alone cannot; "
                     "choose supervised, pairs, reward or distill",
                     name_of(CSZ_WORKLOAD_METHOD, w->method));
}

csz_status cszi_workload_check(const cszi_workload *workload, cszi_error *error)
{
    const char *why = "name a model of the catalog, load a config.json, or set its shape";
    csz_status status;
    if (workload->hidden == 0)
        return missing(error, CSZ_WORKLOAD_HIDDEN, "hidden", why);
    if (workload->vocab == 0 && workload->output_layer)
        return missing(error, CSZ_WORKLOAD_VOCAB, "vocab", why);
    if (workload->runs_count == 0)
        return missing(error, CSZ_WORKLOAD_LAYERS, "layers", why);
    if (workload->kinds_count == 0)
        return missing(error, CSZ_WORKLOAD_HEADS, "heads", why);
    for (int64_t i = 0; i < workload->kinds_count; i++) {
        status = check_kind(workload, i, error);
        if (status != CSZ_OK)
            return status;
    }
    status = check_runs(workload, error);
    if (status == CSZ_OK)
        status = check_states(workload, error);
    return status == CSZ_OK ? check_method(workload, error) : status;
}
