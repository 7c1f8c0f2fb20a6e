// program.cc: the same from C++.
#include <cstdio>
#include <memory>

#include <clustersize/clustersize.h>

int main()
{
    std::unique_ptr<csz_plan, void (*)(csz_plan *)> plan(csz_plan_new(nullptr), csz_plan_free);
    int64_t value = 0;
    const bool good = csz_plan_set(plan.get(), "tp=8") == CSZ_OK &&
                      csz_plan_get_i64(plan.get(), CSZ_PLAN_TENSOR_PARALLEL, &value) == CSZ_OK &&
                      value == 8;

    std::printf("%s %s\n", good ? "good" : "bad", csz_version_string());
    return good ? 0 : 1;
}
