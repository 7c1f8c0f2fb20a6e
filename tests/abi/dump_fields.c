/* dump_fields.c: prints every row of the field tables, one line each, columns by tabs:
 * id, name, type, unit, list, alias, lower, upper, default, choices. */
#include <stdio.h>

#include <clustersize/clustersize.h>

static void print_number(csz_status status, double value)
{
    if (status == CSZ_OK)
        printf("\t%.17g", value);
    else
        printf("\t-");
}

static void print_choices(csz_field field)
{
    const char *lead = "\t";

    for (int64_t value = 0; value < 64; value++) {
        if (csz_field_choice(field, value) == NULL)
            continue;
        printf("%s%s=%d", lead, csz_field_choice(field, value), (int)value);
        lead = ",";
    }
    printf("%s\n", lead[0] == '\t' ? "\t-" : "");
}

int main(void)
{
    for (size_t i = 0; i < csz_field_count(); i++) {
        csz_field field = csz_field_at(i);
        const char *list = csz_field_list(field), *alias = csz_field_alias(field);
        double lower = 0, upper = 0, initial = 0;
        csz_status status = csz_field_bounds(field, &lower, &upper);

        printf("%d\t%s\t%d\t%d\t%s\t%s", (int)field, csz_field_name(field),
               (int)csz_field_type(field), (int)csz_field_unit(field), list[0] != '\0' ? list : "-",
               alias[0] != '\0' ? alias : "-");
        print_number(status, lower);
        print_number(status, upper);
        print_number(csz_field_default(field, &initial), initial);
        print_choices(field);
    }
    return ferror(stdout) || fflush(stdout) != 0;
}
