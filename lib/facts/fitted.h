/* fitted.h: time constants fitted to published runs. Written by tests/accuracy/fit (see there);
 * priors and their widths are in fit_constants.c. In brackets: what was known before, and the
 * standard deviation of the logarithm after. */
#ifndef CSZI_FACTS_FITTED_H
#define CSZI_FACTS_FITTED_H

#define FIT_VOLTA_GEMM16 0.7 /* [0.7, 0.15] */
#define FIT_AMPERE_GEMM16 0.7875 /* [0.83, 0.02] */
#define FIT_HOPPER_GEMM16 0.6748 /* [0.75, 0.02] */
#define FIT_HOPPER_GEMM8 0.5876 /* [0.62, 0.03] */
#define FIT_BLACKWELL_GEMM16 0.5464 /* [0.65, 0.05] */
#define FIT_BLACKWELL_GEMM8 0.5534 /* [0.56, 0.04] */
#define FIT_BLACKWELL_GEMM4 0.4555 /* [0.4, 0.08] */
#define FIT_AMPERE_ATTENTION 0.8006 /* [0.55, 0.08] */
#define FIT_HOPPER_ATTENTION 0.4734 /* [0.5, 0.08] */
#define FIT_BLACKWELL_ATTENTION 0.4863 /* [0.5, 0.11] */
#define FIT_TPU_V5P_GEMM16 0.7502 /* [0.6, 0.09] */
#define FIT_TPU_V6E_GEMM16 0.6635 /* [0.6, 0.04] */
#define FIT_TPU_V7_GEMM16 0.7704 /* [0.6, 0.07] */
#define FIT_TPU_V7_GEMM8 0.6889 /* [0.55, 0.07] */
#define FIT_CDNA3_GEMM16 0.5197 /* [0.5, 0.14] */
#define FIT_CDNA3_GEMM8 0.4153 /* [0.45, 0.11] */
#define FIT_CDNA3_ATTENTION 0.1968 /* [0.4, 0.13] */
#define FIT_TPU_ATTENTION 0.664 /* [0.5, 0.11] */
#define FIT_SUSTAINED 0.5135 /* [0.5, 0.22] */
#define FIT_EFA_SHARE 0.8175 /* [0.8, 0.29] */
#define FIT_EFA_EXPERT 0.3195 /* [0.5, 0.20] */
#define FIT_EFA_MESSAGE 1.118e+05 /* [5e+04, 0.15] */
#define FIT_ROCE_SHARE 1.037 /* [0.9, 0.13] */
#define FIT_ROCE_EXPERT 1.001 /* [0.9, 0.19] */
#define FIT_SOFTMAX_EXPOSED 0.5078 /* [0.5, 0.35] */
#define FIT_GROUPED_SHARE 0.898 /* [0.85, 0.07] */
#define FIT_MEMORY_SHARE 0.8086 /* [0.82, 0.04] */
#define FIT_HALF_SIZE 105.7 /* [128, 0.22] */
#define FIT_EAGER_LAUNCH 1.427e-05 /* [8e-06, 0.14] */
#define FIT_LAUNCH 5.359e-06 /* [5e-06, 0.14] */
#define FIT_ATTENTION_BACKWARD 0.8198 /* [0.8, 0.10] */
#define FIT_LINK_SHARE 0.8217 /* [0.75, 0.05] */
#define FIT_NIC_SHARE 0.9665 /* [0.8, 0.10] */
#define FIT_NIC_EXPERT_SHARE 0.6279 /* [0.6, 0.22] */
#define FIT_LATENCY_IN 2.368e-05 /* [2e-05, 0.29] */
#define FIT_LATENCY_OUT 1.506e-05 /* [1.4e-05, 0.50] */
#define FIT_LATENCY_PIPELINE 5.762e-05 /* [6e-05, 0.40] */
#define FIT_EXPOSED_CONTEXT 0.1379 /* [0.15, 0.50] */
#define FIT_EXPOSED_GATHER 0.1584 /* [0.3, 0.25] */
#define FIT_EXPOSED_EXPERT 0.6701 /* [0.8, 0.14] */
#define FIT_MOE_POINTWISE 15.28 /* [4, 0.19] */
#define FIT_RECURRENT 8.59 /* [4, 0.30] */
#define FIT_BIASED_EXPERTS 8.686 /* [4, 0.27] */
#define FIT_GRAPH_EXPERT 0.5654 /* [0.6, 0.27] */
#define FIT_GRAPH_MOE_POINTWISE 2.661 /* [3, 0.45] */
#define FIT_STEP_FIXED 0.01538 /* [0.015, 0.31] */
#define FIT_STRAGGLE 0.0089 /* [0.01, 0.24] */
#define FIT_FUSED_POINTWISE 0.8167 /* [0.7, 0.23] */
#define FIT_LEGACY_POINTWISE 0.7409 /* [0.8, 0.23] */
#define FIT_EAGER_POINTWISE 1.354 /* [1.3, 0.14] */
#define FIT_COMPILED_POINTWISE 0.7665 /* [0.8, 0.29] */
#define FIT_DDP_POINTWISE 2.884 /* [1.5, 0.18] */
#define FIT_XLA_POINTWISE 0.7001 /* [0.7, 0.27] */
#define FIT_FUSED_KERNELS 9.052 /* [8, 0.28] */
#define FIT_LEGACY_KERNELS 12.63 /* [16, 0.25] */
#define FIT_EAGER_KERNELS 30.42 /* [20, 0.23] */
#define FIT_COMPILED_KERNELS 8.169 /* [8, 0.30] */
#define FIT_DDP_KERNELS 65.98 /* [25, 0.18] */
#define FIT_XLA_KERNELS 3.983 /* [4, 0.30] */
#define FIT_EAGER_ATTENTION 0.4912 /* [0.5, 0.07] */
#define FIT_COMPILED_ATTENTION 0.4804 /* [0.75, 0.09] */
#define FIT_FUSED_TENSOR 0.3509 /* [0.5, 0.17] */
#define FIT_FUSED_PIPELINE 0.4642 /* [0.5, 0.33] */
#define FIT_FUSED_DATA 0.3725 /* [0.2, 0.32] */
#define FIT_EAGER_DATA 1 /* [0.7, 0.18] */
#define FIT_FUSED_HOST 0.0005129 /* [0.0005, 0.50] */
#define FIT_LEGACY_HOST 0.002467 /* [0.0025, 0.05] */
#define FIT_DEEPSPEED_HOST 0.01072 /* [0.005, 0.05] */
#define FIT_EAGER_HOST 0.0025 /* [0.0025, 0.50] */
#define FIT_COMPILED_HOST 0.0015 /* [0.0015, 0.50] */
#define FIT_DDP_HOST 0.00523 /* [0.004, 0.05] */
#define FIT_FUSED_HOST_MOE 0.01257 /* [0.008, 0.04] */

#endif
