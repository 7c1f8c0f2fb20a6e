/* fuzz_megatron.c: any text as Megatron-LM arguments, for a workload and a plan. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "plan/megatron_plan.h"
#include "workload/megatron.h"
#include "workload/parameters.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void load_workload(const char *text, size_t size)
{
    static cszi_workload workload;
    static cszi_parameters parameters;
    cszi_error error;
    csz_status status;
    cszi_error_clear(&error);
    cszi_fields_init(&cszi_workload_table, &workload, sizeof workload);
    status = cszi_workload_load_megatron(&workload, text, size, &error);
    if (status != CSZ_OK && (status != error.status || error.text[0] == '\0'))
        abort(); /* every failure is told */
    if (status == CSZ_OK && cszi_workload_check(&workload, &error) == CSZ_OK &&
        cszi_workload_parameters(&workload, &parameters, &error) == CSZ_OK &&
        (parameters.total <= 0 || parameters.active > parameters.total))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cszi_plan plan;
    cszi_error error;
    csz_status status;
    load_workload((const char *)data, size);
    cszi_error_clear(&error);
    cszi_fields_init(&cszi_plan_table, &plan, sizeof plan);
    status = cszi_plan_load_megatron(&plan, (const char *)data, size, &error);
    if (status != CSZ_OK && (status != error.status || error.text[0] == '\0'))
        abort();
    if (status == CSZ_OK && !cszi_plan_has(&plan, CSZ_PLAN_STACK))
        abort();
    return 0;
}
