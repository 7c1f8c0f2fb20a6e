/* fitted.h: time constants fitted to published runs. Written by tests/accuracy/fit (see there);
 * priors and their widths are in fit_constants.c. In brackets: what was known before, and the
 * standard deviation of the logarithm after. */
#ifndef CSZI_FACTS_FITTED_H
#define CSZI_FACTS_FITTED_H

#define FIT_VOLTA_GEMM16 0.7 /* [0.7, 0.15] */
#define FIT_AMPERE_GEMM16 0.7926 /* [0.83, 0.02] */
#define FIT_HOPPER_GEMM16 0.6799 /* [0.75, 0.02] */
#define FIT_HOPPER_GEMM8 0.588 /* [0.62, 0.03] */
#define FIT_BLACKWELL_GEMM16 0.5387 /* [0.65, 0.05] */
#define FIT_BLACKWELL_GEMM8 0.5463 /* [0.56, 0.04] */
#define FIT_BLACKWELL_GEMM4 0.4463 /* [0.4, 0.08] */
#define FIT_AMPERE_ATTENTION 0.7613 /* [0.55, 0.08] */
#define FIT_HOPPER_ATTENTION 0.4386 /* [0.5, 0.08] */
#define FIT_BLACKWELL_ATTENTION 0.4925 /* [0.5, 0.11] */
#define FIT_TPU_V5P_GEMM16 0.7635 /* [0.6, 0.09] */
#define FIT_TPU_V6E_GEMM16 0.6638 /* [0.6, 0.04] */
#define FIT_TPU_V7_GEMM16 0.7712 /* [0.6, 0.07] */
#define FIT_TPU_V7_GEMM8 0.69 /* [0.55, 0.08] */
#define FIT_CDNA3_GEMM16 0.4517 /* [0.5, 0.14] */
#define FIT_CDNA3_GEMM8 0.3504 /* [0.45, 0.10] */
#define FIT_CDNA3_ATTENTION 0.2575 /* [0.4, 0.17] */
#define FIT_TPU_ATTENTION 0.6686 /* [0.5, 0.12] */
#define FIT_SUSTAINED 0.574 /* [0.5, 0.20] */
#define FIT_EFA_SHARE 0.7144 /* [0.8, 0.28] */
#define FIT_EFA_EXPERT 0.3359 /* [0.5, 0.20] */
#define FIT_EFA_MESSAGE 1.021e+05 /* [5e+04, 0.15] */
#define FIT_ROCE_SHARE 0.896 /* [0.9, 0.12] */
#define FIT_ROCE_EXPERT 1.026 /* [0.9, 0.19] */
#define FIT_SOFTMAX_EXPOSED 0.495 /* [0.5, 0.35] */
#define FIT_GROUPED_SHARE 0.8963 /* [0.85, 0.07] */
#define FIT_MEMORY_SHARE 0.8021 /* [0.82, 0.04] */
#define FIT_HALF_SIZE 106 /* [128, 0.22] */
#define FIT_EAGER_LAUNCH 1.423e-05 /* [8e-06, 0.14] */
#define FIT_LAUNCH 5.353e-06 /* [5e-06, 0.14] */
#define FIT_ATTENTION_BACKWARD 0.8275 /* [0.8, 0.10] */
#define FIT_LINK_SHARE 0.8334 /* [0.75, 0.05] */
#define FIT_NIC_SHARE 0.8776 /* [0.8, 0.09] */
#define FIT_NIC_EXPERT_SHARE 0.6775 /* [0.6, 0.22] */
#define FIT_LATENCY_IN 2.318e-05 /* [2e-05, 0.29] */
#define FIT_LATENCY_OUT 1.488e-05 /* [1.4e-05, 0.50] */
#define FIT_LATENCY_PIPELINE 5.72e-05 /* [6e-05, 0.40] */
#define FIT_EXPOSED_CONTEXT 0.1366 /* [0.15, 0.50] */
#define FIT_EXPOSED_GATHER 0.177 /* [0.3, 0.23] */
#define FIT_EXPOSED_EXPERT 0.7341 /* [0.8, 0.15] */
#define FIT_MOE_POINTWISE 15.12 /* [4, 0.19] */
#define FIT_RECURRENT 9.194 /* [4, 0.28] */
#define FIT_BIASED_EXPERTS 8.755 /* [4, 0.27] */
#define FIT_GRAPH_EXPERT 0.5738 /* [0.6, 0.27] */
#define FIT_GRAPH_MOE_POINTWISE 2.722 /* [3, 0.44] */
#define FIT_STEP_FIXED 0.01711 /* [0.015, 0.29] */
#define FIT_STRAGGLE 0.008769 /* [0.01, 0.25] */
#define FIT_FUSED_POINTWISE 0.771 /* [0.7, 0.23] */
#define FIT_LEGACY_POINTWISE 0.7519 /* [0.8, 0.23] */
#define FIT_EAGER_POINTWISE 1.353 /* [1.3, 0.14] */
#define FIT_COMPILED_POINTWISE 1.125 /* [0.8, 0.26] */
#define FIT_DDP_POINTWISE 2.723 /* [1.5, 0.19] */
#define FIT_XLA_POINTWISE 0.6936 /* [0.7, 0.27] */
#define FIT_FUSED_KERNELS 8.816 /* [8, 0.29] */
#define FIT_LEGACY_KERNELS 12.54 /* [16, 0.25] */
#define FIT_EAGER_KERNELS 29.75 /* [20, 0.24] */
#define FIT_COMPILED_KERNELS 8.426 /* [8, 0.30] */
#define FIT_DDP_KERNELS 68.03 /* [25, 0.18] */
#define FIT_XLA_KERNELS 3.98 /* [4, 0.30] */
#define FIT_EAGER_ATTENTION 0.5164 /* [0.5, 0.07] */
#define FIT_COMPILED_ATTENTION 0.7129 /* [0.8, 0.07] */
#define FIT_COMPILED_MATRIX 0.9588 /* [0.95, 0.03] */
#define FIT_FUSED_TENSOR 0.3067 /* [0.5, 0.17] */
#define FIT_FUSED_PIPELINE 0.4541 /* [0.5, 0.32] */
#define FIT_FUSED_DATA 0.3826 /* [0.2, 0.30] */
#define FIT_COMPILED_DATA 0.3 /* [0.3, 0.50] */
#define FIT_EAGER_DATA 0.8779 /* [0.7, 0.17] */
#define FIT_FUSED_HOST 0.0005046 /* [0.0005, 0.50] */
#define FIT_LEGACY_HOST 0.002447 /* [0.0025, 0.05] */
#define FIT_DEEPSPEED_HOST 0.01069 /* [0.005, 0.05] */
#define FIT_EAGER_HOST 0.0025 /* [0.0025, 0.50] */
#define FIT_COMPILED_HOST 0.0015 /* [0.0015, 0.50] */
#define FIT_DDP_HOST 0.005224 /* [0.004, 0.05] */
#define FIT_FUSED_HOST_MOE 0.01269 /* [0.008, 0.03] */

#endif
