/* fitted.h: time constants fitted to published runs. Written by tests/accuracy/fit (see there);
 * priors and their widths are in fit_constants.c. In brackets: what was known before, and the
 * standard deviation of the logarithm after. */
#ifndef CSZI_FACTS_FITTED_H
#define CSZI_FACTS_FITTED_H

#define FIT_VOLTA_GEMM16 0.7 /* [0.7, 0.15] */
#define FIT_AMPERE_GEMM16 0.7877 /* [0.83, 0.02] */
#define FIT_HOPPER_GEMM16 0.676 /* [0.75, 0.02] */
#define FIT_HOPPER_GEMM8 0.5898 /* [0.62, 0.03] */
#define FIT_BLACKWELL_GEMM16 0.5489 /* [0.65, 0.05] */
#define FIT_BLACKWELL_GEMM8 0.5551 /* [0.56, 0.04] */
#define FIT_BLACKWELL_GEMM4 0.4564 /* [0.4, 0.08] */
#define FIT_AMPERE_ATTENTION 0.802 /* [0.55, 0.08] */
#define FIT_HOPPER_ATTENTION 0.4755 /* [0.5, 0.08] */
#define FIT_BLACKWELL_ATTENTION 0.4806 /* [0.5, 0.11] */
#define FIT_TPU_V5P_GEMM16 0.738 /* [0.6, 0.09] */
#define FIT_TPU_V6E_GEMM16 0.6624 /* [0.6, 0.04] */
#define FIT_TPU_V7_GEMM16 0.7702 /* [0.6, 0.07] */
#define FIT_TPU_V7_GEMM8 0.6889 /* [0.55, 0.07] */
#define FIT_CDNA3_GEMM16 0.5178 /* [0.5, 0.14] */
#define FIT_CDNA3_GEMM8 0.4091 /* [0.45, 0.11] */
#define FIT_CDNA3_ATTENTION 0.2015 /* [0.4, 0.13] */
#define FIT_TPU_ATTENTION 0.6632 /* [0.5, 0.12] */
#define FIT_SUSTAINED 0.523 /* [0.5, 0.21] */
#define FIT_EFA_SHARE 0.8112 /* [0.8, 0.29] */
#define FIT_EFA_EXPERT 0.3702 /* [0.5, 0.19] */
#define FIT_EFA_MESSAGE 9.16e+04 /* [5e+04, 0.17] */
#define FIT_ROCE_SHARE 1.048 /* [0.9, 0.13] */
#define FIT_ROCE_EXPERT 0.9772 /* [0.9, 0.18] */
#define FIT_SOFTMAX_EXPOSED 0.5108 /* [0.5, 0.35] */
#define FIT_GROUPED_SHARE 0.8971 /* [0.85, 0.07] */
#define FIT_MEMORY_SHARE 0.8112 /* [0.82, 0.04] */
#define FIT_HALF_SIZE 106.5 /* [128, 0.22] */
#define FIT_EAGER_LAUNCH 1.418e-05 /* [8e-06, 0.14] */
#define FIT_LAUNCH 5.376e-06 /* [5e-06, 0.14] */
#define FIT_ATTENTION_BACKWARD 0.8296 /* [0.8, 0.10] */
#define FIT_LINK_SHARE 0.8178 /* [0.75, 0.05] */
#define FIT_NIC_SHARE 0.9921 /* [0.8, 0.10] */
#define FIT_NIC_EXPERT_SHARE 0.661 /* [0.6, 0.21] */
#define FIT_LATENCY_IN 2.444e-05 /* [2e-05, 0.29] */
#define FIT_LATENCY_OUT 1.501e-05 /* [1.4e-05, 0.50] */
#define FIT_LATENCY_PIPELINE 5.748e-05 /* [6e-05, 0.40] */
#define FIT_EXPOSED_CONTEXT 0.1383 /* [0.15, 0.50] */
#define FIT_EXPOSED_GATHER 0.1639 /* [0.3, 0.25] */
#define FIT_EXPOSED_EXPERT 0.8222 /* [0.8, 0.16] */
#define FIT_MOE_POINTWISE 13.63 /* [4, 0.21] */
#define FIT_BIASED_EXPERTS 9.006 /* [4, 0.26] */
#define FIT_GRAPH_EXPERT 0.5643 /* [0.6, 0.26] */
#define FIT_GRAPH_MOE_POINTWISE 2.658 /* [3, 0.45] */
#define FIT_STEP_FIXED 0.01528 /* [0.015, 0.31] */
#define FIT_STRAGGLE 0.008725 /* [0.01, 0.25] */
#define FIT_FUSED_POINTWISE 0.8093 /* [0.7, 0.23] */
#define FIT_LEGACY_POINTWISE 0.7482 /* [0.8, 0.23] */
#define FIT_EAGER_POINTWISE 1.365 /* [1.3, 0.14] */
#define FIT_COMPILED_POINTWISE 0.78 /* [0.8, 0.29] */
#define FIT_DDP_POINTWISE 2.986 /* [1.5, 0.18] */
#define FIT_XLA_POINTWISE 0.7087 /* [0.7, 0.27] */
#define FIT_FUSED_KERNELS 9.162 /* [8, 0.28] */
#define FIT_LEGACY_KERNELS 12.71 /* [16, 0.25] */
#define FIT_EAGER_KERNELS 30.29 /* [20, 0.23] */
#define FIT_COMPILED_KERNELS 8.184 /* [8, 0.30] */
#define FIT_DDP_KERNELS 64.65 /* [25, 0.18] */
#define FIT_XLA_KERNELS 3.983 /* [4, 0.30] */
#define FIT_EAGER_ATTENTION 0.4863 /* [0.5, 0.07] */
#define FIT_COMPILED_ATTENTION 0.4784 /* [0.75, 0.09] */
#define FIT_FUSED_TENSOR 0.4151 /* [0.5, 0.16] */
#define FIT_FUSED_PIPELINE 0.4494 /* [0.5, 0.34] */
#define FIT_FUSED_DATA 0.3576 /* [0.2, 0.33] */
#define FIT_EAGER_DATA 1 /* [0.7, 0.19] */
#define FIT_FUSED_HOST 0.0004964 /* [0.0005, 0.50] */
#define FIT_LEGACY_HOST 0.002469 /* [0.0025, 0.05] */
#define FIT_DEEPSPEED_HOST 0.01071 /* [0.005, 0.05] */
#define FIT_EAGER_HOST 0.0025 /* [0.0025, 0.50] */
#define FIT_COMPILED_HOST 0.0015 /* [0.0015, 0.50] */
#define FIT_DDP_HOST 0.005229 /* [0.004, 0.05] */
#define FIT_FUSED_HOST_MOE 0.01253 /* [0.008, 0.04] */

#endif
