/* job_submit_clustersize.c: a plug-in of slurmctld that refuses at submission a training job that
 * cannot be, with the library's own sentence, and writes the time limit of one that has none.
 *
 * A job describes itself in its comment, or in the environment that it hands over:
 *
 *     #SBATCH --comment "clustersize model=llama-3-8b accelerator=h100-sxm-80gb tp=2 tokens=1B"
 *     CLUSTERSIZE="model=llama-3-8b ..." sbatch ...
 *
 * A job without a description is none of its business. The headers of libslurm-dev are enough: what
 * else a plug-in needs of Slurm is declared below. A plug-in is for one version of Slurm, so that
 * it is built where it is used, and named in slurm.conf:
 *
 *     cc -shared -fPIC job_submit_clustersize.c admission.c \
 *         $(pkg-config --cflags --libs clustersize) -lm -o job_submit_clustersize.so
 *     PluginDir=/where/it/is:/usr/lib/x86_64-linux-gnu/slurm-wlm
 *     JobSubmitPlugins=clustersize
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "admission.h"

#define ENVIRONMENT "CLUSTERSIZE="

struct job_record;

/* Of slurmctld, which frees the message with its own allocator. */
extern char *slurm_xstrdup(const char *text);
extern void slurm_info(const char *format, ...) __attribute__((format(printf, 1, 2)));

const char plugin_name[] = "Job submit plug-in of libclustersize";
const char plugin_type[] = "job_submit/clustersize";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

int init(void);
int fini(void);
int job_submit(job_desc_msg_t *job, uint32_t user, char **message);
int job_modify(job_desc_msg_t *job, struct job_record *old, uint32_t user);

int init(void)
{
    return SLURM_SUCCESS;
}

int fini(void)
{
    return SLURM_SUCCESS;
}

static const char *describe(const job_desc_msg_t *job)
{
    const size_t length = sizeof ENVIRONMENT - 1;
    const char *description = admission_description(job->comment);

    for (uint32_t i = 0; description == NULL && job->environment != NULL && i < job->env_size;
         i++) {
        if (strncmp(job->environment[i], ENVIRONMENT, length) == 0)
            description = job->environment[i] + length;
    }
    return description;
}

/* A number of Slurm's, which has a mark for what is not given. */
static int64_t given(uint32_t value, int64_t otherwise)
{
    return value == NO_VAL || value == INFINITE ? otherwise : (int64_t)value;
}

/* GPUs of the whole job; 0: it asks for none, -1: unreadable. */
static int64_t count_gpus(const job_desc_msg_t *job)
{
    int64_t of_job = admission_gpus(job->tres_per_job);
    int64_t of_node = admission_gpus(job->tres_per_node);
    int64_t of_task = admission_gpus(job->tres_per_task);

    if (of_job < 0 || of_node < 0 || of_task < 0)
        return -1;
    if (of_job > 0)
        return of_job;
    if (of_node > 0)
        return of_node * given(job->min_nodes, 1);
    return of_task * given(job->num_tasks, 1);
}

int job_submit(job_desc_msg_t *job, uint32_t user, char **message)
{
    const char *description = describe(job);
    admission answer;

    if (description == NULL)
        return SLURM_SUCCESS;
    admission_judge(&answer, description, count_gpus(job));
    if (!answer.admitted) {
        char text[sizeof answer.message + 16];

        snprintf(text, sizeof text, "clustersize: %s", answer.message);
        slurm_info("job_submit/clustersize: uid %u refused: %s", (unsigned)user, answer.message);
        if (message != NULL)
            *message = slurm_xstrdup(text);
        return ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE;
    }
    if (job->time_limit == NO_VAL && answer.minutes > 0) {
        job->time_limit = answer.minutes;
        slurm_info("job_submit/clustersize: uid %u: time limit %u min", (unsigned)user,
                   (unsigned)answer.minutes);
    }
    return SLURM_SUCCESS;
}

/* A queued job was judged when it came. */
int job_modify(job_desc_msg_t *job, struct job_record *old, uint32_t user)
{
    (void)job;
    (void)old;
    (void)user;
    return SLURM_SUCCESS;
}
