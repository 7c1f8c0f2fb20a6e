/* kernels.c: roofline times (Williams et al. 2009) with a launch, a size dependence and reached
 * shares of the peaks; rings over hierarchical links (NCCL's bus bandwidth: nccl-tests
 * PERFORMANCE.md). */
#include "estimate/kernels.h"

#include <math.h>

#include "estimate/states.h"

/* The format of what stays outside low-precision products. */
static int64_t wide_format(const cszi_cluster *cluster, int64_t compute)
{
    if (compute != CSZ_FORMAT_FP8 && compute != CSZ_FORMAT_FP4)
        return compute;
    return cluster->peak_bf16 > 0 ? CSZ_FORMAT_BF16 : CSZ_FORMAT_FP16;
}

double cszi_family_share(const cszi_family *family, int64_t format)
{
    const cszi_family *usual = cszi_family_find("unfitted");
    if (format == CSZ_FORMAT_FP8)
        return family->gemm8 > 0 ? family->gemm8 : usual->gemm8;
    if (format == CSZ_FORMAT_FP4)
        return family->gemm4 > 0 ? family->gemm4 : usual->gemm4;
    return family->gemm16;
}

/* Clocks under a power limit: dynamic power grows with a power of the clock, so that a part with
 * fewer watts for its peak than those of the fitted runs sustains less of it. Never more than the
 * peak. */
typedef struct sustaining {
    double limit; /* share under a limit of power */
    double watts; /* share of a part with fewer watts for its peak */
} sustaining;

static sustaining sustaining_of(const cszi_cluster *cluster, const cszi_family *f)
{
    double peak16 = cluster->peak_bf16 > 0 ? cluster->peak_bf16 : cluster->peak_fp16;
    sustaining s = {cszi_power_share(cluster), 1};
    if (f->watts > 0 && cluster->power > 0 && peak16 > 0)
        s.watts = pow(cluster->power / peak16 / f->watts, f->sustained);
    return s;
}

static double sustained(const sustaining *s, double share)
{
    share = share * s->limit * s->watts;
    return share < 1 ? share : 1;
}

double cszi_sustained(const cszi_cluster *cluster, double share)
{
    sustaining s = sustaining_of(cluster, cszi_family_find(cluster->family));
    return sustained(&s, share);
}

static double measured_or(double measured, double usual)
{
    return measured > 0 ? measured : usual;
}

/* What was measured stands for what the stack's shares of printed rates make of them; all-to-all
 * that was not measured keeps its proportion to the other collectives. */
static void put_network(const cszi_cluster *cluster, const cszi_stack *s, cszi_rates *r)
{
    double link = cluster->network_multiplier * cluster->link_multiplier,
           nic = cluster->network_multiplier * cluster->scale_out_multiplier;
    const cszi_network *kind = cszi_network_find(cluster->fabric);
    double share = s->nic_share * kind->share;
    double port =
        measured_or(cluster->scale_out_measured_bandwidth / share, cluster->scale_out_bandwidth);
    r->nic = port * share * nic;
    r->nic_expert = measured_or(cluster->scale_out_expert_bandwidth,
                                port * s->nic_expert_share * kind->expert_share) *
                    nic;
    r->message = port > 0 ? kind->message / (port * nic) : 0;
    r->link =
        measured_or(cluster->link_measured_bandwidth, cluster->link_bandwidth * s->link_share) *
        link;
    if (r->link <= 0)
        r->link = r->nic;
    r->link_expert = measured_or(cluster->link_expert_bandwidth * link, r->link);
    r->latency_in = measured_or(cluster->link_latency, s->latency_in);
    r->latency_out = measured_or(cluster->scale_out_latency, s->latency_out);
}

void cszi_case_rates(const cszi_case *c, cszi_rates *rates)
{
    const cszi_cluster *cluster = c->cluster;
    const cszi_stack *s = c->stack;
    int64_t format = c->workload->compute_format, wide = wide_format(cluster, format);
    double peak16 = cszi_cluster_peak(cluster, wide), tuned = cluster->compute_multiplier;
    sustaining all = sustaining_of(cluster, c->family);
    rates->peak = cszi_cluster_peak(cluster, format);
    rates->peak_wide = peak16;
    rates->matrix = cszi_cluster_peak(cluster, format) * tuned * s->matrix_factor *
                    sustained(&all, cszi_family_share(c->family, format));
    rates->wide =
        peak16 * tuned * s->matrix_factor * sustained(&all, cszi_family_share(c->family, wide));
    rates->attention = peak16 * tuned * sustained(&all, c->family->attention) * s->attention_factor;
    rates->attention_back = rates->attention * s->attention_backward;
    rates->softmax = c->family->softmax * s->softmax_exposed;
    rates->memory = cluster->memory_bandwidth * s->memory_share * cluster->memory_multiplier;
    rates->launch = s->launch;
    rates->half_size = s->half_size;
    rates->byte = cszi_format_bytes(wide);
    rates->operand = cszi_format_bytes(format);
    rates->narrow = wide != format;
    put_network(cluster, s, rates);
    rates->domain = cluster->scale_up_domain > 0 ? (double)cluster->scale_up_domain : 1;
}

/* M x N x K: t0 + max(2 M N K / (rate g), bytes / bandwidth), g = x / (x + d0), x = min(M, N, K);
 * several weights in one launch have M for each. */
static double grouped_time(const cszi_rates *r, const cszi_product *p, double bytes)
{
    double x = fmin(p->per, fmin(p->n, p->k)), g = x / (x + r->half_size);
    return r->launch + fmax(2 * p->m * p->n * p->k / (p->rate * g), bytes / r->memory);
}

/* Low-precision operands are read in 16 bit and written once: 4 bytes an element, and a launch. */
static double convert_time(const cszi_rates *r, const cszi_product *p, double elements)
{
    return p->narrow ? r->launch + 4 * elements / r->memory : 0;
}

static double forward_bytes(const cszi_product *p)
{
    return p->operand * (p->m * p->k + p->copies * p->k * p->n) + 2 * p->m * p->n;
}

double cszi_product_forward(const cszi_rates *r, const cszi_product *p)
{
    return grouped_time(r, p, forward_bytes(p)) + convert_time(r, p, p->m * p->k);
}

cszi_work cszi_product_work(const cszi_rates *r, const cszi_product *p)
{
    double launches = p->narrow ? 2 : 1, converted = p->narrow ? 4 * p->m * p->k : 0;
    cszi_work work = {2 * p->m * p->n * p->k, forward_bytes(p) + converted, launches * r->launch,
                      cszi_product_forward(r, p)};
    return work;
}

/* Gradient of the input like forward; gradient of the weight reads both activations and accumulates
 * in fp32. */
double cszi_product_backward(const cszi_rates *r, const cszi_product *p, int trained)
{
    double weight = p->copies * p->k * p->n, time;
    time = grouped_time(r, p, p->operand * (p->m * p->n + weight) + 2 * p->m * p->k) +
           convert_time(r, p, p->m * p->n);
    if (trained)
        time += grouped_time(r, p, p->operand * (p->m * p->k + p->m * p->n) + 8 * weight);
    return time;
}

static double members(const cszi_rates *r, double stride, double size)
{
    return fmax(1, fmin(size, floor(r->domain / stride)));
}

double cszi_group_bandwidth(const cszi_rates *r, double stride, double size)
{
    double local = members(r, stride, size);
    return local >= size ? r->link : fmin(r->link, r->nic * local);
}

double cszi_group_domains(const cszi_rates *r, double stride, double size)
{
    return ceil(size / members(r, stride, size));
}
