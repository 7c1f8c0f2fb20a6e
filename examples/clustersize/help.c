/* help.c: everything the program takes; the flags come from the field table. */
#include <stdio.h>
#include <string.h>

#include "commands.h"

static const char *const usage[] = {
    "usage: clustersize COMMAND [--FIELD VALUE]...",
    "",
    "size   how many accelerators meet --deadline or --budget, on which plan, how",
    "       long, how much: --model M --accelerator A --tokens N --deadline T",
    "fit    whether a given plan fits, by part, and the cheapest ways to make it:",
    "       --model M --accelerator A --accelerators N --tp 8 --pp 4 ... (N unstated:",
    "       the product of the degrees)",
    "plan   the best plans on a count: --model M --accelerator A --accelerators N",
    "flops  exact parameters, and FLOPs by each convention: --model M",
    "check  the launch that you have: fits, how fast, what is wrong, what is better,",
    "       in its own lines: --from SOFTWARE FILE [--model M --accelerator A ...]",
    "cost   the run with failures and checkpoints, rent against owning, energy, what",
    "       moves the cost: as plan, and fields of the cluster (--price, --pue, ...)",
    "curve  the best plan on 1, 2, 3, 4, 6, 8, ... nodes: time, cost, efficiency,",
    "       what a day saved costs, the knee; --deadline and --budget are answered",
    "network  the job on every fabric of the catalog, the bandwidth below which the",
    "       network binds, and what a network for it is built of",
    "calibrate  what was measured adjusts a cluster, within bounds: --accelerator A,",
    "       and any of --step-time T (a run: --model M --accelerators N --tp 8 ...),",
    "       --runs FILE, --nccl FILE..., --gemm-rate R, --copy-bandwidth R,",
    "       --power-limit W; --output FILE keeps it for --cluster FILE",
    "list   models, accelerators, nodes, fabrics, offers, curves, operations,",
    "       reliability, stacks or fields [PART] [FIELD=VALUE]... [--by FIELD]",
    "",
    "--model M         id of the catalog, or a path of a Hugging Face config.json or",
    "                  of a Mistral params.json",
    "--megatron FILE   arguments of Megatron-LM, into workload and plan; flags win",
    "--deepspeed FILE  a DeepSpeed configuration, into workload and plan; flags win",
    "--emit SOFTWARE   of plan and fit: the plan as the launch file of megatron,",
    "                  deepspeed, torchtitan, accelerate, nanotron, nemo or maxtext",
    "                  on standard output; what stands beside it on standard error.",
    "                  What it has no option for is said, with exit status 1",
    "--slurm           with --emit: a batch script around the file",
    "--from SOFTWARE   of check: the software of the file, one of these",
    "--job FILE        workload, cluster, plan, goal and catalog as JSON; flags win.",
    "                  --job pretrain|finetune|lora|qlora is the field of that name",
    "--cluster FILE    the cluster as JSON, as calibrate writes it; flags win",
    "--catalog FILE    JSON whose entries add to the built-in facts or override them",
    "--by FIELD        of list: in ascending order of that figure, cheapest first:",
    "                  list offers accelerator=h100-sxm-80gb term=spot --by price",
    "--step-time T     of calibrate: mean time of a step of the run that flags name",
    "--runs FILE       of calibrate: runs as CSV; columns are fields of workload and",
    "                  plan, accelerators, step_time, uncertainty; flags say the rest",
    "--profile FILE    of size: the same of small runs on the machines at hand, from",
    "                  which larger counts are projected within a range of their own",
    "--uncertainty U   of calibrate: expected error of these runs (5%)",
    "--nccl FILE       of calibrate: output of all_reduce_perf, all_gather_perf,",
    "                  reduce_scatter_perf or alltoall_perf; any number of times",
    "--gemm-rate R     of calibrate: FLOP/s of large products; fp8:1200TFLOP/s for",
    "                  another format than the workload's",
    "--copy-bandwidth R  of calibrate: B/s read and written by a copy in the memory",
    "--output FILE     of calibrate: where the calibrated cluster is written",
    "--json            the answer in base units, for programs; errors too",
    "--stages          the memory of every pipeline stage by part",
    "--explain         the step: each stage by part, the critical one, the roofline",
    "                  of main operations, MFU by convention, measured runs behind it",
    "-v, --verbose     all stages, rejections, notes, assumptions with their values",
    "-h, --help        this text",
    "--version         versions of the program and of its facts",
    "",
    "Values take units: 70B, 1T, 14d, 80GiB, 400Gb/s, 40%. Underscores and dashes are",
    "the same; --field=value too; elements of lists are --kinds[1].heads 64. What is",
    "stated wins over what an id brings along. In size and plan, fields of a plan fix",
    "that part of the search.",
    "",
    "size answers on one screen: (1) nodes, accelerators, days, dollars with offer",
    "and date, and what binds; (2) plan and batch; (3) GiB of the worst stage; (4)",
    "the step by term, tokens/s, MFU, the band and the measured runs behind it, 6ND",
    "beside the exact count, and other counts;",
    "(5) near-equal plans and what they trade; (6) what was assumed and moves the",
    "answer by over 2%, largest first: the span is the ratio to the answer over half,",
    "double and the other choices of that setting.",
    "",
    "Exit status: 0 fits or is tight (the text says which), 1 does not fit or no",
    "plan, 2 bad input.",
};

static void print_flags(csz_object object, const char *title)
{
    page t = {0};
    text_line(&t, "%s", "");
    text_line(&t, "%s", title);
    for (size_t i = 0; i < csz_field_count(); i++) {
        csz_field field = csz_field_at(i);
        if (args_object(field) != object)
            continue;
        text_open(&t, " ");
        t.indent = 2;
        text_phrase(&t, "%s", args_flag(field).text);
        if (csz_field_alias(field)[0] != '\0')
            text_phrase(&t, "--%s", csz_field_alias(field));
        if (field_default(field).text[0] != '-')
            text_phrase(&t, "(%s)", field_default(field).text);
        t.indent = 6;
        text_add(&t, "%s", csz_field_text(field));
        text_close(&t);
    }
}

void print_help(void)
{
    for (size_t i = 0; i < sizeof usage / sizeof *usage; i++)
        puts(usage[i]);
    print_flags(CSZ_OBJECT_WORKLOAD, "Model and job (default):");
    print_flags(CSZ_OBJECT_CLUSTER, "Cluster:");
    print_flags(CSZ_OBJECT_PLAN, "Plan:");
    print_flags(CSZ_OBJECT_GOAL, "Goal:");
}
