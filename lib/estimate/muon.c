/* muon.c: Muon orthogonalizes the update of each matrix by five Newton-Schulz iterations (Jordan et
 * al. 2024, "Muon: an optimizer for hidden layers"; Liu et al. 2025, arXiv 2502.16982, sections 2.1
 * and 2.3). */
#include "estimate/muon.h"

#include <math.h>

#include "estimate/states.h"
#include "workload/matrices.h"

#define ITERATIONS 5

/* What a rank holds, by the group that shares its states. */
typedef struct work {
    double flops;
    double largest; /* of one matrix */
} work;

/* X is n x m, m <= n: A = X'X and X (b A + c A^2) are 2 n m^2 each, A^2 is 2 m^3. */
static double matrix_flops(double rows, double columns)
{
    double n = fmax(rows, columns), m = fmin(rows, columns);
    return ITERATIONS * (4 * n * m * m + 2 * m * m * m);
}

/* Tensor ranks work on their own parts (Megatron-LM's blockwise mode). */
static void add_matrix(const cszi_layout *l, const cszi_matrix *m, double layers, work *to)
{
    int expert = m->part == CSZI_PART_EXPERT;
    double cut = (double)(expert ? l->etp : l->t), rows = (double)m->in, columns = (double)m->out,
           one;
    if (m->split == CSZI_SPLIT_ROW)
        rows /= cut;
    if (m->split == CSZI_SPLIT_COLUMN)
        columns /= cut;
    one = matrix_flops(rows, columns);
    to->flops += layers * one * (double)m->copies / (expert ? (double)l->e : 1);
    to->largest = fmax(to->largest, one);
}

/* An owner of sharded states gathers whole matrices: it works on its share of them, and on one at
 * least. */
static double owned_flops(const work *w, double group)
{
    return fmax(w->flops / group, w->largest);
}

double cszi_muon_flops(const cszi_case *c, int64_t stage, const int64_t counts[CSZI_KINDS])
{
    const cszi_workload *w = c->workload;
    const cszi_layout *l = &c->layout;
    work dense = {0, 0}, expert = {0, 0};
    int shared = l->sharding >= CSZ_SHARDING_OPTIMIZER;
    if (w->optimizer != CSZ_OPTIMIZER_MUON || cszi_is_adapter_job(w))
        return 0; /* adapters are too thin to matter */
    for (int64_t i = 0; i < w->kinds_count; i++) {
        cszi_matrix matrices[CSZI_MATRICES];
        size_t count = cszi_kind_matrices(&w->kinds[i], w->hidden, matrices);
        double layers = cszi_stage_kind_layers(c, stage, counts, i);
        for (size_t k = 0; k < count && layers > 0; k++)
            add_matrix(l, &matrices[k], layers,
                       matrices[k].part == CSZI_PART_EXPERT ? &expert : &dense);
    }
    return cszi_method_trained(w) *
           (owned_flops(&dense, shared ? (double)l->group : 1) +
            owned_flops(&expert, shared ? cszi_layout_expert_group(l) : 1));
}
