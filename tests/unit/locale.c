/* locale.c: linked into every unit test: the locale of the environment is adopted before main, so
 * that the tests run under any. With CSZ_REQUIRE_COMMA set it must be one whose decimal point is a
 * comma, else the program fails. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

static void adopt_locale(void) __attribute__((constructor));

static void adopt_locale(void)
{
    const char *adopted = setlocale(LC_ALL, "");

    if (getenv("CSZ_REQUIRE_COMMA") != NULL &&
        (adopted == NULL || localeconv()->decimal_point[0] != ',')) {
        fprintf(stderr, "the locale has no decimal comma\n");
        exit(EXIT_FAILURE);
    }
}
