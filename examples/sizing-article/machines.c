/* machines.c: claims about links, networks, failures, storage and power: c, e, h, i, l, r, t, w, x.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "article.h"

static void links(asked *q)
{
    double nvlink = fact(CSZ_KIND_ACCELERATOR, "h100-sxm-80gb", CSZ_ACCELERATOR_LINK_BANDWIDTH),
           ndr = fact(CSZ_KIND_FABRIC, "ib-ndr", CSZ_FABRIC_BANDWIDTH), one, eight;
    claim("c", "NDR 400 is 50x slower than NVLink 900");
    set(q, "model=llama-3-8b sequence_length=8192 global_batch=128",
        "accelerator=h100-sxm-80gb accelerators=16", "zero=1 tp=2 stack=megatron");
    eight = figure(q, CSZ_DEPTH_STEP, CSZ_ESTIMATE_STEP_TIME);
    (void)csz_cluster_set(q->cluster, NULL, "scale_up_domain=16");
    one = figure(q, CSZ_DEPTH_STEP, CSZ_ESTIMATE_STEP_TIME);
    says("%.0f GB/s against %.0f GB/s, each one way: %.0fx; a step of 8B on 16 H100 takes %.3fx of "
         "that on one domain",
         nvlink / 1e9, ndr / 1e9, nvlink / ndr, eight / one);
    because("400 are bits one way, 900 bytes both ways; and every accelerator has a port of its "
            "own.");
}

static void failures(asked *q)
{
    double r[3];
    claim("e", "above 1,000 GPUs one dies every 3 to 4 days");
    set(q, "model=llama-3-70b sequence_length=8192 global_batch=512 tokens=1T",
        "accelerator=h100-sxm-80gb accelerators=1024", "tp=8 pp=4 stack=megatron");
    project_range(q, CSZ_PROJECTION_FAILURES_PER_DAY, r);
    says("1,024: a stop of the job every %.1f days, %.1f to %.2f; at 16,384 every %.1f hours",
         1 / r[1], 1 / r[2], 1 / r[0], 24 / r[1] / 16);
    because(
        "3.79e-3 a node and day (Llama 3), 2.3e-3 to 6.5e-3 on others; the short end holds what "
        "jobs of 1,024 really had.");
}

static double on(asked *q, const char *fabric)
{
    set(q, "model=llama-2-13b sequence_length=4096 global_batch=256 tokens=100G",
        "accelerator=h100-sxm-80gb accelerators=32",
        "tp=1 pp=1 zero=3 stack=fsdp-compiled "
        "recompute=full");
    return on_fabric(q, fabric, CSZ_PROJECTION_FABRIC_STEP);
}

static double one_port(asked *q)
{
    set(q, "model=llama-2-13b sequence_length=4096 global_batch=256 tokens=100G",
        "accelerator=h100-sxm-80gb accelerators=32 fabric=eth-100 scale_out_bandwidth=1.5625GB/s",
        "tp=1 pp=1 zero=3 stack=fsdp-compiled recompute=full");
    return figure(q, CSZ_DEPTH_STEP, CSZ_ESTIMATE_STEP_TIME);
}

static void ethernet(asked *q)
{
    double ib = on(q, "ib-ndr"), own = on(q, "eth-100"), shared = one_port(q);
    claim("h", "32 GPUs take 22 days on 100GbE and 14 on InfiniBand");
    says("13B, ZeRO-3 on 32 H100: 100GbE for each GPU %.2fx of NDR, one port a node %.2fx (claimed "
         "%.2fx)",
         own / ib, shared / ib, 22 / 14.0);
    because("how many ports a node has, and the sharding, decide; a plan for slow networks keeps "
            "traffic inside nodes.");
}

static void checkpoints(asked *q)
{
    double many, few, fixed;
    claim("i", "checkpoints take 10 s at 64 GPUs and over 2 minutes at 256");
    set(q, "model=llama-3-70b sequence_length=8192 global_batch=512 tokens=1T",
        "accelerator=h100-sxm-80gb accelerators=64", "tp=8 pp=2 zero=1 stack=megatron");
    few = project(q, CSZ_PROJECTION_CHECKPOINT_WRITE);
    (void)csz_cluster_set(q->cluster, NULL, "accelerators=256");
    many = project(q, CSZ_PROJECTION_CHECKPOINT_WRITE);
    (void)csz_cluster_set(q->cluster, NULL, "storage_bandwidth=10GB/s");
    fixed = project(q, CSZ_PROJECTION_CHECKPOINT_WRITE);
    says("70B: %.0f s from 8 nodes, %.0f s from 32 at 1.2 GB/s a node; %.0f s from any number "
         "through 10 GB/s",
         few, many, fixed);
    because("the bytes are those of the model: more writers make it faster, a file system's limit "
            "keeps it equal.");
}

static void power(asked *q)
{
    claim("l", "a DGX node draws 7 to 10 kW");
    says("at the most A100 %.1f, H100 %.1f, B200 %.1f kW; in training about three quarters",
         fact(CSZ_KIND_NODE, "dgx-a100-640", CSZ_NODE_POWER) / 1e3,
         fact(CSZ_KIND_NODE, "dgx-h100", CSZ_NODE_POWER) / 1e3,
         fact(CSZ_KIND_NODE, "dgx-b200", CSZ_NODE_POWER) / 1e3);
    because("right for the H100; say which, and whether the most or the mean.");
    (void)q;
}

static double effective(asked *q, const char *storage)
{
    set(q, "model=llama-3-70b sequence_length=8192 global_batch=512 tokens=1T",
        "accelerator=h100-sxm-80gb accelerators=256", "tp=8 pp=4 zero=1 stack=megatron");
    (void)csz_cluster_set(q->cluster, NULL, storage);
    return 100 * project(q, CSZ_PROJECTION_GOODPUT);
}

static void storage(asked *q)
{
    double nfs = effective(q, "storage_bandwidth=1GB/s read_bandwidth=1GB/s"),
           parallel = effective(q, "storage_bandwidth=100GB/s read_bandwidth=100GB/s"), rate,
           images;
    rate = project(q, CSZ_PROJECTION_READ_RATE);
    images = effective(q, "storage_bandwidth=1GB/s read_bandwidth=1GB/s bytes_per_token=4096");
    claim("r", "NFS storage leaves 30% idle, a parallel file system 5%");
    says("70B on 256 H100: goodput %.1f%% through 1 GB/s, %.1f%% through 100 GB/s; text needs %.1f "
         "MB/s; %.1f%% through 1 GB/s with 4 KiB a token",
         nfs, parallel, rate / 1e6, images);
    because("tokens of text are a trickle: only checkpoints notice the storage. Images and video "
            "are another matter.");
}

static double parameters(asked *q, const char *model, csz_field field)
{
    set(q, model, "accelerator=h100-sxm-80gb", "");
    return figure(q, CSZ_DEPTH_MODEL, field) / 1e9;
}

static void llama(asked *q)
{
    claim("t", "Llama 4 at 1.2T");
    says("Scout %.1fB total, %.1fB active; Maverick %.1fB total, %.1fB active",
         parameters(q, "model=llama-4-scout", CSZ_ESTIMATE_PARAMETERS_TOTAL),
         parameters(q, "model=llama-4-scout", CSZ_ESTIMATE_PARAMETERS_ACTIVE),
         parameters(q, "model=llama-4-maverick", CSZ_ESTIMATE_PARAMETERS_TOTAL),
         parameters(q, "model=llama-4-maverick", CSZ_ESTIMATE_PARAMETERS_ACTIVE));
    because("no such model was published; of mixtures the active parameters set the FLOPs.");
}

static void roce(asked *q)
{
    double ib, own, tcp;
    claim("w", "Ethernet will not do");
    set(q, "model=llama-3.1-405b sequence_length=8192 global_batch=2048 tokens=1T",
        "accelerator=h100-sxm-80gb accelerators=16384", "tp=8 pp=16 vpp=8 zero=1 stack=megatron");
    ib = on_fabric(q, "ib-ndr", CSZ_PROJECTION_FABRIC_STEP);
    own = on_fabric(q, "roce-400", CSZ_PROJECTION_FABRIC_STEP);
    tcp = on_fabric(q, "eth-100", CSZ_PROJECTION_FABRIC_STEP);
    says("405B on 16,384 H100: RoCE 400 %.2fx of NDR's step, 100GbE %.2fx", own / ib, tcp / ib);
    because("Llama 3.1 405B was trained on 400G RoCE: rate and RDMA decide, not the name.");
}

static double link(const char *id)
{
    return fact(CSZ_KIND_OPERATION, id, CSZ_OPERATION_VALUE);
}

static void mesh(asked *q)
{
    claim("x", "8-way NVLink is a full mesh");
    says("one peer of all: H100 %.0f of %.0f GB/s, MI300X %.0f of %.0f",
         link("link-nvlink4-one-peer"), link("link-nvlink4-all-peers"),
         link("link-xgmi-mi300-one-peer"), link("link-xgmi-mi300-all-peers"));
    because("A100 and H100 have a switch: a pair gets everything. In a mesh it gets one seventh.");
    (void)q;
}

const audit machine_audits[] = {
    {'c', links},   {'e', failures}, {'h', ethernet}, {'i', checkpoints}, {'l', power},
    {'r', storage}, {'t', llama},    {'w', roce},     {'x', mesh},        {0, NULL},
};
