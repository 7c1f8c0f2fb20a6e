/* hugging_face_marks.c: which layers have experts, windows, a recurrent mixer, an MLP. */
#include "workload/hugging_face_types.h"

#define EXPERTS CSZI_HF_MARK_EXPERTS
#define WINDOW CSZI_HF_MARK_WINDOW
#define RECURRENT CSZI_HF_MARK_RECURRENT
#define NO_MIXER CSZI_HF_MARK_NO_MIXER
#define NO_MLP CSZI_HF_MARK_NO_MLP
#define DECODER CSZI_HF_MARK_DECODER

#define WORD_SHOWN 32 /* bytes of an unknown word in its message */

static void mark(cszi_hf_reader *r, int64_t layer, unsigned bits, int on)
{
    unsigned marks = r->marks[layer];
    r->marks[layer] = (unsigned char)(on ? marks | bits : marks & ~bits);
}

/* ---- By numbers alone: a step, a first layer, a pattern ---- */

static int rule_experts(const cszi_hf_reader *r, int64_t i)
{
    int64_t from = cszi_hf_number(r, CSZI_HF_MOE_FROM), freq = cszi_hf_number(r, CSZI_HF_MOE_FREQ),
            step = cszi_hf_number(r, CSZI_HF_MOE_STEP), to = cszi_hf_number(r, CSZI_HF_MOE_TO);
    if (cszi_hf_number(r, CSZI_HF_EXPERTS) == 0 || i < from)
        return 0;
    if (r->values[CSZI_HF_MOE_TO].given && to >= 0 && i > to)
        return 0;
    return (freq == 0 || i % freq == cszi_hf_number(r, CSZI_HF_MOE_OFFSET)) &&
           (step == 0 || (i + 1) % step == 0);
}

static int rule_window(const cszi_hf_reader *r, int64_t i)
{
    int64_t pattern = cszi_hf_number(r, CSZI_HF_WINDOW_PATTERN),
            step = cszi_hf_number(r, CSZI_HF_WINDOW_STEP);
    if (cszi_hf_number(r, CSZI_HF_WINDOW) == 0 || i < cszi_hf_number(r, CSZI_HF_WINDOW_FROM))
        return 0;
    if (r->values[CSZI_HF_WINDOW_ON].given && !cszi_hf_number(r, CSZI_HF_WINDOW_ON))
        return 0;
    return (pattern == 0 || (i + 1) % pattern != 0) && (step == 0 || (i + 1) % step == 0);
}

static int rule_recurrent(const cszi_hf_reader *r, int64_t i)
{
    int64_t every = cszi_hf_number(r, CSZI_HF_FULL_EVERY),
            period = cszi_hf_number(r, CSZI_HF_FULL_PERIOD);
    if (!r->values[CSZI_HF_MIXER].given || cszi_hf_number(r, CSZI_HF_NAMED))
        return 0;
    if (every != 0 && (i + 1) % every == 0)
        return 0;
    return period == 0 || i % period != cszi_hf_number(r, CSZI_HF_FULL_OFFSET);
}

static void mark_by_rule(cszi_hf_reader *r)
{
    int64_t layers = cszi_hf_number(r, CSZI_HF_LAYERS_SLOT),
            decoder = layers - cszi_hf_number(r, CSZI_HF_DECODER);
    for (int64_t i = 0; i < layers; i++) {
        mark(r, i, EXPERTS, rule_experts(r, i));
        mark(r, i, WINDOW, rule_window(r, i));
        mark(r, i, RECURRENT, rule_recurrent(r, i));
        mark(r, i, NO_MLP, cszi_hf_number(r, CSZI_HF_BLOCKS) != 0);
        mark(r, i, DECODER, i >= decoder);
    }
}

/* ---- Lists ---- */

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

static csz_status mark_number(cszi_hf_reader *r, cszi_json_value place, int64_t layer,
                              unsigned bits, int on)
{
    int64_t layers = cszi_hf_number(r, CSZI_HF_LAYERS_SLOT);
    if (layer < 0 || layer >= layers)
        return cszi_json_fail(&r->json, place, CSZ_ERR_RANGE, CSZ_WORKLOAD_LAYERS,
                              "layer %lld of a model with %lld", (long long)layer,
                              (long long)layers);
    mark(r, layer, bits, on);
    return CSZ_OK;
}

/* The numbers of layers that have the bits (on), or lack them; whole: all others are the reverse.
 */
static csz_status mark_numbers(cszi_hf_reader *r, const char *key, unsigned bits, int on, int whole)
{
    cszi_json_value list, item;
    size_t cursor = 0;
    int64_t layers = cszi_hf_number(r, CSZI_HF_LAYERS_SLOT), layer;
    int found;
    csz_status status = find_list(r, key, &list, &found);
    if (status != CSZ_OK || !found)
        return status;
    for (int64_t i = 0; whole && i < layers; i++)
        mark(r, i, bits, !on);
    while (status == CSZ_OK && cszi_json_next_element(&r->json, list, &cursor, &item)) {
        status = cszi_json_i64(&r->json, item, &layer);
        if (status == CSZ_OK)
            status = mark_number(r, item, layer, bits, on);
    }
    return status;
}

/* The same as text: "3,4,5" (Step 3.5). */
static csz_status mark_enumeration(cszi_hf_reader *r, const char *key)
{
    cszi_json_value text;
    int64_t layers = cszi_hf_number(r, CSZI_HF_LAYERS_SLOT), layer = 0;
    int found, digits = 0;
    csz_status status = cszi_hf_find(r, key, &text, &found);
    if (status == CSZ_OK && found)
        status = cszi_hf_text(r, text);
    if (status != CSZ_OK || !found)
        return status;
    for (int64_t i = 0; i < layers; i++)
        mark(r, i, EXPERTS, 0);
    for (size_t at = text.begin + 1; at < text.end && status == CSZ_OK; at++) {
        char c = r->json.text[at]; /* the closing quote ends the last number */
        if (c >= '0' && c <= '9' && layer <= CSZI_HF_LAYERS) {
            layer = 10 * layer + (c - '0');
            digits = 1;
        } else if ((c == ',' || c == '"') && digits) {
            status = mark_number(r, text, layer, EXPERTS, 1);
            layer = digits = 0;
        } else if (c != ' ') {
            status = cszi_json_fail(&r->json, text, CSZ_ERR_RANGE, CSZ_WORKLOAD_LAYERS,
                                    "must be numbers of layers with commas between them");
        }
    }
    return status;
}

typedef csz_status (*marker)(cszi_hf_reader *, int64_t, cszi_json_value);

/* A list with one item a layer; an empty one says nothing. Items for the prediction layers may
 * follow. */
static csz_status mark_each(cszi_hf_reader *r, const char *key, marker item_mark)
{
    cszi_json_value list, item, predicted;
    size_t cursor = 0;
    int64_t layers = cszi_hf_number(r, CSZI_HF_LAYERS_SLOT), count = 0, more = 0;
    int found;
    csz_status status = find_list(r, key, &list, &found);
    if (status != CSZ_OK || !found)
        return status;
    while (status == CSZ_OK && cszi_json_next_element(&r->json, list, &cursor, &item)) {
        if (count < layers)
            status = item_mark(r, count, item);
        count++;
    }
    if (status != CSZ_OK || count == 0 || count == layers)
        return status;
    status = cszi_hf_find(r, "num_nextn_predict_layers", &predicted, &found);
    if (status == CSZ_OK && found)
        status = cszi_json_i64(&r->json, predicted, &more);
    if (status == CSZ_OK && count != layers + more)
        return cszi_json_fail(&r->json, list, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_LAYERS,
                              "%lld items for a model of %lld layers", (long long)count,
                              (long long)layers);
    return status;
}

/* Llama 4: 1 for each layer with rotary positions, whose attention is cut into chunks; 0 for one
 * without. */
static csz_status mark_rotary(cszi_hf_reader *r, int64_t layer, cszi_json_value item)
{
    int64_t rotary;
    csz_status status = cszi_json_i64(&r->json, item, &rotary);
    if (status == CSZ_OK)
        mark(r, layer, WINDOW, rotary != 0 && cszi_hf_number(r, CSZI_HF_WINDOW) > 0);
    return status;
}

/* MiniMax-Text-01: 1 for attention, 0 for lightning attention. */
static csz_status mark_lightning(cszi_hf_reader *r, int64_t layer, cszi_json_value item)
{
    int64_t full;
    csz_status status = cszi_json_i64(&r->json, item, &full);
    if (status == CSZ_OK)
        mark(r, layer, RECURRENT, full == 0);
    return status;
}

/* K-EXAONE: whether each layer has experts. */
static csz_status mark_switch(cszi_hf_reader *r, int64_t layer, cszi_json_value item)
{
    cszi_json_type type = cszi_json_type_of(&r->json, item);
    if (type != CSZI_JSON_TRUE && type != CSZI_JSON_FALSE)
        return cszi_json_fail(&r->json, item, CSZ_ERR_TYPE, CSZ_FIELD_NONE,
                              "must be true or false, not %s", cszi_json_type_name(type));
    mark(r, layer, EXPERTS, type == CSZI_JSON_TRUE);
    return CSZ_OK;
}

/* ---- Words ---- */

typedef struct word {
    const char *word;
    unsigned off;
    unsigned on;
} word;

static const word words[] = {
    {"full_attention", WINDOW | RECURRENT, 0},
    {"attention", WINDOW | RECURRENT, 0},
    {"global", WINDOW, 0},
    {"sliding_attention", RECURRENT, WINDOW},
    {"chunked_attention", RECURRENT, WINDOW},
    {"local", 0, WINDOW},
    {"linear_attention", WINDOW, RECURRENT},
    {"mamba", WINDOW, RECURRENT},
    {"conv", WINDOW, RECURRENT},
    {"dense", EXPERTS, 0},
    {"sparse", 0, EXPERTS},
};

/* Where a layer is one block: a mixer or an MLP. */
static const word blocks[] = {
    {"full_attention", EXPERTS | RECURRENT | NO_MIXER, NO_MLP},
    {"attention", EXPERTS | RECURRENT | NO_MIXER, NO_MLP},
    {"linear_attention", EXPERTS | NO_MIXER, RECURRENT | NO_MLP},
    {"mamba", EXPERTS | NO_MIXER, RECURRENT | NO_MLP},
    {"mlp", EXPERTS | RECURRENT | NO_MLP, NO_MIXER},
    {"moe", RECURRENT | NO_MLP, EXPERTS | NO_MIXER},
};

static csz_status unknown_word(const cszi_hf_reader *r, cszi_json_value text)
{
    char name[CSZI_TEXT_CAPACITY];
    size_t length = cszi_json_string(&r->json, text, name, sizeof name);
    for (size_t i = 0; i < length && i < sizeof name - 1; i++)
        if (name[i] < ' ' || name[i] > '~')
            name[i] = '?'; /* the message stays printable */
    return cszi_json_fail(&r->json, text, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE,
                          "layers of type '%.*s' are not expressed by the fields of a workload",
                          WORD_SHOWN, name);
}

static csz_status mark_word(cszi_hf_reader *r, int64_t layer, cszi_json_value text)
{
    int single = cszi_hf_number(r, CSZI_HF_BLOCKS) != 0;
    const word *list = single ? blocks : words;
    size_t count = single ? sizeof blocks / sizeof blocks[0] : sizeof words / sizeof words[0];
    csz_status status = cszi_hf_text(r, text);
    if (status != CSZ_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        if (cszi_json_equals(&r->json, text, list[i].word) &&
            ((list[i].on & RECURRENT) == 0 || r->values[CSZI_HF_MIXER].given)) {
            mark(r, layer, list[i].off, 0);
            mark(r, layer, list[i].on, 1);
            return CSZ_OK;
        }
    }
    return unknown_word(r, text);
}

/* Nemotron-H: a letter a layer. */
static csz_status mark_letters(cszi_hf_reader *r, const char *key)
{
    static const char letters[] = "*M-E";
    static const word *const meant[] = {&blocks[0], &blocks[3], &blocks[4], &blocks[5]};
    cszi_json_value text;
    int64_t layers = cszi_hf_number(r, CSZI_HF_LAYERS_SLOT);
    int found;
    csz_status status = cszi_hf_find(r, key, &text, &found);
    if (status == CSZ_OK && found)
        status = cszi_hf_text(r, text);
    if (status != CSZ_OK || !found)
        return status;
    if ((int64_t)(text.end - text.begin) - 2 != layers)
        return cszi_json_fail(&r->json, text, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_LAYERS,
                              "%lld letters for a model of %lld layers",
                              (long long)(text.end - text.begin) - 2, (long long)layers);
    for (int64_t i = 0; i < layers; i++) {
        size_t k = 0;
        while (letters[k] != '\0' && letters[k] != r->json.text[text.begin + 1 + (size_t)i])
            k++;
        if (letters[k] == '\0')
            return cszi_json_fail(&r->json, text, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE,
                                  "letter %lld is none of M (Mamba-2), * (attention), - (MLP) and "
                                  "E (experts)",
                                  (long long)i + 1);
        mark(r, i, meant[k]->off, 0);
        mark(r, i, meant[k]->on, 1);
    }
    return CSZ_OK;
}

/* EXAONE 4: "LLLG", L for a window, repeated; the last layer has none. */
static csz_status mark_pattern(cszi_hf_reader *r, const char *key)
{
    cszi_json_value text;
    int64_t layers = cszi_hf_number(r, CSZI_HF_LAYERS_SLOT);
    size_t length;
    int found;
    csz_status status = cszi_hf_find(r, key, &text, &found);
    if (status != CSZ_OK || !found || cszi_json_type_of(&r->json, text) != CSZI_JSON_STRING)
        return status;
    length = text.end - text.begin - 2;
    for (size_t i = 0; i < length; i++)
        if (r->json.text[text.begin + 1 + i] != 'L' && r->json.text[text.begin + 1 + i] != 'G')
            length = 0;
    if (length == 0)
        return cszi_json_fail(&r->json, text, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE,
                              "must be a pattern of the letters L and G");
    for (int64_t i = 0; i < layers; i++)
        mark(r, i, WINDOW,
             cszi_hf_number(r, CSZI_HF_WINDOW) > 0 && i < layers - 1 &&
                 r->json.text[text.begin + 1 + (size_t)i % length] == 'L');
    return CSZ_OK;
}

/* ---- All of it ---- */

static csz_status missing_for(const cszi_hf_reader *r, cszi_hf_slot slot, const char *what,
                              int64_t layer)
{
    return cszi_fail(r->json.error, CSZ_ERR_MISSING, cszi_hf_field(slot), "layer %lld of %s has %s",
                     (long long)layer, r->type->name, what);
}

/* What a mark needs must have been given; what a layer lacks has no marks of its own. */
static csz_status check_marks(cszi_hf_reader *r)
{
    int64_t layers = cszi_hf_number(r, CSZI_HF_LAYERS_SLOT);
    for (int64_t i = 0; i < layers; i++) {
        if ((r->marks[i] & (RECURRENT | NO_MIXER)) != 0)
            mark(r, i, WINDOW, 0);
        if ((r->marks[i] & NO_MLP) != 0)
            mark(r, i, EXPERTS, 0);
        if ((r->marks[i] & WINDOW) != 0 && cszi_hf_number(r, CSZI_HF_WINDOW) == 0)
            return missing_for(r, CSZI_HF_WINDOW, "a window, but its size is missing", i);
        if ((r->marks[i] & EXPERTS) != 0 && cszi_hf_number(r, CSZI_HF_EXPERTS) == 0)
            return missing_for(r, CSZI_HF_EXPERTS, "experts, but their number is missing", i);
        if ((r->marks[i] & (EXPERTS | NO_MLP)) == 0 && !r->values[CSZI_HF_FFN].given)
            return missing_for(r, CSZI_HF_FFN,
                               "no experts, but the width of a dense MLP is missing", i);
    }
    return CSZ_OK;
}

static csz_status mark_mixers(cszi_hf_reader *r)
{
    csz_status status = CSZ_OK;
    if (!r->values[CSZI_HF_MIXER].given)
        return CSZ_OK;
    status = mark_numbers(r, "attn_layer_indices", RECURRENT, 0, 1);
    if (status == CSZ_OK)
        status = mark_numbers(r, "full_attn_idxs", RECURRENT, 0, 1);
    if (status == CSZ_OK)
        status = mark_each(r, "attn_type_list", mark_lightning);
    if (status == CSZ_OK && cszi_hf_number(r, CSZI_HF_BLOCKS))
        status = mark_letters(r, "hybrid_override_pattern");
    if (status == CSZ_OK)
        status = mark_each(r, "layers_block_type", mark_word);
    return status;
}

static csz_status mark_experts(cszi_hf_reader *r)
{
    csz_status status;
    if (cszi_hf_number(r, CSZI_HF_EXPERTS) == 0)
        return CSZ_OK;
    status = mark_numbers(r, "mlp_only_layers", EXPERTS, 0, 0);
    if (status == CSZ_OK && cszi_hf_number(r, CSZI_HF_CHUNKED))
        status = mark_numbers(r, "moe_layers", EXPERTS, 1, 1);
    if (status == CSZ_OK)
        status = mark_enumeration(r, "moe_layers_enum");
    if (status == CSZ_OK)
        status = mark_each(r, "is_moe_layer", mark_switch);
    return status;
}

csz_status cszi_hf_mark_layers(cszi_hf_reader *reader)
{
    csz_status status;
    mark_by_rule(reader);
    status = mark_experts(reader);
    if (status == CSZ_OK && cszi_hf_number(reader, CSZI_HF_CHUNKED))
        status = mark_each(reader, "no_rope_layers", mark_rotary);
    if (status == CSZ_OK)
        status = mark_pattern(reader, "sliding_window_pattern");
    if (status == CSZ_OK)
        status = mark_mixers(reader);
    if (status == CSZ_OK)
        status = mark_each(reader, "layer_types", mark_word);
    if (status == CSZ_OK)
        status = mark_each(reader, "attention_layers", mark_word);
    if (status == CSZ_OK)
        status = mark_each(reader, "mlp_layer_types", mark_word);
    if (status == CSZ_OK)
        status = check_marks(reader);
    return status;
}
