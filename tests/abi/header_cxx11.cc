// header_cxx11.cc: the header compiles as C++11, alone and twice, with C linkage.
#include <clustersize/clustersize.h>
#include <clustersize/clustersize.h>

extern "C" const char *csz_version_string(void); // the same declaration again is no conflict

static_assert(sizeof(csz_field) == 4, "enumerations are 32 bits wide");

int main()
{
    csz_estimate *estimate = csz_estimate_new(nullptr);
    double value = 0;
    csz_status status = csz_estimate_get_f64(estimate, CSZ_ESTIMATE_STEP_TIME, &value);

    csz_estimate_free(estimate);
    return status == CSZ_ERR_UNSET ? 0 : 1;
}
