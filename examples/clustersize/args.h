/* args.h: the command line: a command, flags of the field table, and files. */
#ifndef ARGS_H
#define ARGS_H

#include <stddef.h>

#include <clustersize/clustersize.h>

#include "text.h"

/* Exit statuses. */
enum { FITS = 0, FITS_NOT = 1, BAD_INPUT = 2 };

/* One flag of the field table as it was given. */
typedef struct setting {
    csz_field field;
    char *pair; /* "name=value", as csz_<object>_set takes it */
    size_t name_length;
} setting;

#define FIRST_FIELD CSZ_WORKLOAD_MODEL
#define INPUT_FIELDS 5000 /* inputs have smaller ids */

typedef struct asked {
    csz_catalog *catalog;
    csz_workload *workload;
    csz_cluster *cluster;
    csz_plan *plan;
    csz_goal *goal;
    const char *command, *kind, *filter; /* of `list`: what, and a part of the names */
    const char *by;                      /* of `list`: the figure to order by */
    char conditions[1024];               /* of `list`: "name=value name=value" */
    const char *catalog_file, *job_file, *model_file, *megatron_file, *deepspeed_file,
        *cluster_file;
    const char *runs_file, *step_time, *uncertainty, *gemm_rate, *copy_bandwidth,
        *output_file;               /* of `calibrate` */
    const char *profile_file;       /* of `size` */
    const char *emit;               /* the software that a plan is written for */
    const char *from, *launch_file; /* of `check` */
    const char **nccl;              /* its files */
    size_t nccl_count;
    int json, verbose, stages, explain, slurm, help, version;
    setting *settings;
    size_t count;
    unsigned char stated[INPUT_FIELDS]; /* by field id: the user said it */
    csz_status status;                  /* of the failure, with what it is about */
    csz_field field;
    char message[512];
} asked;

int args_make(asked *a);
void args_free(asked *a);
/* Reads the words only. 0, or BAD_INPUT with a message left in a. */
int args_read(asked *a, int count, char **words);
/* Reads the files and puts everything into the handles, ids first. */
int args_apply(asked *a);

/* Leaves a failure in a; always BAD_INPUT. */
int args_fail(asked *a, csz_status status, csz_field field, const char *format, ...)
    TEXT_FORMAT(4, 5);
/* The same with the message of a handle. */
int args_fail_with(asked *a, csz_status status, csz_field field, const char *message);

/* The object of an input field; 0 for other fields. */
csz_object args_object(csz_field field);
/* "--sequence-length" */
shown args_flag(csz_field field);
/* The model's id, its file or "the model". */
shown args_model_name(const asked *a);

#endif
