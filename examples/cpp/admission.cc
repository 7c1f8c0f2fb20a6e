// admission.cc: a loop that admits or refuses training jobs, as a scheduler would run it.
//
//     admission [REQUESTS]
//
// Handles are made once; a request is a few setters, one compute and a few getters, none of which
// allocates. Answers 100,000 requests and prints what came of them and how long one took.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <clustersize/clustersize.hpp>

namespace
{

struct request {
    std::size_t model; // which of the known workloads
    int accelerators;
    int tensor, pipeline, micro_batch;
    csz_sharding sharding;
};

// The sentence that a user is told, "" when the job is admitted, and the time limit to write.
struct answer {
    const char *refusal;
    double seconds;
};

class admission
{
  public:
    admission() : cluster_("accelerator=h100-sxm-80gb"), plan_("stack=megatron recompute=selective")
    {
        for (const char *model : {"llama-3-8b", "llama-3-70b", "llama-3.1-405b", "mixtral-8x7b"})
            workloads_.emplace_back("global_batch=512 tokens=100B model=" + std::string(model));
        estimate_.reserve(16);
    }
    std::size_t models() const
    {
        return workloads_.size();
    }
    answer judge(const request &job)
    {
        cluster_.set(CSZ_CLUSTER_ACCELERATORS, job.accelerators);
        plan_.set(CSZ_PLAN_TENSOR_PARALLEL, job.tensor)
            .set(CSZ_PLAN_PIPELINE_PARALLEL, job.pipeline)
            .set(CSZ_PLAN_MICRO_BATCH, job.micro_batch)
            .set(CSZ_PLAN_SHARDING, job.sharding);
        // The C call: in a hot loop a plan that cannot be is an answer and no exception.
        csz_status status = csz_estimate_compute(estimate_.raw(), workloads_[job.model].raw(),
                                                 cluster_.raw(), plan_.raw(), CSZ_DEPTH_RUN);
        if (status == CSZ_ERR_CONFLICT)
            return {csz_reason_text(estimate_.reason()), 0};
        if (status != CSZ_OK)
            throw csz::error(status, CSZ_FIELD_NONE, csz_estimate_error(estimate_.raw(), nullptr));
        if (estimate_.get<csz_fit>(CSZ_ESTIMATE_MEMORY_FIT) == CSZ_FIT_NO)
            return {csz_reason_text(CSZ_REASON_MEMORY), 0};
        return {"", estimate_.range(CSZ_ESTIMATE_RUN_TIME).high};
    }

  private:
    std::vector<csz::workload> workloads_;
    csz::cluster cluster_;
    csz::plan plan_;
    csz::estimate estimate_;
};

// The same requests on every machine: a multiplicative congruential generator (Park and Miller
// 1988).
request draw(unsigned &state, std::size_t models)
{
    auto power = [&](unsigned most) {
        state = static_cast<unsigned>(state * 48271ull % 2147483647u);
        return 1 << state % (most + 1);
    };
    request job = {static_cast<std::size_t>(power(20)) % models,
                   8 * power(7),
                   power(3),
                   power(4),
                   power(2),
                   power(1) == 2 ? CSZ_SHARDING_OPTIMIZER : CSZ_SHARDING_NONE};
    return job;
}

} // namespace

int main(int argc, char **argv)
try {
    const std::size_t requests = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100000;
    typedef std::chrono::steady_clock clock;
    std::vector<double> micros(requests);
    std::map<std::string, std::size_t> outcomes;
    admission desk;
    unsigned state = 1;

    for (double &taken : micros) {
        request job = draw(state, desk.models());
        clock::time_point start = clock::now();
        answer said = desk.judge(job);
        taken = std::chrono::duration<double, std::micro>(clock::now() - start).count();
        ++outcomes[*said.refusal != '\0' ? said.refusal : "admitted"];
    }
    std::sort(micros.begin(), micros.end());
    for (const auto &outcome : outcomes)
        std::printf("%8zu %s\n", outcome.second, outcome.first.c_str());
    for (std::size_t permille : {500u, 900u, 990u, 999u, 1000u})
        if (requests > 0)
            std::printf("%7g%% within %.1f us\n", static_cast<double>(permille) / 10,
                        micros[permille * (requests - 1) / 1000]);
} catch (const csz::error &error) {
    std::fprintf(stderr, "admission: %s: %s\n", error.field_name(), error.what());
    return 1;
}
