/* stages.c: which layers a stage of a settled layout holds. */
#include "plan/chunks.h"
#include "plan/settle.h"

/* First layer and layers of chunk j of n = p x v. Uneven counts give the end chunks less, since
 * they hold embedding and output layer besides: the extra layers go to the chunks 1, 2, ... n - 2
 * first, then to chunk 0. */
static void balanced_chunk(int64_t layers, int64_t n, int64_t j, int64_t *first, int64_t *count)
{
    int64_t base = layers / n, extra = layers % n;
    int64_t head = n > 1 && extra > n - 2; /* chunk 0 takes one too */
    int64_t middle = extra - head;         /* chunks 1 .. middle take one */
    int64_t before = j == 0 ? 0 : head + (j - 1 < middle ? j - 1 : middle);
    *first = j * base + before;
    *count = base + (j == 0 ? head : j <= middle);
}

static void explicit_chunk(const cszi_layout *at, int64_t layers, int64_t j, int64_t *first,
                           int64_t *count)
{
    int64_t others = at->p - (at->first != 0) - (at->last != 0);
    int64_t rest = others != 0 ? (layers - at->first - at->last) / (others * at->v) : 0;
    int64_t head = at->first != 0 ? at->first / at->v : rest,
            tail = at->last != 0 ? at->last / at->v : rest;
    int64_t loop = j / at->p, stage = j % at->p, a_loop = head + tail + (at->p - 2) * rest;
    *first = loop * a_loop + (stage == 0 ? 0 : head + (stage - 1) * rest);
    *count = stage == 0 ? head : stage == at->p - 1 ? tail : rest;
}

static void counted_chunk(const cszi_layout *at, int64_t layers, int64_t j, int64_t *first,
                          int64_t *count)
{
    int64_t n = at->p * at->v, each = (layers + at->head_counts + at->tail_counts) / n;
    *first = j == 0 ? 0 : j * each - at->head_counts;
    *count = each - (j == 0 ? at->head_counts : 0) - (j == n - 1 ? at->tail_counts : 0);
}

static void find_chunk(const cszi_layout *at, int64_t layers, int64_t j, int64_t *first,
                       int64_t *count)
{
    cszi_chunk chunk;
    if (at->chunks[0] != '\0') {
        (void)cszi_chunk_read(at->chunks, j, &chunk, NULL);
        *first = chunk.before;
        *count = chunk.layers;
    } else if (at->first != 0 || at->last != 0) {
        explicit_chunk(at, layers, j, first, count);
    } else if (at->head_counts || at->tail_counts) {
        counted_chunk(at, layers, j, first, count);
    } else {
        balanced_chunk(layers, at->p * at->v, j, first, count);
    }
}

static void add_layers(const cszi_workload *w, int64_t first, int64_t count,
                       int64_t counts[CSZI_KINDS])
{
    int64_t begin = 0;
    for (int64_t i = 0; i < w->runs_count && begin < first + count; i++) {
        int64_t end = begin + w->runs[i].layers;
        int64_t low = begin > first ? begin : first,
                high = end < first + count ? end : first + count;
        if (high > low)
            counts[w->runs[i].layer_kind] += high - low;
        begin = end;
    }
}

/* Which chunk of the model a stage holds as its own i-th: loops; the way back of a V; the mirrored
 * stage of the other direction. */
static int64_t chunk_at(const cszi_layout *at, int64_t stage, int64_t i)
{
    if (i > 0 && at->schedule == CSZ_SCHEDULE_ZB_V)
        return 2 * at->p - 1 - stage;
    if (i > 0 && at->copies > 1)
        return at->p - 1 - stage;
    return i * at->p + stage;
}

void cszi_stage_layers(const cszi_workload *workload, const cszi_layout *layout, int64_t layers,
                       int64_t stage, int64_t counts[CSZI_KINDS])
{
    for (int i = 0; i < CSZI_KINDS; i++)
        counts[i] = 0;
    for (int64_t chunk = 0; chunk < layout->v * layout->copies; chunk++) {
        int64_t j = chunk_at(layout, stage, chunk), first, count;
        find_chunk(layout, layers, j, &first, &count);
        add_layers(workload, first, count, counts);
    }
}

int64_t cszi_stage_predictions(const cszi_workload *workload, const cszi_layout *layout,
                               int64_t stage)
{
    int64_t count = 0;
    if (workload->prediction_layers == 0 || layout->chunks[0] == '\0')
        return cszi_stage_is_last(layout, stage) ? workload->prediction_layers : 0;
    for (int64_t i = 0; i < layout->v * layout->copies; i++) {
        cszi_chunk chunk;
        (void)cszi_chunk_read(layout->chunks, chunk_at(layout, stage, i), &chunk, NULL);
        count += chunk.prediction;
    }
    return count;
}
