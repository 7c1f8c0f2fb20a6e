/* test_experts.c: traffic of mixtures, balance of routing, networks and power in the step, by hand
 * from the tables. */
#include <math.h>
#include <string.h>

#include "facts/facts.h"
#include "question.h"

#define HIDDEN 1024.0
#define LAYERS 4.0
#define EXPERTS 32.0
#define TOPK 4.0
#define TOKENS 2048.0 /* of a micro-batch */
#define MICRO 2.0     /* micro-batches: 32 sequences over 16 ranks */
#define LINK 300e9
#define NETWORK 50e9

/* 16 ranks on two nodes share the experts: 2 each. */
static const char model[] =
    "hidden=1024 vocab=32000 layers=4 heads=8 experts=32 experts_per_token=4 expert_ffn=512 "
    "sequence_length=2048 global_batch=32 routing=balanced";
static const char cluster[] =
    "accelerators=16 memory=80GB memory_bandwidth=2e12 peak_bf16=3e14 link_bandwidth=300e9 "
    "scale_up_domain=8 accelerators_per_node=8 scale_out_bandwidth=50e9 family=hopper";

static question asked;

static void setup(void)
{
    question_open(&asked);
    question_set(&asked, model, cluster, "stack=megatron ep=16");
}

static void teardown(void)
{
    question_close(&asked);
}

static double part(const char *plan, csz_field field)
{
    question_set(&asked, "", "", plan);
    question_compute(&asked, CSZ_DEPTH_STEP);
    return figure(&asked, field);
}

/* Dispatch and combine, forward and backward, of bytes over links and network with messages. */
static double exchanges(double inside, double outside, double count)
{
    const cszi_stack *s = cszi_stack_find("megatron");
    const cszi_network *n = cszi_network_find("");
    double far = s->latency_out + outside / (NETWORK * s->nic_expert_share * n->expert_share) +
                 count * n->message / NETWORK;
    return MICRO * LAYERS * 4 * s->exposed_expert *
           (s->latency_in + fmax(inside / (LINK * s->link_share), far));
}

/* The same as rings over both nodes, whose ports all serve them. */
static double ring(double bytes)
{
    const cszi_stack *s = cszi_stack_find("megatron");
    return MICRO * LAYERS * 4 * s->exposed_expert *
           (s->latency_in + 2 * s->latency_out +
            bytes / fmin(LINK * s->link_share, 8 * NETWORK * s->nic_share));
}

static double bins(double n)
{
    return n * (1 - pow(1 - 1 / n, TOPK));
}

/* Bytes that a rank sends: 4 copies of a token, of which 8 in 16 leave its node; once to the other
 * of two nodes where any of 4 choices falls, and there and here to each of 16 ranks hit; all tokens
 * around 15 others. */
START_TEST(each_dispatcher_sends_what_it_must)
{
    double token = 2 * HIDDEN * TOKENS, hit = bins(2) / 2;
    double each = part("expert_dispatch=all_to_all", CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC),
           once = part("expert_dispatch=deduplicated", CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC),
           all = part("expert_dispatch=all_gather", CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC);
    double by_each = exchanges(token * TOPK * 7 / 16, token * TOPK * 8 / 16, 8),
           by_once = exchanges(token * bins(16) * 15 / 16, token * hit, TOKENS * hit),
           by_all = ring(token * 15);
    ck_assert_double_eq_tol((each - once) / (by_each - by_once), 1, 1e-9);
    ck_assert_double_eq_tol((all - each) / (by_all - by_each), 1, 1e-9);
}
END_TEST

/* Experts behind a projection to a quarter of the width: a quarter of the bytes. */
START_TEST(latent_experts_exchange_their_own_width)
{
    double wide = part("expert_dispatch=all_to_all", CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC), narrow;
    double token = 2 * HIDDEN * TOKENS, permute;
    const cszi_stack *s = cszi_stack_find("megatron");
    question_set(&asked, "expert_width=256", "", "");
    narrow = part("", CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC);
    permute = MICRO * LAYERS * 3 * s->moe_pointwise * 2 * TOPK * (HIDDEN - 256) * TOKENS /
              (2e12 * s->memory_share);
    ck_assert_double_eq_tol(
        (wide - narrow) / (permute + exchanges(token * TOPK * 7 / 16, token * TOPK * 8 / 16, 8) -
                           exchanges(token * TOPK * 7 / 64, token * TOPK * 8 / 64, 8)),
        1, 1e-9);
}
END_TEST

/* Behind another micro-batch traffic is hidden as far as that computes. */
START_TEST(overlap_hides_and_never_adds)
{
    double shown = part("expert_dispatch=all_to_all", CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC),
           hidden = part("expert_overlap=yes", CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC);
    ck_assert_double_lt(hidden, shown);
    ck_assert_double_gt(hidden, 0); /* tokens are still permuted */
}
END_TEST

/* Published: learned routing costs 8 to 20% of a step beside forced balance (Qwen3-235B). */
START_TEST(natural_routing_costs_what_was_measured)
{
    double natural, balanced;
    question_set(&asked, "model=qwen3-235b-a22b global_batch=2048 sequence_length=4096",
                 "accelerator=h100-sxm-80gb accelerators=256",
                 "tp=2 pp=8 vpp=2 ep=32 sharding=optimizer expert_dispatch=deduplicated");
    balanced = part("", CSZ_ESTIMATE_STEP_TIME);
    question_set(&asked, "routing=natural", "", "");
    natural = part("", CSZ_ESTIMATE_STEP_TIME);
    ck_assert_msg(natural > 1.08 * balanced && natural < 1.2 * balanced, "%g beside %g s", natural,
                  balanced);
    question_set(&asked, "load_imbalance=1", "", "");
    ck_assert_double_eq(part("", CSZ_ESTIMATE_STEP_TIME), balanced);
}
END_TEST

/* What is dropped beyond a capacity never waits for counts of tokens. */
START_TEST(capacity_takes_the_wait_for_counts_away)
{
    double waits, knows;
    question_set(&asked, "layers=64", "", "expert_dispatch=all_to_all");
    waits = part("", CSZ_ESTIMATE_STEP_HOST);
    knows = part("expert_capacity=1", CSZ_ESTIMATE_STEP_HOST);
    ck_assert_double_gt(waits, knows + MICRO * 64 * 0.5 * cszi_stack_find("megatron")->host_moe);
}
END_TEST

/* An equal port of another kind of network, with the table's shares. */
START_TEST(networks_reach_their_own_shares)
{
    const cszi_network *efa = cszi_network_find("efa-v2");
    double plain = part("expert_dispatch=all_to_all", CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC), other;
    ck_assert_str_eq(efa->prefix, "efa");
    question_set(&asked, "", "fabric=efa-v2 scale_out_bandwidth=50e9", "");
    other = part("", CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC);
    ck_assert_double_gt(other, plain);
}
END_TEST

/* A measurement that says what the table does changes nothing. */
START_TEST(a_measured_network_keeps_the_proportion_of_all_to_all)
{
    char measured[80];
    double plain, other;
    question_set(&asked, "", "fabric=efa-v2 scale_out_bandwidth=50e9", "");
    plain = part("expert_dispatch=deduplicated", CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC);
    (void)snprintf(measured, sizeof measured, "scale_out_measured_bandwidth=%.17g",
                   NETWORK * cszi_stack_find("megatron")->nic_share *
                       cszi_network_find("efa-v2")->share);
    question_set(&asked, "", measured, "");
    other = part("", CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC);
    ck_assert_double_eq_tol(other / plain, 1, 1e-12);
}
END_TEST

/* A rank that holds all experts works on every token's; a capacity is held as it is worked on. */
START_TEST(load_is_of_ranks_or_of_the_capacity)
{
    double balanced = part("ep=1", CSZ_ESTIMATE_STEP_TIME),
           held = figure(&asked, CSZ_ESTIMATE_MEMORY_ACTIVATIONS);
    question_set(&asked, "routing=natural", "", "");
    ck_assert_double_eq(part("", CSZ_ESTIMATE_STEP_TIME), balanced);
    ck_assert_double_eq(figure(&asked, CSZ_ESTIMATE_MEMORY_ACTIVATIONS), held);
    ck_assert_double_gt(part("ep=16", CSZ_ESTIMATE_MEMORY_ACTIVATIONS), held);
    ck_assert_double_eq(part("expert_capacity=1", CSZ_ESTIMATE_MEMORY_ACTIVATIONS), held);
}
END_TEST

/* Products of a part with more watts for the same peak: their ratio to the table's exponent. */
START_TEST(rates_follow_power)
{
    double exponent = cszi_family_find("blackwell")->sustained, less, more;
    question_set(&asked, "model=llama-3-70b global_batch=64 sequence_length=8192",
                 "family=blackwell accelerators=8 power=1000W peak_bf16=2.25e15", "ep=1 tp=8");
    less = part("", CSZ_ESTIMATE_STEP_MATRICES);
    question_set(&asked, "", "power=1400W", "");
    more = part("", CSZ_ESTIMATE_STEP_MATRICES);
    ck_assert_double_gt(less / more, 1 + 0.9 * (pow(1.4, exponent) - 1));
    ck_assert_double_le(less / more, pow(1.4, exponent) * (1 + 1e-12));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("experts");
    TCase *c = tcase_create("experts");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, each_dispatcher_sends_what_it_must);
    tcase_add_test(c, latent_experts_exchange_their_own_width);
    tcase_add_test(c, overlap_hides_and_never_adds);
    tcase_add_test(c, natural_routing_costs_what_was_measured);
    tcase_add_test(c, capacity_takes_the_wait_for_counts_away);
    tcase_add_test(c, networks_reach_their_own_shares);
    tcase_add_test(c, a_measured_network_keeps_the_proportion_of_all_to_all);
    tcase_add_test(c, load_is_of_ranks_or_of_the_capacity);
    tcase_add_test(c, rates_follow_power);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
