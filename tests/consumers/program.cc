// program.cc: the same from C++.
#include <iostream>

#include <clustersize/clustersize.hpp>

int main()
try {
    csz::estimate estimate(csz::workload("model=llama-3-8b tokens=1T"),
                           csz::cluster("accelerator=h100-sxm-80gb accelerators=64"),
                           csz::plan("tp=2 zero=optimizer"));
    const double seconds = estimate.get<double>(CSZ_ESTIMATE_RUN_TIME);
    const bool good = csz::version() == CSZ_VERSION_STRING && seconds > 0;

    std::cout << (good ? "good " : "bad ") << csz::version() << ": " << seconds << " s\n";
    return good ? 0 : 1;
} catch (const csz::error &error) {
    std::cout << "bad: " << error.what() << '\n';
    return 1;
}
