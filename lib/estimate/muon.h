/* muon.h: arithmetic of the Muon optimizer, which no model FLOPs count. */
#ifndef CSZI_ESTIMATE_MUON_H
#define CSZI_ESTIMATE_MUON_H

#include "estimate/estimate.h"

/* FLOPs of one rank in one step over the matrices of a stage; 0 for other optimizers. */
double cszi_muon_flops(const cszi_case *c, int64_t stage, const int64_t counts[CSZI_KINDS]);

#endif
