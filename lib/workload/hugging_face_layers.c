/* hugging_face_layers.c: which layers have experts and windows, and setting the fields. */
#include "workload/hugging_face_types.h"

#include "base/checked.h"

/* ---- Marking ---- */

static void mark(cszi_hf_reader *r, int64_t layer, unsigned bit, int on)
{
    unsigned marks = r->marks[layer];
    r->marks[layer] = (unsigned char)(on ? marks | bit : marks & ~bit);
}

/* By numbers alone: a step, a first layer, a pattern. */
static void mark_by_rule(cszi_hf_reader *r)
{
    int64_t layers = cszi_hf_number(r, CSZI_HF_LAYERS_SLOT),
            pattern = cszi_hf_number(r, CSZI_HF_WINDOW_PATTERN);
    int64_t from = cszi_hf_number(r, CSZI_HF_MOE_FROM),
            start = cszi_hf_number(r, CSZI_HF_WINDOW_FROM);
    int64_t freq = cszi_hf_number(r, CSZI_HF_MOE_FREQ), step = cszi_hf_number(r, CSZI_HF_MOE_STEP);
    int experts = cszi_hf_number(r, CSZI_HF_EXPERTS) > 0,
        window = cszi_hf_number(r, CSZI_HF_WINDOW) > 0;
    if (r->values[CSZI_HF_WINDOW_ON].given && !cszi_hf_number(r, CSZI_HF_WINDOW_ON))
        window = 0;
    for (int64_t i = 0; i < layers; i++) {
        mark(r, i, CSZI_HF_MARK_EXPERTS,
             experts && i >= from && (freq == 0 || i % freq == 0) &&
                 (step == 0 || (i + 1) % step == 0));
        mark(r, i, CSZI_HF_MARK_WINDOW,
             window && i >= start && (pattern == 0 || (i + 1) % pattern != 0));
    }
}

static csz_status find_list(const cszi_hf_reader *r, const char *key, cszi_json_value *list,
                            int *found)
{
    csz_status status = cszi_hf_find(r, key, list, found);
    if (status != CSZ_OK || !*found)
        return status;
    if (cszi_json_type_of(&r->json, *list) != CSZI_JSON_ARRAY)
        return cszi_json_fail(&r->json, *list, CSZ_ERR_TYPE, CSZ_FIELD_NONE,
                              "must be an array, not %s",
                              cszi_json_type_name(cszi_json_type_of(&r->json, *list)));
    return CSZ_OK;
}

/* The numbers of layers that have experts (on), or that have none. */
static csz_status mark_numbers(cszi_hf_reader *r, const char *key, int on)
{
    cszi_json_value list, item;
    size_t cursor = 0;
    int64_t layers = cszi_hf_number(r, CSZI_HF_LAYERS_SLOT), layer;
    int found;
    csz_status status = find_list(r, key, &list, &found);
    if (status != CSZ_OK || !found)
        return status;
    for (int64_t i = 0; on && i < layers; i++)
        mark(r, i, CSZI_HF_MARK_EXPERTS, 0);
    while (cszi_json_next_element(&r->json, list, &cursor, &item)) {
        status = cszi_json_i64(&r->json, item, &layer);
        if (status != CSZ_OK)
            return status;
        if (layer < 0 || layer >= layers)
            return cszi_json_fail(&r->json, item, CSZ_ERR_RANGE, CSZ_WORKLOAD_LAYERS,
                                  "layer %lld of a model with %lld", (long long)layer,
                                  (long long)layers);
        mark(r, layer, CSZI_HF_MARK_EXPERTS, on);
    }
    return CSZ_OK;
}

static csz_status mark_word(cszi_hf_reader *r, int64_t layer, cszi_json_value word)
{
    static const struct {
        const char *word;
        unsigned bit;
        int on;
    } words[] = {
        {"full_attention", CSZI_HF_MARK_WINDOW, 0},
        {"sliding_attention", CSZI_HF_MARK_WINDOW, 1},
        {"chunked_attention", CSZI_HF_MARK_WINDOW, 1},
        {"dense", CSZI_HF_MARK_EXPERTS, 0},
        {"sparse", CSZI_HF_MARK_EXPERTS, 1},
    };
    char name[CSZI_TEXT_CAPACITY];
    size_t length;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (cszi_json_equals(&r->json, word, words[i].word)) {
            mark(r, layer, words[i].bit, words[i].on);
            return CSZ_OK;
        }
    }
    if (cszi_json_type_of(&r->json, word) != CSZI_JSON_STRING)
        return cszi_json_fail(&r->json, word, CSZ_ERR_TYPE, CSZ_FIELD_NONE,
                              "must be a string, not %s",
                              cszi_json_type_name(cszi_json_type_of(&r->json, word)));
    length = cszi_json_string(&r->json, word, name, sizeof name);
    for (size_t i = 0; i < length && i < sizeof name - 1; i++)
        if (name[i] < ' ' || name[i] > '~')
            name[i] = '?'; /* the message stays printable */
    return cszi_json_fail(&r->json, word, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE,
                          "layers of type '%.*s' are not expressed by the fields of a workload", 32,
                          name);
}

/* Llama 4: 1 for each layer with rotary positions, whose attention is cut into chunks; 0 for one
 * without. */
static csz_status mark_rotary(cszi_hf_reader *r, int64_t layer, cszi_json_value item)
{
    int64_t rotary;
    csz_status status = cszi_json_i64(&r->json, item, &rotary);
    if (status == CSZ_OK)
        mark(r, layer, CSZI_HF_MARK_WINDOW, rotary != 0 && cszi_hf_number(r, CSZI_HF_WINDOW) > 0);
    return status;
}

/* A list with one item a layer; an empty one says nothing. */
static csz_status mark_each(cszi_hf_reader *r, const char *key,
                            csz_status (*item_mark)(cszi_hf_reader *, int64_t, cszi_json_value))
{
    cszi_json_value list, item;
    size_t cursor = 0;
    int64_t layers = cszi_hf_number(r, CSZI_HF_LAYERS_SLOT), count = 0;
    int found;
    csz_status status = find_list(r, key, &list, &found);
    if (status != CSZ_OK || !found)
        return status;
    while (status == CSZ_OK && cszi_json_next_element(&r->json, list, &cursor, &item)) {
        if (count < layers)
            status = item_mark(r, count, item);
        count++;
    }
    if (status == CSZ_OK && count != 0 && count != layers)
        return cszi_json_fail(&r->json, list, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_LAYERS,
                              "%lld items for a model of %lld layers", (long long)count,
                              (long long)layers);
    return status;
}

static csz_status missing_for(const cszi_hf_reader *r, cszi_hf_slot slot, const char *what,
                              int64_t layer)
{
    return cszi_fail(r->json.error, CSZ_ERR_MISSING, cszi_hf_field(slot), "layer %lld of %s has %s",
                     (long long)layer, r->type->name, what);
}

/* What a mark needs must have been given. */
static csz_status check_marks(const cszi_hf_reader *r)
{
    int64_t layers = cszi_hf_number(r, CSZI_HF_LAYERS_SLOT);
    for (int64_t i = 0; i < layers; i++) {
        if ((r->marks[i] & CSZI_HF_MARK_WINDOW) != 0 && cszi_hf_number(r, CSZI_HF_WINDOW) == 0)
            return missing_for(r, CSZI_HF_WINDOW, "a window, but its size is missing", i);
        if ((r->marks[i] & CSZI_HF_MARK_EXPERTS) != 0 && cszi_hf_number(r, CSZI_HF_EXPERTS) == 0)
            return missing_for(r, CSZI_HF_EXPERTS, "experts, but their number is missing", i);
        if ((r->marks[i] & CSZI_HF_MARK_EXPERTS) == 0 && !r->values[CSZI_HF_FFN].given)
            return missing_for(r, CSZI_HF_FFN,
                               "no experts, but the width of a dense MLP is missing", i);
    }
    return CSZ_OK;
}

csz_status cszi_hf_mark_layers(cszi_hf_reader *reader)
{
    csz_status status;
    mark_by_rule(reader);
    status = cszi_hf_number(reader, CSZI_HF_EXPERTS) > 0
                 ? mark_numbers(reader, "mlp_only_layers", 0)
                 : CSZ_OK;
    if (status == CSZ_OK && cszi_hf_number(reader, CSZI_HF_CHUNKED))
        status = mark_numbers(reader, "moe_layers", 1);
    if (status == CSZ_OK && cszi_hf_number(reader, CSZI_HF_CHUNKED))
        status = mark_each(reader, "no_rope_layers", mark_rotary);
    if (status == CSZ_OK)
        status = mark_each(reader, "layer_types", mark_word);
    if (status == CSZ_OK)
        status = mark_each(reader, "mlp_layer_types", mark_word);
    if (status == CSZ_OK)
        status = check_marks(reader);
    return status;
}

/* ---- Setting ---- */

static csz_status set_field(const cszi_hf_reader *r, csz_field field, size_t index, int64_t number,
                            cszi_json_value place)
{
    cszi_error error;
    csz_status status;
    cszi_error_clear(&error);
    status = cszi_field_set_i64(&cszi_workload_table, r->workload,
                                cszi_table_row(&cszi_workload_table, field), index, number, &error);
    if (status == CSZ_OK)
        return CSZ_OK;
    return cszi_json_fail(&r->json, place, status, field, "%s", error.text);
}

static csz_status set_slots(const cszi_hf_reader *r, cszi_hf_slot first, cszi_hf_slot last,
                            size_t index)
{
    csz_status status = CSZ_OK;
    for (int slot = (int)first; slot <= (int)last && status == CSZ_OK; slot++)
        if (r->values[slot].given)
            status = set_field(r, cszi_hf_field((cszi_hf_slot)slot), index, r->values[slot].number,
                               cszi_hf_place(r, (cszi_hf_slot)slot));
    return status;
}

static csz_status set_kind(const cszi_hf_reader *r, unsigned marks, size_t index)
{
    csz_status status = set_slots(r, CSZI_HF_ATTENTION, CSZI_HF_NORMS, index);
    if (status == CSZ_OK && (marks & CSZI_HF_MARK_WINDOW) != 0)
        status = set_slots(r, CSZI_HF_WINDOW, CSZI_HF_WINDOW, index);
    if (status == CSZ_OK && (marks & CSZI_HF_MARK_EXPERTS) != 0)
        return set_slots(r, CSZI_HF_EXPERTS, CSZI_HF_GROUPS, index);
    return status == CSZ_OK ? set_slots(r, CSZI_HF_FFN, CSZI_HF_MLP_BIAS, index) : status;
}

/* Runs of equal marks; a kind for each combination, in the order of their first layers. */
static csz_status set_layers(const cszi_hf_reader *r)
{
    int64_t layers = cszi_hf_number(r, CSZI_HF_LAYERS_SLOT);
    cszi_json_value place = cszi_hf_place(r, CSZI_HF_LAYERS_SLOT);
    int kind_of[4] = {-1, -1, -1, -1}, kinds = 0; /* by marks */
    size_t run = 0;
    csz_status status = CSZ_OK;
    for (int64_t begin = 0, end; begin < layers && status == CSZ_OK; begin = end, run++) {
        unsigned marks = r->marks[begin];
        for (end = begin + 1; end < layers && r->marks[end] == marks; end++)
            ;
        if (kind_of[marks] < 0) {
            status = set_kind(r, marks, (size_t)kinds);
            kind_of[marks] = kinds++;
        }
        if (status == CSZ_OK)
            status = set_field(r, CSZ_WORKLOAD_LAYERS, run, end - begin, place);
        if (status == CSZ_OK)
            status = set_field(r, CSZ_WORKLOAD_LAYER_KIND, run, kind_of[marks], place);
    }
    return status;
}

/* Shared experts are one wide expert; switches of norms become the choice. */
static void derive(cszi_hf_reader *r)
{
    if (cszi_hf_number(r, CSZI_HF_SHARED_EXPERTS) > 0) {
        int64_t width = CSZI_COUNT_MAX;
        (void)cszi_multiply(cszi_hf_number(r, CSZI_HF_SHARED_EXPERTS),
                            cszi_hf_number(r, CSZI_HF_EXPERT_FFN), &width);
        cszi_hf_put(r, CSZI_HF_SHARED_FFN, width, CSZI_HF_SHARED_EXPERTS);
    }
    if (cszi_hf_number(r, CSZI_HF_QK_NORM_HEAD))
        cszi_hf_put(r, CSZI_HF_QK_NORM, CSZ_QK_NORM_HEAD, CSZI_HF_QK_NORM_HEAD);
    if (cszi_hf_number(r, CSZI_HF_QK_NORM_FULL))
        cszi_hf_put(r, CSZI_HF_QK_NORM, CSZ_QK_NORM_FULL, CSZI_HF_QK_NORM_FULL);
}

csz_status cszi_hf_set_fields(cszi_hf_reader *reader)
{
    csz_status status;
    derive(reader);
    status = set_slots(reader, CSZI_HF_HIDDEN, CSZI_HF_DROPOUT, 0);
    return status == CSZ_OK ? set_layers(reader) : status;
}
