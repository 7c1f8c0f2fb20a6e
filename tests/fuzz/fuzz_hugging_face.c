/* fuzz_hugging_face.c: any text as a config.json; what is accepted and consistent can be counted. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "workload/hugging_face.h"
#include "workload/parameters.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static cszi_workload workload;
    static cszi_parameters parameters;
    cszi_error error;
    csz_status status;
    cszi_error_clear(&error);
    cszi_fields_init(&cszi_workload_table, &workload, sizeof workload);
    status = cszi_workload_load_hugging_face(&workload, (const char *)data, size, &error);
    if (status != CSZ_OK && (status != error.status || error.text[0] == '\0'))
        abort(); /* every failure is told */
    if (status == CSZ_OK && cszi_workload_check(&workload, &error) == CSZ_OK &&
        cszi_workload_parameters(&workload, &parameters, &error) == CSZ_OK &&
        (parameters.total <= 0 || parameters.active > parameters.total))
        abort();
    return 0;
}
