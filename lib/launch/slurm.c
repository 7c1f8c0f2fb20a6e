/* slurm.c: a batch script around a launch: sbatch(1) of Slurm 24.05 and torchrun of PyTorch 2.8. */
#include <math.h>
#include <string.h>

#include <clustersize/clustersize.h>

#include "launch/launch.h"

#define PORT 29500 /* torchrun's default */

/* D-HH:MM:SS, rounded up to minutes. */
static void put_time(double seconds, cszi_out *out)
{
    int64_t minutes = (int64_t)ceil(seconds / 60);
    cszi_out_format(out, "%lld-%lld%lld:%lld%lld:00", (long long)(minutes / 1440),
                    (long long)(minutes / 60 % 24 / 10), (long long)(minutes / 60 % 24 % 10),
                    (long long)(minutes % 60 / 10), (long long)(minutes % 60 % 10));
}

static void put_head(const cszi_launch *l, int64_t nodes, int64_t per_node, cszi_out *out)
{
    const cszi_launch_run *run = &l->run;
    cszi_out_format(out,
                    "#!/bin/bash\n"
                    "# %s %s on %lld accelerators, by clustersize %s\n"
                    "#SBATCH --job-name=%s\n"
                    "#SBATCH --nodes=%lld\n"
                    "#SBATCH --ntasks-per-node=1\n"
                    "#SBATCH --gpus-per-node=%lld\n"
                    "#SBATCH --exclusive\n"
                    "#SBATCH --requeue\n"
                    "#SBATCH --open-mode=append\n",
                    l->stack->name, l->stack->version, (long long)l->layout->used,
                    csz_version_string(), l->stack->name, (long long)nodes, (long long)per_node);
    if (run->limit > 0) {
        cszi_out_text(out, "# the high end of the estimate:\n#SBATCH --time=");
        put_time(run->limit, out);
        cszi_out_char(out, '\n');
    } else {
        cszi_out_text(out, "# no --time: the length of the run is not known\n");
    }
    if (run->interval > 0 && run->step > 0)
        cszi_out_format(out, "# checkpoints: every %g s, which is %lld steps\n",
                        floor(run->interval + 0.5),
                        (long long)fmax(1, floor(run->interval / run->step)));
}

static void put_exports(cszi_launch *l, cszi_out *out)
{
    for (size_t i = 0; i < l->stack->count; i++) {
        const cszi_launch_row *row = &l->stack->rows[i];
        if (row->place != CSZI_LAUNCH_ENVIRONMENT || !cszi_launch_is_written(l, row))
            continue;
        cszi_out_format(out, "export %s=", row->option);
        (void)cszi_launch_value(l, row, out);
        cszi_out_format(out, "  # %s\n", row->why);
    }
}

static void put_arguments(cszi_launch *l, cszi_out *out)
{
    for (size_t i = 0; i < l->stack->count; i++) {
        const cszi_launch_row *row = &l->stack->rows[i];
        char value[80];
        cszi_out text = cszi_out_open(value, sizeof value);
        if (row->place != CSZI_LAUNCH_ARGUMENT || !cszi_launch_is_written(l, row) ||
            !cszi_launch_value(l, row, &text))
            continue;
        (void)cszi_out_close(&text);
        cszi_out_format(out, " \\\n  --%s %s", row->option, value);
    }
}

/* %s of the command is the file, or its words. */
static void put_command(cszi_launch *l, int64_t per_node, cszi_out *out)
{
    const char *mark = strstr(l->stack->command, "%s");
    size_t n = mark != NULL ? (size_t)(mark - l->stack->command) : strlen(l->stack->command);
    cszi_out_text(out, "srun ");
    if (l->stack->launcher)
        cszi_out_format(out,
                        "torchrun --nnodes=\"$SLURM_NNODES\" --nproc-per-node=%lld \\\n"
                        "  --rdzv-backend=c10d --rdzv-id=\"$SLURM_JOB_ID\" "
                        "--rdzv-endpoint=\"$head:%d\" \\\n  ",
                        (long long)per_node, PORT);
    cszi_out_bytes(out, l->stack->command, n);
    if (mark != NULL)
        cszi_out_format(out, "%s%s", l->stack->syntax == CSZI_SYNTAX_WORDS ? "\"$@\"" : "\"$file\"",
                        mark + 2);
    put_arguments(l, out);
    cszi_out_char(out, '\n');
}

csz_status cszi_launch_write_batch(cszi_launch *l, const char *file, size_t length, cszi_out *out)
{
    int64_t per_node = l->cluster->accelerators_per_node, used = l->layout->used;
    if (per_node < 1)
        per_node = used < 8 ? used : 8;
    per_node = per_node < used ? per_node : used;
    if (used % per_node != 0)
        return cszi_fail(l->error, CSZ_ERR_CONFLICT, CSZ_CLUSTER_ACCELERATORS,
                         "accelerators: %lld are no whole nodes of %lld; a batch script asks for "
                         "whole nodes",
                         (long long)used, (long long)per_node);
    put_head(l, used / per_node, per_node, out);
    cszi_out_text(out, "set -euo pipefail\n");
    put_exports(l, out);
    cszi_out_text(out, "head=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | sed -n 1p)\n"
                       "export head\n");
    cszi_out_format(out, "file=$SLURM_SUBMIT_DIR/$SLURM_JOB_ID-%s\n", l->stack->file);
    cszi_out_text(out, "cat > \"$file\" <<'END'\n");
    cszi_out_bytes(out, file, length);
    cszi_out_text(out, "END\n");
    if (l->stack->syntax == CSZI_SYNTAX_WORDS) /* their quotes are the shell's */
        cszi_out_text(out, "eval \"set -- $(grep -v '^#' \"$file\" | tr '\\n' ' ')\"\n");
    put_command(l, per_node, out);
    return CSZ_OK;
}
