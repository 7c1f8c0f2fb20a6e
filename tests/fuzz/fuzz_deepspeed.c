/* fuzz_deepspeed.c: any text as a DeepSpeed configuration, for a workload and a plan; and as a
 * Mistral params.json, the other small JSON reader. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "plan/deepspeed_plan.h"
#include "workload/deepspeed.h"
#include "workload/mistral.h"
#include "workload/parameters.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every failure is told. */
static void check_told(csz_status status, const cszi_error *error)
{
    if (status != CSZ_OK && (status != error->status || error->text[0] == '\0'))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static cszi_workload workload;
    static cszi_parameters parameters;
    const char *text = (const char *)data;
    cszi_plan plan;
    cszi_error error;
    csz_status status;
    cszi_error_clear(&error);
    cszi_fields_init(&cszi_workload_table, &workload, sizeof workload);
    check_told(cszi_workload_load_deepspeed(&workload, text, size, &error), &error);
    cszi_error_clear(&error);
    cszi_fields_init(&cszi_plan_table, &plan, sizeof plan);
    check_told(cszi_plan_load_deepspeed(&plan, text, size, &error), &error);
    cszi_error_clear(&error);
    status = cszi_workload_load_mistral(&workload, text, size, &error);
    check_told(status, &error);
    if (status == CSZ_OK && cszi_workload_check(&workload, &error) == CSZ_OK &&
        cszi_workload_parameters(&workload, &parameters, &error) == CSZ_OK &&
        (parameters.total <= 0 || parameters.active > parameters.total))
        abort();
    return 0;
}
