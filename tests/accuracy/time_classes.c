/* time_classes.c: the classes in which figures are promised, and those that only inform. */
#include "step_time.h"

#include <string.h>

#define LONG 32768 /* tokens of a sequence */
#define FEW 8
#define MANY 1024

static int is_timed(const verdict *v)
{
    return v->judged && v->why[0] == '\0';
}

int is_headline_time(const verdict *v)
{
    return is_timed(v) && v->full && !v->grid;
}

static int is_megatron(const verdict *v)
{
    return is_headline_time(v) &&
           (strcmp(v->stack, "megatron") == 0 || strcmp(v->stack, "legacy") == 0);
}

static int is_dense_in_node(const verdict *v)
{
    return is_megatron(v) && !v->mixture && !v->across;
}

static int is_dense_across(const verdict *v)
{
    return is_megatron(v) && !v->mixture && v->across;
}

static int is_eager(const verdict *v)
{
    return is_headline_time(v) && strcmp(v->stack, "fsdp-eager") == 0;
}

static int is_compiled(const verdict *v)
{
    return is_headline_time(v) && strcmp(v->stack, "fsdp-compiled") == 0;
}

static int is_on(const verdict *v, const char *const *beginnings)
{
    for (; *beginnings != NULL; beginnings++)
        if (word_begins(v->accelerator, *beginnings))
            return is_headline_time(v);
    return 0;
}

static int is_hopper_mixture(const verdict *v)
{
    static const char *const hopper[] = {"h100-", "h800-", "h200-", "h20-", "gh200-", NULL};

    return v->mixture && is_on(v, hopper);
}

static int is_blackwell_mixture(const verdict *v)
{
    static const char *const blackwell[] = {"b100-", "b200-", "gb200-", "b300-", "gb300-", NULL};

    return v->mixture && is_on(v, blackwell);
}

static int is_tuning(const verdict *v)
{
    return is_headline_time(v) && !word_is(v->task, "pretrain") && v->gpus <= FEW;
}

static int is_long(const verdict *v)
{
    return is_headline_time(v) && (v->sequence >= LONG || v->context);
}

static int is_large(const verdict *v)
{
    return is_headline_time(v) && v->gpus >= MANY;
}

static int is_tpu(const verdict *v)
{
    static const char *const tpu[] = {"tpu-", NULL};

    return is_on(v, tpu);
}

static int is_amd(const verdict *v)
{
    static const char *const amd[] = {"mi", NULL};

    return is_on(v, amd);
}

static int is_grid_across(const verdict *v)
{
    return is_timed(v) && v->grid && v->across;
}

static int is_grid_in_node(const verdict *v)
{
    return is_timed(v) && v->grid && !v->across;
}

static int is_partial(const verdict *v)
{
    return is_timed(v) && !v->full && !v->grid;
}

const category time_classes[] = {
    {"headline", is_headline_time},
    {"megatron-dense-one-node", is_dense_in_node},
    {"megatron-dense-nodes", is_dense_across},
    {"fsdp-eager", is_eager},
    {"fsdp-compiled", is_compiled},
    {"moe-hopper", is_hopper_mixture},
    {"moe-blackwell", is_blackwell_mixture},
    {"lora-sft-8", is_tuning},
    {"long-32k-or-cp", is_long},
    {"accelerators-1024", is_large},
    {"tpu", is_tpu},
    {"amd", is_amd},
    {"vtrain-multi", is_grid_across},
    {"vtrain-single", is_grid_in_node},
    {"partial", is_partial},
    {NULL, NULL},
};
