#include <clustersize/clustersize.h>
#include <stdio.h>

int main(void)
{
    csz_workload *w = csz_workload_new(NULL);
    csz_cluster *c = csz_cluster_new(NULL);
    csz_goal *g = csz_goal_new(NULL);
    csz_ranking *r = csz_ranking_new(NULL);
    double n = 0, s = 0, usd = 0;
    char plan[512];
    if (csz_workload_set(w, NULL, "model=llama-3-70b tokens=1T") ||
        csz_cluster_set(c, NULL, "accelerator=h100-sxm-80gb") || csz_goal_set(g, "deadline=14d") ||
        csz_ranking_size(r, w, c, g) || csz_ranking_get_f64(r, CSZ_RANKING_ACCELERATORS, &n))
        return 1; /* csz_<object>_error says why */
    csz_estimate_get_f64(csz_ranking_estimate_at(r, 0), CSZ_ESTIMATE_RUN_TIME, &s);
    csz_estimate_get_f64(csz_ranking_estimate_at(r, 0), CSZ_ESTIMATE_RUN_COST, &usd);
    csz_plan_to_json(csz_ranking_plan_at(r, 0), plan, sizeof plan);
    return printf("%.0f accelerators, %.1f days, $%.0f, plan %s\n", n, s / 86400, usd, plan) < 0;
}
