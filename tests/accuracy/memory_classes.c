/* memory_classes.c: the classes in which figures are promised, and those that only inform. */
#include "memory.h"

static int is_reading(const verdict *v)
{
    return v->judged && v->why[0] == '\0';
}

static int is_headline(const verdict *v)
{
    return is_reading(v) && v->allocator && v->full && !v->testcase && !v->adapters;
}

static int is_fsdp(const verdict *v)
{
    return is_headline(v) && v->sharded;
}

static int is_testcase(const verdict *v)
{
    return is_reading(v) && v->testcase && v->full;
}

static int is_partial_testcase(const verdict *v)
{
    return is_reading(v) && v->testcase && !v->full;
}

static int is_adapters(const verdict *v)
{
    return is_reading(v) && v->adapters;
}

static int is_partial(const verdict *v)
{
    return is_reading(v) && v->allocator && !v->full && !v->testcase && !v->adapters;
}

static int is_driver(const verdict *v)
{
    return is_reading(v) && v->kind == READING_DRIVER;
}

static int is_reserved(const verdict *v)
{
    return is_reading(v) && v->kind == READING_RESERVED && !v->adapters;
}

static int is_outcome(const verdict *v)
{
    return v->known && !v->judged && v->why[0] == '\0';
}

static int is_throughput(const verdict *v)
{
    return v->ran && v->known && !v->testcase;
}

const category memory_classes[] = {
    {"headline", is_headline},
    {"fsdp", is_fsdp},
    {"megatron-ci", is_testcase},
    {"megatron-ci-partial", is_partial_testcase},
    {"peft-adapters", is_adapters},
    {"allocator-partial", is_partial},
    {"driver", is_driver},
    {"reserved", is_reserved},
    {"outcome-only", is_outcome},
    {"throughput", is_throughput},
    {NULL, NULL},
};
