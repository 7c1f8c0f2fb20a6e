/* script.h: the arguments in a shell script that starts a launch. */
#ifndef CSZI_LAUNCH_SCRIPT_H
#define CSZI_LAUNCH_SCRIPT_H

#include "base/error.h"

/* Whether a text is a script: it begins with #! or has an array, NAME=( ... ). */
int cszi_script_is(const char *text, size_t length);

/* Writes the text with blanks in place of all that is no argument, so that what is left stands at
 * its line and column; out holds length bytes. Arguments stand in arrays, in quoted texts that are
 * assigned and begin with an option, behind a word that ends in .py, and in here-documents. A
 * variable stays where it is the value of an option that `knows` knows, which words.h then refuses;
 * other variables go. CSZ_ERR_SYNTAX with line and column for arguments under a condition or in a
 * loop, since the text does not say which are taken. */
csz_status cszi_script_mask(const char *text, size_t length, int (*knows)(const char *option),
                            char *out, cszi_error *error);

#endif
