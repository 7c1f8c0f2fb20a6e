/* fuzz_catalog.c: any text as an overlay of the catalog: what is refused changes nothing, what is
 * accepted is written and read back. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <clustersize/clustersize.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t write_all(const csz_catalog *catalog, char **text)
{
    size_t length = csz_catalog_to_json(catalog, NULL, 0);

    *text = malloc(length + 1);
    if (*text == NULL)
        exit(EXIT_SUCCESS);
    return csz_catalog_to_json(catalog, *text, length + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    csz_catalog *catalog = csz_catalog_new(NULL);
    csz_status status;
    char *before, *after;
    size_t n, m;

    if (catalog == NULL)
        return 0;
    n = write_all(catalog, &before);
    status = csz_catalog_load(catalog, (const char *)data, size);
    if ((status == CSZ_OK) != (csz_catalog_error(catalog, NULL)[0] == '\0'))
        abort();
    m = write_all(catalog, &after);
    if (status != CSZ_OK && (n != m || memcmp(before, after, n) != 0))
        abort();
    if (status == CSZ_OK && csz_catalog_load(catalog, after, m) != CSZ_OK)
        abort();
    free(before);
    free(after);
    csz_catalog_free(catalog);
    return 0;
}
