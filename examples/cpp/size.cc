#include <clustersize/clustersize.hpp>
#include <iostream>

int main()
try {
    csz::workload workload("model=llama-3-70b tokens=1T");
    csz::cluster cluster("accelerator=h100-sxm-80gb");
    csz::ranking ranking;

    for (const csz::entry &entry : ranking.size(workload, cluster, csz::goal("deadline=14d"))) {
        csz::range seconds = entry.estimate.range(CSZ_ESTIMATE_RUN_TIME);
        std::cout << entry.estimate.get<double>(CSZ_ESTIMATE_BATCH_ACCELERATORS)
                  << " accelerators, " << seconds.low / 86400 << " to " << seconds.high / 86400
                  << " days, $" << entry.estimate.get<double>(CSZ_ESTIMATE_RUN_COST) << ", tp "
                  << entry.plan.get<std::int64_t>(CSZ_PLAN_TENSOR_PARALLEL) << ", pp "
                  << entry.plan.get<std::int64_t>(CSZ_PLAN_PIPELINE_PARALLEL) << '\n';
    }
} catch (const csz::error &error) {
    std::cerr << error.field_name() << ": " << error.what() << '\n';
    return 1;
}
