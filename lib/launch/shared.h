/* shared.h: what the tables of several stacks have in common. */
#ifndef CSZI_LAUNCH_SHARED_H
#define CSZI_LAUNCH_SHARED_H

#include "launch/launch.h"

#define CSZI_LAUNCH_ALLOCATOR                                                                      \
    {                                                                                              \
        .option = "PYTORCH_CUDA_ALLOC_CONF", .about = CSZ_PLAN_EXPANDABLE_SEGMENTS,                \
        .rule = CSZI_LAUNCH_CHOICE, .write = CSZI_LAUNCH_UNLESS, .place = CSZI_LAUNCH_ENVIRONMENT, \
        .choices = cszi_launch_segments,                                                           \
        .why = "the plan counts on segments that grow: little is lost to fragments"                \
    }

extern const cszi_choice cszi_launch_switch[]; /* true 1, false 0 */
extern const cszi_choice cszi_launch_segments[];

/* Ranks of a data-parallel group: of the plan, or what the accelerators leave; 0: not known. */
int64_t cszi_launch_data_ranks(const cszi_launch *launch);

/* Shards and replicas of the states, as FSDP names them: context ranks are among the shards. */
void cszi_launch_spread_shards(cszi_launch *launch);
/* option: where shards are said. Sets sharding=parameters where more than one rank shares, and the
 * data-parallel degree where it is known. */
csz_status cszi_launch_gather_shards(cszi_launch *launch, const char *option);

void cszi_launch_spread_steps(cszi_launch *launch);
/* Tokens of a run from its steps, when the batch is known. */
csz_status cszi_launch_gather_steps(cszi_launch *launch, const char *option);

/* Formats that are the stack's own are left to it: what it sends over the wire is its own too. */
void cszi_launch_drop_formats(cszi_launch *launch);

/* Every copy in one format, as states of FSDP are: weights are their own masters. */
csz_status cszi_launch_set_formats(cszi_launch *launch, int64_t weights, int64_t gradients,
                                   int64_t master, int64_t states, const char *option);

int cszi_launch_has_experts(const cszi_workload *workload);

/* Layers of a pipeline of so many chunks where the first is `head` and the last `tail` layers
 * shorter and what does not divide goes to the first ones, as the fields say it. */
csz_status cszi_launch_set_chunks(cszi_launch *launch, int64_t chunks, int64_t head, int64_t tail,
                                  const char *option);

#endif
