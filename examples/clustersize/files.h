/* files.h: whole files as text. */
#ifndef FILES_H
#define FILES_H

#include "args.h"

/* Whether a value of a field means a file, not an id or a choice: a path, a .json, or a file that
   is there. "owner/name" of a model is an id unless such a file is there. */
int file_is_named(csz_field field, const char *value);
/* Whether a model's JSON is a Mistral params.json: it has the keys "dim" and "n_layers". */
int file_is_mistral(const char *text, size_t length);
/* The text of a file of at most 16 MiB, to be freed; NULL with a message left in a. */
char *file_read(asked *a, const char *what, const char *path, size_t *length);

#endif
