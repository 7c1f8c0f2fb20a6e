/* main.c: the program clustersize: reads the words, runs the command, prints failures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"

static const struct {
    const char *name;
    int (*run)(asked *a);
} commands[] = {{"size", run_size},       {"fit", run_fit},
                {"plan", run_plan},       {"flops", run_flops},
                {"check", run_check},     {"cost", run_cost},
                {"curve", run_curve},     {"network", run_network},
                {"calibrate", run_calibrate},
                {"list", run_list}};

static void print_json_text(const char *s)
{
    putchar('"');
    for (; *s != '\0'; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20 || c > 0x7e)
            putchar('?'); /* bytes of a path need not be UTF-8 */
        else
            putchar(c);
    }
    putchar('"');
}

static void print_failure(const asked *a)
{
    const char *name = csz_field_name(a->field);
    fprintf(stderr, "clustersize: %s\n", a->message);
    if (!a->json)
        return;
    printf("{\"error\":{\"status\":\"%s\"", csz_status_name(a->status));
    if (a->field != CSZ_FIELD_NONE && name != NULL) {
        printf(",\"field\":");
        print_json_text(name);
    }
    printf(",\"message\":");
    print_json_text(a->message);
    printf("}}\n");
}

static int run(asked *a)
{
    size_t i = 0;
    if (a->command == NULL)
        return args_fail(
            a, CSZ_ERR_MISSING, CSZ_FIELD_NONE,
            "no command: one of size, fit, plan, flops, check, cost, curve, network, calibrate, "
            "list; or --help");
    while (i < sizeof commands / sizeof *commands && strcmp(a->command, commands[i].name) != 0)
        i++;
    if (i == sizeof commands / sizeof *commands)
        return args_fail(
            a, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE,
            "'%.40s' is none of size, fit, plan, flops, check, cost, curve, network, calibrate, "
            "list",
            a->command);
    if (args_apply(a) != 0)
        return BAD_INPUT;
    return commands[i].run(a);
}

int main(int count, char **words)
{
    static asked a; /* too large for a frame */
    int status = args_make(&a);
    if (status == 0)
        status = args_read(&a, count, words);
    if (status == 0 && (a.help || (a.command != NULL && strcmp(a.command, "help") == 0)))
        print_help();
    else if (status == 0 && a.version)
        printf("clustersize %s, facts of %s\n", csz_version_string(), csz_version_facts());
    else if (status == 0)
        status = run(&a);
    if (status == BAD_INPUT)
        print_failure(&a);
    args_free(&a);
    /* A full disk must not look like an answer. */
    if (fflush(stdout) != 0 || ferror(stdout))
        return BAD_INPUT;
    return status;
}
