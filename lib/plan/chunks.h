/* chunks.h: a pipeline's chunks as Megatron-LM writes them: "Et*3|(tt|)*29m|L". */
#ifndef CSZI_PLAN_CHUNKS_H
#define CSZI_PLAN_CHUNKS_H

#include "base/error.h"

/* Of one chunk, or of all of them. */
typedef struct cszi_chunk {
    int64_t before; /* layers of the chunks before it */
    int64_t embedding, layers, prediction, loss;
    int64_t chunks; /* of the whole text */
} cszi_chunk;

/* The chunk of an index, or all of them together (-1). Errors: CSZ_ERR_SYNTAX, also for letters
 * that do not stand in the order E, t, m, L; CSZ_ERR_LIMIT beyond 4,096 letters. */
csz_status cszi_chunk_read(const char *text, int64_t index, cszi_chunk *chunk, cszi_error *error);

#endif
