/* report.h: verdicts and their summaries as text or as JSON. */
#ifndef TESTS_ACCURACY_REPORT_H
#define TESTS_ACCURACY_REPORT_H

#include "summary.h"

void report_row(const verdict *v);
void report_text(const verdict *all, size_t count);
void report_json(const verdict *all, size_t count);

#endif
