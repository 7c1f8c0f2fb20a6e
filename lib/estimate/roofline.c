/* roofline.c: where the main operations stand: FLOPs over bytes against the balance of the part
 * (Williams et al. 2009). Times are those of the layers. */
#include "estimate/flops.h"
#include "estimate/layer.h"

typedef struct roofline {
    const cszi_case *c;
    const cszi_rates *r;
    const cszi_layer_time *times;
    cszi_estimate *e;
} roofline;

static csz_bound bound_of(const cszi_work *work, double balance)
{
    if (2 * work->launch > work->time)
        return CSZ_BOUND_LAUNCH;
    return work->flops > balance * work->bytes ? CSZ_BOUND_COMPUTE : CSZ_BOUND_MEMORY;
}

static void add_kernel(roofline *l, csz_kernel kind, const cszi_work *work, double peak)
{
    double balance = peak / l->c->cluster->memory_bandwidth;
    cszi_kernel *k = &l->e->kernels[l->e->kernel_count];
    if (!(work->time > 0 && work->bytes > 0))
        return;
    l->e->kernel_count++;
    *k = (cszi_kernel){kind,
                       work->flops,
                       work->bytes,
                       work->time,
                       work->flops / work->bytes,
                       balance,
                       work->flops / work->time,
                       peak,
                       bound_of(work, balance)};
}

static void keep_larger(cszi_work *largest, const cszi_work *work)
{
    if (work->flops > largest->flops)
        *largest = *work;
}

static void add_products(roofline *l)
{
    const cszi_workload *w = l->c->workload;
    cszi_work plain = {0, 0, 0, 0}, experts = plain;
    for (int64_t i = 0; i < w->kinds_count; i++) {
        cszi_matrix matrices[CSZI_MATRICES];
        size_t count = cszi_kind_matrices(&w->kinds[i], w->hidden, matrices);
        for (size_t j = 0; j < count; j++) {
            cszi_product p = cszi_layer_product(l->c, l->r, &w->kinds[i], &matrices[j]);
            cszi_work work = cszi_product_work(l->r, &p);
            keep_larger(matrices[j].part == CSZI_PART_EXPERT ? &experts : &plain, &work);
        }
    }
    add_kernel(l, CSZ_KERNEL_PRODUCT, &plain, l->r->peak);
    add_kernel(l, CSZ_KERNEL_EXPERTS, &experts, l->r->peak);
}

static void add_layers(roofline *l)
{
    const cszi_workload *w = l->c->workload;
    cszi_work core = {0, 0, 0, 0}, elements = core;
    for (int64_t i = 0; i < w->kinds_count; i++) {
        keep_larger(&core, &l->times[i].core);
        keep_larger(&elements, &l->times[i].elements);
    }
    add_kernel(l, CSZ_KERNEL_ATTENTION, &core, l->r->peak_wide);
    add_kernel(l, CSZ_KERNEL_POINTWISE, &elements, l->r->peak_wide);
}

/* The product, then the loss over what it wrote. */
static void add_logits(roofline *l)
{
    cszi_product p = cszi_head_product(l->c, l->r);
    cszi_work work = cszi_product_work(l->r, &p);
    if (!l->c->workload->output_layer || cszi_method_passes(l->c->workload).logits <= 0)
        return;
    work.bytes += cszi_head_bytes(&p);
    work.time += cszi_head_bytes(&p) / l->r->memory;
    add_kernel(l, CSZ_KERNEL_LOGITS, &work, l->r->peak_wide);
}

void cszi_estimate_kernels(const cszi_case *c, const cszi_rates *rates,
                           const cszi_layer_time times[CSZI_KINDS], cszi_estimate *estimate)
{
    roofline l = {c, rates, times, estimate};
    add_products(&l);
    add_layers(&l);
    add_logits(&l);
}
