/* judge.h: a program that holds predictions against files of published runs.
 *
 *     judge-... [--json] [--summary] [--check FILE] [--record FILE] ROWS...
 *
 * A line for each row, then the summary. --summary leaves the lines out, --json prints the summary
 * as one object. --check fails when a figure is worse than in FILE, which --record writes. */
#ifndef TESTS_ACCURACY_JUDGE_H
#define TESTS_ACCURACY_JUDGE_H

#include "recorded.h"
#include "summary.h"

typedef struct judge {
    const char *name;
    void (*make)(verdict *v, row r);
    void (*print)(const verdict *v);
    /* Each ends with one that has no name; the first class is that of the headline. */
    const grouping *groupings;
    const category *classes;
    /* Lines of a table of groups. */
    void (*head)(const char *what);
    void (*line)(const char *name, const summary *s);
    void (*foot)(const summary *all);
    /* Names and values of a JSON object, without braces; errors: the group whose errors count. */
    void (*json)(const summary *s, const summary *errors);
    /* What is recorded beside the figures of each class. */
    void (*record)(const summary *all, const summary *headline, visit call, void *user);
    /* --ranking: what takes the place of the summary; NULL: there is no such option. */
    void (*ranking)(const verdict *all, size_t count, int json);
} judge;

int judge_main(const judge *j, int argc, char **argv);

void report_text(const judge *j, const verdict *all, size_t count);
void report_json(const judge *j, const verdict *all, size_t count);
/* ,"name":value; null when there is none. */
void report_figure(const char *name, double value, int known);

#endif
