/* fit.c: fits the time constants of lib/facts/fitted.h to published runs.
 *
 *     fit [--turns N] [--hold NAME]... [--only PREFIX]... [--leave source|framework] [--terms]
 *         [--write FILE] [--evidence FILE] ROWS...
 *
 * Prints the constants with their priors and what they moved, and the errors. --leave fits again
 * without each source or framework in turn and prints the errors of what was left out. --terms
 * prints the parts of every predicted step beside its ratio to the measured one. --write
 * and --evidence write the two tables; the library is then built again. */
#include "fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    int turns, terms;
    const char *leave, *write, *evidence;
} options;

static void hold(const char *prefix, int but)
{
    for (size_t k = 0; k < constants_count; k++)
        if ((strncmp(constants[k].name, prefix, strlen(prefix)) == 0) != but)
            constants[k].held = 1;
}

static int read_options(options *o, int argc, char **argv)
{
    int files = 0;

    for (int i = 1; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--terms") == 0)
            o->terms = 1;
        else if (strncmp(argv[i], "--", 2) != 0)
            argv[files++] = argv[i];
        else if (next == NULL)
            return -1;
        else {
            if (strcmp(argv[i], "--turns") == 0)
                o->turns = atoi(next);
            else if (strcmp(argv[i], "--hold") == 0)
                hold(next, 0);
            else if (strcmp(argv[i], "--only") == 0)
                hold(next, 1);
            else if (strcmp(argv[i], "--leave") == 0)
                o->leave = next;
            else if (strcmp(argv[i], "--write") == 0)
                o->write = next;
            else if (strcmp(argv[i], "--evidence") == 0)
                o->evidence = next;
            else
                return -1;
            i++;
        }
    }
    return files;
}

static void print_constants(void)
{
    for (size_t k = 0; k < constants_count; k++) {
        const constant *c = &constants[k];
        printf("%-28s %10.4g prior %10.4g moved %6.2f sd, known to %3.0f%%%s\n", c->name, c->value,
               c->prior, c->wide > 0 ? log(c->value / c->prior) / c->wide : 0, 100 * c->error,
               c->held ? " held" : "");
    }
}

static void print_classes(const runs *all)
{
    printf("%-26s %5s %5s %7s %7s %7s %7s\n", "", "rows", "conf", "median", "p90", "bias",
           "in 80%");
    for (size_t i = 0; time_classes[i].name != NULL; i++) {
        summary s;
        group g = {&time_classes[i], NULL, NULL};
        if (summary_make(&s, all->verdicts, all->count, g))
            printf("%-26s %5zu %5zu %7.3f %7.3f %+7.3f %6.0f%%\n", time_classes[i].name, s.judged,
                   s.setups, s.median, s.p90, s.bias, 100 * s.in_band);
    }
}

/* Seconds by part, ratio of predicted to measured, and the run. */
static void print_terms(const runs *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const question *q = &all->questions[i];
        double value;
        if (csz_estimate_compute(all->estimate, q->workload, q->cluster, q->plan, CSZ_DEPTH_STEP) !=
            CSZ_OK)
            continue;
        printf("%s %.3f %.4g", all->verdicts[i].id,
               all->verdicts[i].likely / all->verdicts[i].measured, all->verdicts[i].measured);
        for (csz_field f = CSZ_ESTIMATE_STEP_MATRICES; f <= CSZ_ESTIMATE_STEP_OFFLOAD; f++)
            if (csz_estimate_get_f64(all->estimate, f, &value) == CSZ_OK && value > 0)
                printf(" %s=%.3g", csz_field_name(f), value);
        printf("\n");
    }
}

static const char *part_of(const verdict *v, const char *leave)
{
    return strcmp(leave, "source") == 0 ? v->source : v->framework;
}

/* Predictions of each part by constants fitted without it. */
static void leave_out(runs *all, const char *leave, unsigned char *use, double *residuals)
{
    double *start = malloc(constants_count * sizeof *start);
    verdict *kept = malloc((all->count + 1) * sizeof *kept); /* predictions of what was left out */
    unsigned char *done = calloc(all->count + 1, 1), *rest = malloc(all->count + 1);

    for (size_t k = 0; k < constants_count && start != NULL; k++)
        start[k] = constants[k].value;
    for (size_t i = 0;
         i < all->count && done != NULL && rest != NULL && start != NULL && kept != NULL; i++) {
        const char *part = part_of(&all->verdicts[i], leave);
        if (done[i])
            continue;
        for (size_t j = 0; j < all->count; j++) {
            int out = strcmp(part_of(&all->verdicts[j], leave), part) == 0;
            rest[j] = (unsigned char)(!out && use[j]);
            use[j] = (unsigned char)!out;
        }
        for (size_t k = 0; k < constants_count; k++) /* nothing of what is left out comes along */
            constant_set(&constants[k], constants[k].prior);
        (void)fit_solve(all, rest, 12, 0);
        for (size_t j = 0; j < all->count; j++) {
            rest[j] = (unsigned char)!use[j];
            done[j] |= rest[j];
            use[j] = 1;
        }
        runs_residuals(all, rest, residuals);
        for (size_t j = 0; j < all->count; j++)
            if (rest[j])
                kept[j] = all->verdicts[j];
        fprintf(stderr, "without %s\n", part);
    }
    for (size_t k = 0; k < constants_count && start != NULL; k++)
        constant_set(&constants[k], start[k]);
    if (kept != NULL)
        memcpy(all->verdicts, kept, all->count * sizeof *kept);
    free(kept);
    free(start);
    free(done);
    free(rest);
}

static void print_groups(const runs *all, const char *leave)
{
    for (size_t i = 0; i < all->count; i++) {
        const char *part = part_of(&all->verdicts[i], leave);
        summary s;
        static verdict list[4096];
        size_t n = 0, first = 0;
        while (first < i && strcmp(part_of(&all->verdicts[first], leave), part) != 0)
            first++;
        if (first < i)
            continue;
        for (size_t j = i; j < all->count && n < 4096; j++)
            if (strcmp(part_of(&all->verdicts[j], leave), part) == 0 && all->verdicts[j].full)
                list[n++] = all->verdicts[j];
        if (n > 0 && summary_make(&s, list, n, (group){NULL, NULL, NULL}))
            printf("  %-40s %5zu %5zu %7.3f %7.3f %+7.3f\n", part, s.judged, s.setups, s.median,
                   s.p90, s.bias);
    }
}

int main(int argc, char **argv)
{
    options o = {12, 0, NULL, NULL, NULL};
    runs all = {NULL, NULL, NULL, 0, 0, NULL};
    int files = read_options(&o, argc, argv), ok = files > 0;
    unsigned char *use;
    double *residuals;

    if (!ok) {
        fprintf(stderr, "usage: fit [--turns N] [--hold NAME] [--only PREFIX] [--leave source|"
                        "framework] [--terms] [--write FILE] [--evidence FILE] ROWS...\n");
        return EXIT_FAILURE;
    }
    ok = constants_bind();
    for (int i = 0; i < files && ok; i++)
        ok = runs_add(&all, argv[i]);
    ok = ok && runs_weigh(&all);
    use = malloc(all.count + 1);
    residuals = malloc((all.count + 1) * sizeof *residuals);
    if (ok && use != NULL && residuals != NULL) {
        memset(use, 1, all.count + 1);
        if (o.turns > 0)
            (void)fit_solve(&all, use, o.turns, 1);
        runs_residuals(&all, use, residuals);
        if (o.terms)
            print_terms(&all);
        print_constants();
        print_classes(&all);
        print_groups(&all, "source");
        print_groups(&all, "framework");
        if (o.write != NULL)
            ok = constants_write(o.write);
        if (o.evidence != NULL)
            ok &= evidence_write(&all, o.evidence);
        if (o.leave != NULL) {
            leave_out(&all, o.leave, use, residuals);
            printf("\nleft out, by %s\n", o.leave);
            print_classes(&all);
            print_groups(&all, o.leave);
        }
    }
    free(use);
    free(residuals);
    runs_free(&all);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
