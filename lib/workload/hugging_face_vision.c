/* hugging_face_vision.c: parameters of vision towers whose shape a vision_config gives. Counted
 * where that makes the published total exact; other towers are left out. Sources: the modeling
 * files of transformers (siglip, gemma3, llama4, qwen2_vl, qwen2_5_vl, qwen3_vl). */
#include "workload/hugging_face_types.h"

#define NUMBERS 9

typedef struct tower {
    const char *model_type; /* of the whole model */
    const char *names[NUMBERS];
    void (*count)(const int64_t *n, int64_t text, cszi_tally *sum);
} tower;

/* sum += copies x (in x out + out): a matrix with its bias. */
static void add_linear(cszi_tally *sum, int64_t copies, int64_t in, int64_t out)
{
    cszi_tally_add(sum, cszi_hf_product(copies, in), out);
    cszi_tally_add(sum, copies, out);
}

static void add_weights(cszi_tally *sum, int64_t copies, int64_t in, int64_t out)
{
    cszi_tally_add(sum, cszi_hf_product(copies, in), out);
}

/* LayerNorm before attention and MLP, biases everywhere. */
static void add_layers(cszi_tally *sum, int64_t layers, int64_t h, int64_t f)
{
    add_linear(sum, cszi_hf_product(4, layers), h, h);
    add_linear(sum, layers, h, f);
    add_linear(sum, layers, f, h);
    cszi_tally_add(sum, cszi_hf_product(4, layers), h);
}

static int64_t square(int64_t side)
{
    return cszi_hf_product(side, side);
}

/* SigLIP; a projection to the text's width behind a norm. */
static void count_gemma3(const int64_t *n, int64_t text, cszi_tally *sum)
{
    int64_t h = n[0], layers = n[1], f = n[2], image = n[3], patch = n[4];
    add_linear(sum, 1, cszi_hf_product(3, square(patch)), h);
    cszi_tally_add(sum, square(image / patch), h);
    add_layers(sum, layers, h, f);
    cszi_tally_add(sum, 2 + 1, h); /* the last norm, the projection's */
    add_weights(sum, 1, h, text);
}

/* A class token, three norms outside; two matrices from shuffled pixels, one to the text. */
static void count_llama4(const int64_t *n, int64_t text, cszi_tally *sum)
{
    int64_t h = n[0], layers = n[1], f = n[2], image = n[3], patch = n[4], in = n[5], out = n[6];
    add_weights(sum, 1, cszi_hf_product(3, square(patch)), h);
    cszi_tally_add(sum, square(image / patch) + 1 + 1, h);
    cszi_tally_add(sum, 4, h);
    add_layers(sum, layers, h, f);
    add_weights(sum, 1, f, in);
    add_weights(sum, 1, in, out);
    add_weights(sum, 1, n[7], text);
}

/* Norm, two matrices over merged patches: h merged to the text's width. */
static void add_merger(cszi_tally *sum, int64_t norm, int64_t wide, int64_t out)
{
    cszi_tally_add(sum, norm, 1);
    add_linear(sum, 1, wide, wide);
    add_linear(sum, 1, wide, out);
}

/* RMSNorm, gated MLPs. */
static void count_qwen2_5(const int64_t *n, int64_t text, cszi_tally *sum)
{
    int64_t h = n[0], layers = n[1], f = n[2], patch = n[3], merged = square(n[4]), frames = n[5];
    (void)text;
    add_weights(sum, 1, cszi_hf_product(3 * frames, square(patch)), h);
    add_linear(sum, cszi_hf_product(4, layers), h, h);
    add_linear(sum, cszi_hf_product(2, layers), h, f);
    add_linear(sum, layers, f, h);
    cszi_tally_add(sum, cszi_hf_product(2, layers), h);
    add_merger(sum, h, cszi_hf_product(merged, h), n[6]);
}

static void count_qwen2(const int64_t *n, int64_t text, cszi_tally *sum)
{
    int64_t h = n[0], layers = n[1], patch = n[3], merged = square(n[4]), frames = n[5];
    (void)text;
    add_weights(sum, 1, cszi_hf_product(3 * frames, square(patch)), h);
    add_layers(sum, layers, h, cszi_hf_product(n[2], h));
    add_merger(sum, cszi_hf_product(2, h), cszi_hf_product(merged, h), n[6]);
}

/* Learned positions; a merger more for each level that the text model takes in. */
static void count_qwen3(const int64_t *n, int64_t text, cszi_tally *sum)
{
    int64_t h = n[0], layers = n[1], f = n[2], patch = n[3],
            wide = cszi_hf_product(square(n[4]), h), frames = n[5], out = n[6], levels = n[8];
    (void)text;
    add_linear(sum, 1, cszi_hf_product(3 * frames, square(patch)), h);
    cszi_tally_add(sum, n[7], h);
    add_layers(sum, layers, h, f);
    add_merger(sum, cszi_hf_product(2, h), wide, out);
    for (int64_t i = 0; i < levels; i++)
        add_merger(sum, cszi_hf_product(2, wide), wide, out);
}

#define QWEN3_NAMES                                                                                \
    {                                                                                              \
        "hidden_size", "depth", "intermediate_size", "patch_size", "spatial_merge_size",           \
            "temporal_patch_size", "out_hidden_size", "num_position_embeddings",                   \
            "deepstack_visual_indexes"                                                             \
    }

static const tower towers[] = {
    {"gemma3",
     {"hidden_size", "num_hidden_layers", "intermediate_size", "image_size", "patch_size"},
     count_gemma3},
    {"llama4",
     {"hidden_size", "num_hidden_layers", "intermediate_size", "image_size", "patch_size",
      "projector_input_dim", "projector_output_dim", "vision_output_dim"},
     count_llama4},
    {"qwen2_vl",
     {"embed_dim", "depth", "mlp_ratio", "patch_size", "spatial_merge_size", "temporal_patch_size",
      "hidden_size"},
     count_qwen2},
    {"qwen2_5_vl",
     {"hidden_size", "depth", "intermediate_size", "patch_size", "spatial_merge_size",
      "temporal_patch_size", "out_hidden_size"},
     count_qwen2_5},
    {"qwen3_vl", QWEN3_NAMES, count_qwen3},
    {"qwen3_vl_moe", QWEN3_NAMES, count_qwen3},
    {"qwen3_5", QWEN3_NAMES, count_qwen3},
    {"qwen3_5_moe", QWEN3_NAMES, count_qwen3},
};

/* A number, or the length of a list. */
static csz_status read_size(const cszi_hf_reader *r, cszi_json_value vision, const char *name,
                            int64_t *number, int *known)
{
    cszi_json_value value, item;
    size_t cursor = 0;
    int found;
    csz_status status = cszi_hf_find_in(r, vision, name, &value, &found);
    *known = *known && found;
    *number = 0;
    if (status != CSZ_OK || !found)
        return status;
    if (cszi_json_type_of(&r->json, value) == CSZI_JSON_ARRAY) {
        while (cszi_json_next_element(&r->json, value, &cursor, &item))
            ++*number;
        return CSZ_OK;
    }
    status = cszi_json_i64(&r->json, value, number);
    if (status == CSZ_OK && (*number < 1 || *number > CSZI_COUNT_MAX / 64))
        *known = 0;
    return status;
}

static csz_status count_tower(cszi_hf_reader *r, const tower *t, cszi_json_value vision)
{
    int64_t numbers[NUMBERS] = {0};
    int known = 1;
    cszi_tally sum = {0, 0};
    for (size_t i = 0; i < NUMBERS && t->names[i] != NULL && known; i++) {
        csz_status status = read_size(r, vision, t->names[i], &numbers[i], &known);
        if (status != CSZ_OK)
            return status;
    }
    if (!known)
        return CSZ_OK;
    t->count(numbers, cszi_hf_number(r, CSZI_HF_HIDDEN), &sum);
    cszi_hf_add_extra(r, CSZI_HF_EXTRA, sum.overflow ? CSZI_COUNT_MAX : sum.value, 1);
    r->values[CSZI_HF_EXTRA].begin = (uint32_t)vision.begin;
    r->values[CSZI_HF_EXTRA].end = (uint32_t)vision.end;
    return CSZ_OK;
}

csz_status cszi_hf_count_vision(cszi_hf_reader *reader)
{
    cszi_json_value vision, type;
    int found;
    csz_status status = cszi_hf_find_in(reader, reader->root, "vision_config", &vision, &found);
    if (status != CSZ_OK || !found || cszi_json_type_of(&reader->json, vision) != CSZI_JSON_OBJECT)
        return status;
    status = cszi_hf_find_in(reader, reader->root, "model_type", &type, &found);
    if (status != CSZ_OK || !found || cszi_json_type_of(&reader->json, type) != CSZI_JSON_STRING)
        return status;
    for (size_t i = 0; i < sizeof towers / sizeof towers[0]; i++)
        if (cszi_json_equals(&reader->json, type, towers[i].model_type))
            return count_tower(reader, &towers[i], vision);
    return CSZ_OK;
}
