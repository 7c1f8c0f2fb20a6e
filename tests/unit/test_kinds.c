/* test_kinds.c: encoders, cross-attention, recurrent and custom layers against figures by hand,
 * through the public interface. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "question.h"

static void near(double got, double wanted, const char *what)
{
    ck_assert_msg(fabs(got - wanted) <= 1e-12 * fabs(wanted), "%s: got %.17g, wanted %.17g", what,
                  got, wanted);
}

/* ---- Parameters and FLOPs of one layer by hand ---- */

/* Small enough to follow: hidden 8, a vocabulary of 10, sequences of 10, one layer. Besides the
 * layer there are 2 x 10 x 8 + 8 parameters and 2 x 10 x 8 FLOPs of the output layer. */
#define SMALL "hidden=8 vocab=10 sequence_length=10 layers=1 "
#define OUTSIDE (2 * 10 * 8 + 8)
#define HEAD (2 * 10 * 8)

static const struct {
    const char *kind;
    double parameters; /* of the layer */
    double flops;      /* forward, a token */
} layers[] = {
    /* One norm, no MLP. In 8 x 32, out 16 x 8; 16 channels with 4 taps, their bias, A of 4 and D;
     * 16 x (2 + 4 + 4) to time step, B and C; 2 x 16 + 16 to the time step. The recurrence: 16
     * channels x (8 x 4 states + 2 x 4 taps). */
    {"attention=mamba state_inner=16 state_size=4 state_rank=2 convolution=4 convolution_bias=yes "
     "norms_per_layer=1",
     8 * 32 + 16 * (4 + 1 + 4 + 1) + 16 * 10 + 2 * 16 + 16 + 16 * 8 + 8,
     2 * (8 * 32 + 16 * 10 + 2 * 16 + 16 * 8) + 16 * (8 * 4 + 2 * 4)},
    /* Jamba's norms on the time step, B and C: 2 + 4 + 4. */
    {"attention=mamba state_inner=16 state_size=4 state_rank=2 convolution=4 state_norms=yes "
     "norms_per_layer=1",
     8 * 32 + 16 * (4 + 4 + 1) + 16 * 10 + 2 * 16 + 16 + 16 * 8 + (2 + 4 + 4) + 8,
     2 * (8 * 32 + 16 * 10 + 2 * 16 + 16 * 8) + 16 * (8 * 4 + 2 * 4)},
    /* 2 heads of 8: gate and x of 16, B and C of 3 groups x 4, 2 time steps; taps and bias over x,
     * B and C; A, D and bias a head, a norm of 16; out. The recurrence: 16 x (6 x 4 + 2 x 4), and
     * the taps of B and C. */
    {"attention=mamba2 state_heads=2 state_head_dim=8 state_size=4 state_groups=3 convolution=4 "
     "convolution_bias=yes norms_per_layer=1",
     8 * (32 + 24 + 2) + (16 + 24) * (4 + 1) + 3 * 2 + 16 + 16 * 8 + 8,
     2 * (8 * (32 + 24 + 2) + 16 * 8) + 16 * (6 * 4 + 2 * 4) + 2 * 4 * 24},
    /* Keys 2 x 4, values 4 x 3: queries, keys, values and gate; taps over queries, keys and values;
     * A and bias a value head; two scalars a value head; a norm of 3; out; two norms. The
     * recurrence: 8 x 12 values x 4 keys, and the taps. */
    {"attention=delta key_heads=2 key_dim=4 state_heads=4 state_head_dim=3 convolution=4",
     8 * (2 * 8 + 2 * 12) + 4 * (2 * 8 + 12) + 2 * 4 + 8 * 8 + 3 + 12 * 8 + 2 * 8,
     2 * (8 * (2 * 8 + 2 * 12) + 8 * 8 + 12 * 8) + 8 * 12 * 4 + 2 * 4 * (2 * 8 + 12)},
    /* Queries, keys, values and gate of 2 x 3, a norm of 6, out. The recurrence: 6 x 6 x 3. */
    {"attention=lightning heads=2 head_dim=3", 8 * 4 * 6 + 6 + 6 * 8 + 2 * 8,
     2 * (8 * 4 * 6 + 6 * 8) + 6 * 6 * 3},
    /* Two gates and the input, 3 taps and a bias a channel, out. */
    {"attention=convolution convolution=3 convolution_bias=yes",
     8 * 24 + 8 * (3 + 1) + 8 * 8 + 2 * 8, 2 * (8 * 24 + 8 * 8) + 8 * 2 * 3},
    /* An MLP alone. */
    {"attention=none ffn=16 gated_mlp=no norms_per_layer=1", 2 * 8 * 16 + 8, 2 * 2 * 8 * 16},
    /* Queries twice: the gate of attention; scores over (10 + 1) / 2 tokens. */
    {"heads=2 head_dim=4 query_gate=yes", 8 * (16 + 16) + 8 * 8 + 2 * 8,
     2 * (8 * 32 + 8 * 8) + 2 * 5.5 * 2 * (4 + 4)},
    /* A recurrent mixer with experts: 4 of 3 x 8 x 5, two of them met, and the router. */
    {"attention=lightning heads=2 head_dim=3 experts=4 experts_per_token=2 expert_ffn=5",
     8 * 4 * 6 + 6 + 6 * 8 + 4 * 3 * 8 * 5 + 8 * 4 + 2 * 8,
     2 * (8 * 4 * 6 + 6 * 8 + 2 * 3 * 8 * 5 + 8 * 4) + 6 * 6 * 3},
};

START_TEST(a_layer_by_hand)
{
    question q;
    question_open(&q);
    question_set(&q, SMALL, "", "");
    question_set(&q, layers[_i].kind, "", "");
    question_compute(&q, CSZ_DEPTH_MODEL);
    near(figure(&q, CSZ_ESTIMATE_PARAMETERS_TOTAL), layers[_i].parameters + OUTSIDE,
         layers[_i].kind);
    near(figure(&q, CSZ_ESTIMATE_FLOPS_FORWARD), layers[_i].flops + HEAD, layers[_i].kind);
    near(figure(&q, CSZ_ESTIMATE_FLOPS_BACKWARD), 2 * (layers[_i].flops + HEAD), layers[_i].kind);
    question_close(&q);
}
END_TEST

/* ---- Parameters of published models ---- */

/* The sources stand beside the catalog's rows. */
static const struct {
    const char *model;
    double parameters;
} published[] = {
    {"t5-small", 60506624},
    {"t5-base", 222903552},
    {"t5-large", 737668096},
    {"t5-v1.1-xl", 2849757184},
    {"t5-v1.1-xxl", 11135332352},
    {"bert-base-uncased", 109482240},
    {"bert-large-uncased", 335141888},
    {"vit-large-patch16-224", 303301632},
    {"vit-huge-patch14-224", 630764800},
    {"mamba-130m", 129135360},
    {"falcon-mamba-7b", 7272665088},
    {"nemotron-nano-9b-v2", 8888227328},
    {"qwen3-next-80b-a3b", 81324862720},
    {"minimax-text-01", 456089655296},
    {"opt-350m", 331196416},
};

START_TEST(published_counts)
{
    char workload[120];
    question q;
    question_open(&q);
    (void)snprintf(workload, sizeof workload, "model=%s", published[_i].model);
    question_set(&q, workload, "", "");
    question_compute(&q, CSZ_DEPTH_MODEL);
    ck_assert_double_eq(figure(&q, CSZ_ESTIMATE_PARAMETERS_TOTAL), published[_i].parameters);
    question_close(&q);
}
END_TEST

/* ---- Encoders and decoders ---- */

/* One layer each of T5's shape, 2 heads of 4, an MLP of 16; of 10 tokens 8 are inputs.
 *
 * Encoder, 0.8 of the tokens: 4 x 8 x 8 + 2 x 8 x 16 matrix elements, scores over all 8 inputs.
 * Decoder, 0.2: the same and the queries and output of cross-attention; its keys and values are of
 * the 0.8; scores over (2 + 1) / 2 targets and 8 inputs. Logits of the 0.2. */
START_TEST(flops_of_an_encoder_and_a_decoder)
{
    double encoder = 0.8 * (2 * (4 * 64 + 2 * 128) + 2 * 8.0 * 2 * (4 + 4));
    double decoder = 0.2 * 2 * (4 * 64 + 2 * 64 + 2 * 128) + 0.8 * 2 * (2 * 64) +
                     0.2 * 2 * (1.5 + 8) * 2 * (4 + 4);
    question q;
    question_open(&q);
    question_set(&q,
                 "hidden=8 vocab=10 sequence_length=10 heads=2 head_dim=4 ffn=16 gated_mlp=no "
                 "causal=no token_share=0.8 kinds[1].heads=2 kinds[1].head_dim=4 kinds[1].ffn=16 "
                 "kinds[1].gated_mlp=no kinds[1].cross_attention=yes kinds[1].norms_per_layer=3 "
                 "kinds[1].token_share=0.2 runs[0].layers=1 runs[1].layers=1 runs[1].layer_kind=1",
                 "", "");
    question_compute(&q, CSZ_DEPTH_MODEL);
    near(figure(&q, CSZ_ESTIMATE_FLOPS_FORWARD), encoder + decoder + 0.2 * 2 * 10 * 8, "forward");
    /* Two norms, three, and the last. */
    near(figure(&q, CSZ_ESTIMATE_PARAMETERS_TOTAL),
         (4 * 64 + 2 * 128 + 2 * 8) + (8 * 64 + 2 * 128 + 3 * 8) + OUTSIDE, "parameters");
    question_close(&q);
}
END_TEST

/* Scores over s tokens in place of (s + 1) / 2. */
START_TEST(attention_both_ways_costs_nearly_twice)
{
    static const int lengths[] = {1, 2, 10, 4096};
    char workload[160];
    double s = lengths[_i], matrices = 2 * (4 * 64 + 3 * 8 * 16) + HEAD, causal, both;
    question q;
    question_open(&q);
    (void)snprintf(workload, sizeof workload,
                   "hidden=8 vocab=10 layers=1 heads=2 ffn=16 sequence_length=%d", lengths[_i]);
    question_set(&q, workload, "", "");
    question_compute(&q, CSZ_DEPTH_MODEL);
    causal = figure(&q, CSZ_ESTIMATE_FLOPS_FORWARD) - matrices;
    question_set(&q, "causal=no", "", "");
    question_compute(&q, CSZ_DEPTH_MODEL);
    both = figure(&q, CSZ_ESTIMATE_FLOPS_FORWARD) - matrices;
    ck_assert_double_eq_tol(both / causal, s / ((s + 1) / 2), 1e-12);
    near(figure(&q, CSZ_ESTIMATE_FLOPS_FULL), figure(&q, CSZ_ESTIMATE_FLOPS_PER_TOKEN), "full");
    question_close(&q);
}
END_TEST

/* ---- Custom layers ---- */

#define CUSTOM SMALL "attention=custom norms_per_layer=0 custom_parameters=1000 "

START_TEST(a_custom_layer_gives_what_it_is_given)
{
    question q;
    question_open(&q);
    question_set(&q,
                 CUSTOM "custom_active=400 custom_flops=900 custom_activations=77 global_batch=1",
                 "accelerator=h100-sxm-80gb accelerators=1", "stack=megatron");
    question_compute(&q, CSZ_DEPTH_FIT);
    near(figure(&q, CSZ_ESTIMATE_PARAMETERS_TOTAL), 1000 + OUTSIDE, "parameters");
    near(figure(&q, CSZ_ESTIMATE_PARAMETERS_ACTIVE), 400 + OUTSIDE, "active");
    near(figure(&q, CSZ_ESTIMATE_MEMORY_ACTIVATIONS), 77.0 * 10 + 4 * 8 * 10.0,
         "activations, and the last norm's input and output");
    question_compute(&q, CSZ_DEPTH_MODEL);
    near(figure(&q, CSZ_ESTIMATE_FLOPS_FORWARD), 900 + HEAD, "flops");
    question_close(&q);
    question_open(&q);
    question_set(&q, CUSTOM, "", "");
    question_compute(&q, CSZ_DEPTH_MODEL);
    near(figure(&q, CSZ_ESTIMATE_PARAMETERS_ACTIVE), 1000 + OUTSIDE, "all active");
    near(figure(&q, CSZ_ESTIMATE_FLOPS_FORWARD), 2 * 1000 + HEAD, "twice the active");
    question_set(&q, "custom_active=400", "", "");
    question_compute(&q, CSZ_DEPTH_MODEL);
    near(figure(&q, CSZ_ESTIMATE_FLOPS_FORWARD), 2 * 400 + HEAD, "twice the active");
    question_close(&q);
}
END_TEST

/* ---- Refusals ---- */

static const struct {
    const char *workload;
    const char *plan;
    csz_status status;
    csz_field field;
    const char *part; /* of the message, beside the field's name */
} refused[] = {
    {"attention=mamba2 state_heads=6 state_head_dim=8 state_size=4 global_batch=8", "tp=4",
     CSZ_ERR_CONFLICT, CSZ_PLAN_TENSOR_PARALLEL, "4 does not divide the 6 heads"},
    {"attention=delta key_heads=2 key_dim=4 state_heads=8 state_head_dim=4 global_batch=8", "tp=4",
     CSZ_ERR_CONFLICT, CSZ_PLAN_TENSOR_PARALLEL, "4 does not divide the 2 heads"},
    {"attention=mamba state_inner=18 state_size=4 state_rank=2 global_batch=8", "tp=4",
     CSZ_ERR_CONFLICT, CSZ_PLAN_TENSOR_PARALLEL, "4 does not divide the 18"},
    {"attention=lightning heads=2 head_dim=4 global_batch=8", "tp=4", CSZ_ERR_CONFLICT,
     CSZ_PLAN_TENSOR_PARALLEL, "4 does not divide the 2 heads"},
    {"attention=mamba2 state_heads=8", "", CSZ_ERR_MISSING, CSZ_WORKLOAD_ATTENTION,
     "mamba2 needs state_heads, state_head_dim and state_size"},
    {"attention=mamba", "", CSZ_ERR_MISSING, CSZ_WORKLOAD_ATTENTION, "mamba needs state_inner"},
    {"attention=delta", "", CSZ_ERR_MISSING, CSZ_WORKLOAD_ATTENTION, "delta needs key_heads"},
    {"attention=lightning", "", CSZ_ERR_MISSING, CSZ_WORKLOAD_ATTENTION, "lightning needs heads"},
    {"attention=custom", "", CSZ_ERR_MISSING, CSZ_WORKLOAD_ATTENTION, "needs custom_parameters"},
    {"attention=custom custom_parameters=5 custom_active=6", "", CSZ_ERR_CONFLICT,
     CSZ_WORKLOAD_CUSTOM_ACTIVE, "6 of only 5"},
    {"attention=none", "", CSZ_ERR_MISSING, CSZ_WORKLOAD_FFN, "neither attention nor ffn"},
    {"heads=2 cross_attention=yes", "", CSZ_ERR_CONFLICT, CSZ_WORKLOAD_TOKEN_SHARE,
     "no other side"},
    {"attention=lightning heads=2 cross_attention=yes token_share=0.5", "", CSZ_ERR_CONFLICT,
     CSZ_WORKLOAD_CROSS_ATTENTION, "needs attention=grouped"},
};

START_TEST(what_does_not_fit_is_refused_by_name)
{
    csz_field field = CSZ_FIELD_NONE;
    const char *message;
    csz_status status;
    question q;
    question_open(&q);
    question_set(&q, SMALL, "accelerator=h100-sxm-80gb accelerators=8", "stack=megatron");
    question_set(&q, refused[_i].workload, "", refused[_i].plan);
    status = csz_estimate_compute(q.estimate, q.workload, q.cluster, q.plan, CSZ_DEPTH_STEP);
    message = csz_estimate_error(q.estimate, &field);
    ck_assert_msg(status == refused[_i].status, "%s: %s: %s", refused[_i].workload,
                  csz_status_name(status), message);
    ck_assert_int_eq(field, refused[_i].field);
    ck_assert_msg(strstr(message, refused[_i].part) != NULL, "%s: %s", refused[_i].workload,
                  message);
    if (refused[_i].plan[0] != '\0') {
        ck_assert_ptr_nonnull(strstr(message, csz_field_name(field)));
        ck_assert_int_eq(csz_estimate_reason(q.estimate), CSZ_REASON_HEADS);
    }
    question_close(&q);
}
END_TEST

/* ---- Every model of the catalog ---- */

static int has_note(const question *q, csz_note note)
{
    for (size_t i = 0;; i++) {
        csz_note at = csz_estimate_note_at(q->estimate, i);
        if (at == CSZ_NOTE_NONE)
            return 0;
        if (at == note)
            return 1;
    }
}

/* Layers that no published run was fitted to: by their choice of attention. */
static int is_unfitted(const question *q)
{
    for (size_t i = 0; i < csz_workload_count(q->workload, CSZ_WORKLOAD_ATTENTION); i++) {
        double kind = CSZ_ATTENTION_GROUPED;
        if (csz_workload_get_f64_at(q->workload, CSZ_WORKLOAD_ATTENTION, i, &kind) == CSZ_OK &&
            kind >= CSZ_ATTENTION_MAMBA && (int)kind != CSZ_ATTENTION_MAMBA2 &&
            (int)kind != CSZ_ATTENTION_NONE)
            return 1;
    }
    return 0;
}

static void check_step(const question *q, const char *what)
{
    static const csz_field parts[] = {
        CSZ_ESTIMATE_STEP_MATRICES,         CSZ_ESTIMATE_STEP_ATTENTION,
        CSZ_ESTIMATE_STEP_POINTWISE,        CSZ_ESTIMATE_STEP_RECOMPUTE,
        CSZ_ESTIMATE_STEP_LOGITS,           CSZ_ESTIMATE_STEP_TENSOR_TRAFFIC,
        CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC,  CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC,
        CSZ_ESTIMATE_STEP_PIPELINE_TRAFFIC, CSZ_ESTIMATE_STEP_DATA_TRAFFIC,
        CSZ_ESTIMATE_STEP_BUBBLE,           CSZ_ESTIMATE_STEP_IMBALANCE,
        CSZ_ESTIMATE_STEP_OPTIMIZER,        CSZ_ESTIMATE_STEP_HOST};
    double sum = 0, time = figure(q, CSZ_ESTIMATE_STEP_TIME);
    ck_assert_msg(isfinite(time) && time > 0, "%s: %g s", what, time);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        double part = figure(q, parts[i]);
        ck_assert_msg(isfinite(part) && part >= 0, "%s: %s: %g s", what, csz_field_name(parts[i]),
                      part);
        sum += part;
    }
    ck_assert_msg(fabs(sum - time) <= 1e-9 * time, "%s: parts %.17g of %.17g s", what, sum, time);
}

START_TEST(every_model_of_the_catalog_has_a_step_time)
{
    size_t unfitted = 0, models = csz_catalog_count(NULL, CSZ_KIND_MODEL);
    for (size_t i = 0; i < models; i++) {
        const char *id = csz_catalog_id_at(NULL, CSZ_KIND_MODEL, i);
        char workload[120];
        question q;
        question_open(&q);
        (void)snprintf(workload, sizeof workload, "model=%s sequence_length=512 global_batch=64",
                       id);
        question_set(&q, workload, "accelerator=h100-sxm-80gb accelerators=8",
                     "stack=megatron zero=1");
        question_compute(&q, CSZ_DEPTH_STEP);
        check_step(&q, id);
        unfitted += (size_t)is_unfitted(&q);
        ck_assert_msg(has_note(&q, CSZ_NOTE_KIND_UNFITTED) == is_unfitted(&q), "%s: the note", id);
        question_close(&q);
    }
    ck_assert_uint_gt(unfitted, 5);
    ck_assert_uint_lt(unfitted, models / 4);
}
END_TEST

/* The note, kind by kind. */
START_TEST(the_note_follows_the_kind)
{
    static const struct {
        const char *kind;
        int noted;
    } kinds[] = {
        {"heads=2", 0},
        {"heads=2 causal=no", 0},
        {"attention=none ffn=16", 0},
        {"attention=latent heads=2 kv_rank=4 nope_dim=4 rope_dim=2 value_dim=4", 0},
        {"attention=mamba state_inner=16 state_size=4 state_rank=2", 1},
        {"attention=mamba2 state_heads=2 state_head_dim=8 state_size=4", 0},
        {"attention=delta key_heads=2 key_dim=4 state_heads=4 state_head_dim=4", 1},
        {"attention=lightning heads=2", 1},
        {"attention=convolution convolution=3", 1},
        {"attention=custom custom_parameters=100", 1},
        {"heads=2 kinds[1].attention=convolution runs[0].layers=1 runs[1].layers=1 "
         "runs[1].layer_kind=1",
         1},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        question q;
        question_open(&q);
        question_set(&q, SMALL "global_batch=8", "accelerator=h100-sxm-80gb accelerators=8",
                     "stack=megatron");
        question_set(&q, kinds[i].kind, "", "");
        question_compute(&q, CSZ_DEPTH_STEP);
        check_step(&q, kinds[i].kind);
        ck_assert_msg(has_note(&q, CSZ_NOTE_KIND_UNFITTED) == kinds[i].noted, "%s", kinds[i].kind);
        question_close(&q);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kinds");
    TCase *t = tcase_create("kinds");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, a_layer_by_hand, 0, (int)(sizeof layers / sizeof layers[0]));
    tcase_add_loop_test(t, published_counts, 0, (int)(sizeof published / sizeof published[0]));
    tcase_add_test(t, flops_of_an_encoder_and_a_decoder);
    tcase_add_loop_test(t, attention_both_ways_costs_nearly_twice, 0, 4);
    tcase_add_test(t, a_custom_layer_gives_what_it_is_given);
    tcase_add_loop_test(t, what_does_not_fit_is_refused_by_name, 0,
                        (int)(sizeof refused / sizeof refused[0]));
    tcase_add_test(t, every_model_of_the_catalog_has_a_step_time);
    tcase_add_test(t, the_note_follows_the_kind);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
