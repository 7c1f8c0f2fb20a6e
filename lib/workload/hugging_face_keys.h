/* hugging_face_keys.h: how the tables of model types are written. Keys and defaults are those of
 * the configuration classes of Hugging Face transformers
 * (src/transformers/models/<type>/configuration_<type>.py), or of the code beside the model for
 * types that are not part of it. Sizes that every known file writes are needed, whatever the
 * class's default; cszi_hf_defaults holds those that models within models leave out. A default of
 * tie_word_embeddings that a class does not name is that of PretrainedConfig: true. */
#ifndef CSZI_WORKLOAD_HUGGING_FACE_KEYS_H
#define CSZI_WORKLOAD_HUGGING_FACE_KEYS_H

#include "workload/hugging_face_types.h"

#define K(key, slot, need, initial)                                                                \
    {                                                                                              \
        key, CSZI_HF_##slot, CSZI_HF_##need, initial                                               \
    }
#define SET(slot, value)                                                                           \
    {                                                                                              \
        NULL, CSZI_HF_##slot, CSZI_HF_FIXED, value                                                 \
    }
#define COUNT(keys) (sizeof(keys) / sizeof(keys)[0])
#define TYPE(name, keys, derive)                                                                   \
    {                                                                                              \
        name, keys, COUNT(keys), derive                                                            \
    }

/* The usual names of the sizes. */
#define SIZES                                                                                      \
    K("hidden_size", HIDDEN, NEEDED, 0), K("vocab_size", VOCAB, NEEDED, 0),                        \
        K("num_hidden_layers", LAYERS_SLOT, NEEDED, 0), K("num_attention_heads", HEADS, NEEDED, 0)
#define FFN K("intermediate_size", FFN, NEEDED, 0)
#define TIED(initial) K("tie_word_embeddings", TIED, ELSE, initial)
#define KV_HEADS(need, initial) K("num_key_value_heads", KV_HEADS, need, initial)
#define HEAD_DIM K("head_dim", HEAD_DIM, OPTIONAL, 0)
#define ATTENTION_BIASES(initial)                                                                  \
    K("attention_bias", QKV_BIAS, ELSE, initial), K("attention_bias", ATTENTION_BIAS, ELSE, initial)
#define ALL_BIASES SET(QKV_BIAS, 1), SET(ATTENTION_BIAS, 1), SET(MLP_BIAS, 1)
#define BIASES(key, initial)                                                                       \
    K(key, QKV_BIAS, ELSE, initial), K(key, ATTENTION_BIAS, ELSE, initial),                        \
        K(key, MLP_BIAS, ELSE, initial)
#define EXPERTS(count, width)                                                                      \
    K(count, EXPERTS, NEEDED, 0), K("num_experts_per_tok", TOPK, NEEDED, 0),                       \
        K(width, EXPERT_FFN, NEEDED, 0)

/* Windows from layer max_window_layers on, when use_sliding_window says so. */
#define QWEN_WINDOWS                                                                               \
    K("sliding_window", WINDOW, ELSE_UNLESS_NULL, 4096),                                           \
        K("use_sliding_window", WINDOW_ON, ELSE, 0), K("max_window_layers", WINDOW_FROM, ELSE, 28)

#endif
