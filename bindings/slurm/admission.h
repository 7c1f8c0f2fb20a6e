/* admission.h: what a job says of itself, and whether it may be queued. Knows no Slurm, so that it
 * can be tested without one. */
#ifndef CSZ_SLURM_ADMISSION_H
#define CSZ_SLURM_ADMISSION_H

#include <stddef.h>
#include <stdint.h>

#define ADMISSION_TEXT_MAX 4096 /* longest description of a job, in bytes */

typedef struct admission {
    int admitted;
    uint32_t minutes;  /* time limit of the run, the high end of its band; 0: none follows */
    char message[512]; /* why not; "" when admitted */
} admission;

/* The description in a comment: what follows the word "clustersize"; NULL when it has none. */
const char *admission_description(const char *comment);

/* Accelerators that a job asks for in Slurm's terms ("gres:gpu:h100:4,license:x"), of one node,
 * task or job; 0: none. -1: a count that cannot be read. */
int64_t admission_gpus(const char *tres);

/* Judges a description, "model=llama-3-70b accelerator=h100-sxm-80gb tp=8 tokens=1B": fields of
 * workload, cluster and plan. accelerators: what the job asks Slurm for, 0 when nothing. Neither
 * the one nor the other is guessed: where the description has a count too, they must agree. */
void admission_judge(admission *answer, const char *description, int64_t accelerators);

#endif
