/* hugging_face_layers.c: setting the fields; a layer kind for each combination of marks. */
#include "workload/hugging_face_types.h"
#include "workload/layer_runs.h"

csz_status cszi_hf_set_field(const cszi_hf_reader *reader, csz_field field, size_t index,
                             int64_t number, cszi_json_value place)
{
    cszi_error error;
    csz_status status;
    cszi_error_clear(&error);
    status = cszi_field_set_i64(&cszi_workload_table, reader->workload,
                                cszi_table_row(&cszi_workload_table, field), index, number, &error);
    if (status == CSZ_OK)
        return CSZ_OK;
    return cszi_json_fail(&reader->json, place, status, field, "%s", error.text);
}

static csz_status set_share(const cszi_hf_reader *r, size_t index, double share)
{
    return cszi_field_set_f64(&cszi_workload_table, r->workload,
                              cszi_table_row(&cszi_workload_table, CSZ_WORKLOAD_TOKEN_SHARE), index,
                              share, r->json.error);
}

static csz_status set_slots(const cszi_hf_reader *r, cszi_hf_slot first, cszi_hf_slot last,
                            size_t index)
{
    csz_status status = CSZ_OK;
    for (int slot = (int)first; slot <= (int)last && status == CSZ_OK; slot++)
        if (r->values[slot].given)
            status =
                cszi_hf_set_field(r, cszi_hf_field((cszi_hf_slot)slot), index,
                                  r->values[slot].number, cszi_hf_place(r, (cszi_hf_slot)slot));
    return status;
}

/* ---- One kind ---- */

static csz_status set_window(const cszi_hf_reader *r, size_t index)
{
    csz_status status = set_slots(r, CSZI_HF_WINDOW, CSZI_HF_WINDOW, index);
    return status == CSZ_OK ? set_slots(r, CSZI_HF_WINDOW_HEADS, CSZI_HF_WINDOW_KV_HEADS, index)
                            : status;
}

/* Attention, a recurrent mixer (lightning attention has heads), or none. */
static csz_status set_mixer(const cszi_hf_reader *r, unsigned marks, size_t index)
{
    csz_status status;
    if ((marks & CSZI_HF_MARK_NO_MIXER) != 0)
        return cszi_hf_set_field(r, CSZ_WORKLOAD_ATTENTION, index, CSZ_ATTENTION_NONE,
                                 cszi_hf_place(r, CSZI_HF_LAYERS_SLOT));
    if ((marks & CSZI_HF_MARK_RECURRENT) != 0) {
        status = set_slots(r, CSZI_HF_MIXER, CSZI_HF_CONVOLUTION_BIAS, index);
        if (status == CSZ_OK && cszi_hf_number(r, CSZI_HF_MIXER) == CSZ_ATTENTION_LIGHTNING)
            status = set_slots(r, CSZI_HF_HEADS, CSZI_HF_HEADS, index);
        if (status == CSZ_OK && cszi_hf_number(r, CSZI_HF_MIXER) == CSZ_ATTENTION_LIGHTNING)
            status = set_slots(r, CSZI_HF_HEAD_DIM, CSZI_HF_HEAD_DIM, index);
        return status;
    }
    status = set_slots(r, CSZI_HF_ATTENTION, CSZI_HF_QUERY_GATE, index);
    if (status == CSZ_OK && (marks & CSZI_HF_MARK_WINDOW) != 0)
        status = set_window(r, index);
    return status;
}

/* A decoder looks back only, and at the encoder's output after one norm more. */
static csz_status set_side(const cszi_hf_reader *r, unsigned marks, size_t index)
{
    cszi_json_value place = cszi_hf_place(r, CSZI_HF_DECODER);
    int64_t norms = r->values[CSZI_HF_NORMS].given ? cszi_hf_number(r, CSZI_HF_NORMS) : 2;
    csz_status status;
    if (!r->values[CSZI_HF_DECODER].given)
        return CSZ_OK;
    if ((marks & CSZI_HF_MARK_DECODER) == 0) {
        status = cszi_hf_set_field(r, CSZ_WORKLOAD_CAUSAL, index, 0, place);
        return status == CSZ_OK ? set_share(r, index, r->encoder_share) : status;
    }
    status = cszi_hf_set_field(r, CSZ_WORKLOAD_CROSS_ATTENTION, index, 1, place);
    if (status == CSZ_OK)
        status = cszi_hf_set_field(r, CSZ_WORKLOAD_NORMS_PER_LAYER, index, norms + 1, place);
    return status == CSZ_OK ? set_share(r, index, 1 - r->encoder_share) : status;
}

static csz_status set_kind(const cszi_hf_reader *r, unsigned marks, size_t index)
{
    csz_status status = set_mixer(r, marks, index);
    if (status == CSZ_OK)
        status = set_slots(r, CSZI_HF_GATED, CSZI_HF_NORMS, index);
    if (status == CSZ_OK)
        status = set_side(r, marks, index);
    if (status != CSZ_OK || (marks & CSZI_HF_MARK_NO_MLP) != 0)
        return status;
    return (marks & CSZI_HF_MARK_EXPERTS) != 0
               ? set_slots(r, CSZI_HF_EXPERTS, CSZI_HF_GROUPS, index)
               : set_slots(r, CSZI_HF_FFN, CSZI_HF_MLP_BIAS, index);
}

/* ---- All layers ---- */

static csz_status set_run(const cszi_hf_reader *r, size_t run, int64_t layers, int64_t kind)
{
    cszi_json_value place = cszi_hf_place(r, CSZI_HF_LAYERS_SLOT);
    csz_status status = cszi_hf_set_field(r, CSZ_WORKLOAD_LAYERS, run, layers, place);
    return status == CSZ_OK ? cszi_hf_set_field(r, CSZ_WORKLOAD_LAYER_KIND, run, kind, place)
                            : status;
}

static csz_status new_kind(const cszi_hf_reader *r, unsigned marks, int kinds)
{
    if (kinds >= CSZI_KINDS)
        return cszi_json_fail(&r->json, cszi_hf_place(r, CSZI_HF_LAYERS_SLOT), CSZ_ERR_LIMIT,
                              CSZ_WORKLOAD_LAYER_KIND, "more than %d kinds of layers", CSZI_KINDS);
    return set_kind(r, marks, (size_t)kinds);
}

/* Marks that number the layers are their kind already. */
static csz_status set_layers(const cszi_hf_reader *r)
{
    int numbered = r->values[CSZI_HF_NUMBERED].given;
    size_t run = 0;
    cszi_layer_runs runs;
    csz_status status = CSZ_OK;
    cszi_layer_runs_begin(&runs, r->marks, cszi_hf_number(r, CSZI_HF_LAYERS_SLOT));
    while (status == CSZ_OK && cszi_layer_runs_next(&runs)) {
        unsigned marks = r->marks[runs.end - 1];
        if (numbered && marks == CSZI_HF_NO_LAYER)
            continue;
        if (runs.is_new && !numbered)
            status = new_kind(r, marks, runs.kind);
        if (status == CSZ_OK)
            status = set_run(r, run++, runs.count, numbered ? (int64_t)marks : runs.kind);
    }
    return status;
}

/* ---- The whole ---- */

/* Shared experts are one wide expert; switches of norms become the choice. */
static void derive(cszi_hf_reader *r)
{
    if (cszi_hf_number(r, CSZI_HF_SHARED_EXPERTS) > 0)
        cszi_hf_put(r, CSZI_HF_SHARED_FFN,
                    cszi_hf_product(cszi_hf_number(r, CSZI_HF_SHARED_EXPERTS),
                                    cszi_hf_number(r, CSZI_HF_EXPERT_FFN)),
                    CSZI_HF_SHARED_EXPERTS);
    if (cszi_hf_number(r, CSZI_HF_QK_NORM_HEAD))
        cszi_hf_put(r, CSZI_HF_QK_NORM, CSZ_QK_NORM_HEAD, CSZI_HF_QK_NORM_HEAD);
    if (cszi_hf_number(r, CSZI_HF_QK_NORM_FULL))
        cszi_hf_put(r, CSZI_HF_QK_NORM, CSZ_QK_NORM_FULL, CSZI_HF_QK_NORM_FULL);
}

/* What no field counts, for each layer that has it. */
static void add_extras(cszi_hf_reader *r)
{
    static const struct {
        cszi_hf_slot slot;
        unsigned mark;
    } sorts[] = {
        {CSZI_HF_EXTRA_LAYER, 0},
        {CSZI_HF_EXTRA_MIXER, CSZI_HF_MARK_RECURRENT},
        {CSZI_HF_EXTRA_WINDOW, CSZI_HF_MARK_WINDOW},
        {CSZI_HF_EXTRA_DECODER, CSZI_HF_MARK_DECODER},
    };
    int64_t layers = cszi_hf_number(r, CSZI_HF_LAYERS_SLOT);
    for (size_t i = 0; i < sizeof sorts / sizeof sorts[0]; i++) {
        int64_t count = 0;
        for (int64_t k = 0; k < layers; k++)
            count += (r->marks[k] & sorts[i].mark) == sorts[i].mark;
        if (r->values[sorts[i].slot].given)
            cszi_hf_add_extra(r, CSZI_HF_EXTRA, count, cszi_hf_number(r, sorts[i].slot));
    }
}

csz_status cszi_hf_set_fields(cszi_hf_reader *reader)
{
    csz_status status;
    derive(reader);
    add_extras(reader);
    status = set_slots(reader, CSZI_HF_HIDDEN, CSZI_HF_DROPOUT, 0);
    return status == CSZ_OK ? set_layers(reader) : status;
}
