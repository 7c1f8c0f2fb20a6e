/* program.c: what a user of the installed library writes. */
#include <stdio.h>
#include <string.h>

#include <clustersize/clustersize.h>

int main(void)
{
    csz_workload *workload = csz_workload_new(NULL);
    csz_cluster *cluster = csz_cluster_new(NULL);
    csz_plan *plan = csz_plan_new(NULL);
    csz_estimate *estimate = csz_estimate_new(NULL);
    double seconds = 0;
    int good =
        strcmp(csz_version_string(), CSZ_VERSION_STRING) == 0 &&
        csz_workload_set(workload, NULL, "model=llama-3-8b tokens=1T") == CSZ_OK &&
        csz_cluster_set(cluster, NULL, "accelerator=h100-sxm-80gb accelerators=64") == CSZ_OK &&
        csz_plan_set(plan, "tp=2 zero=optimizer") == CSZ_OK &&
        csz_estimate_compute(estimate, workload, cluster, plan, CSZ_DEPTH_RUN) == CSZ_OK &&
        csz_estimate_get_f64(estimate, CSZ_ESTIMATE_RUN_TIME, &seconds) == CSZ_OK && seconds > 0;

    printf("%s %s: %s%.0f s\n", good ? "good" : "bad", csz_version_string(),
           csz_estimate_error(estimate, NULL), seconds);
    csz_estimate_free(estimate);
    csz_plan_free(plan);
    csz_cluster_free(cluster);
    csz_workload_free(workload);
    return good ? 0 : 1;
}
