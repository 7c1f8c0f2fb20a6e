"""A million questions, model x accelerator x count x plan, over Dask: each partition is answered by clustersize.answer_rows, the
function that clustersize.sweep() maps over a pool on one machine.

    dask_sweep.py [QUESTIONS [WORKERS]]
"""
import itertools
import sys
import time

try:
    import dask
    import dask.bag
except ImportError:
    print('no dask: this example needs it, clustersize itself does not')
    sys.exit(77)

import clustersize

FIGURES = ('memory.fit', 'memory.total', 'step.time')


def axes(count):
    """Pairs of model and accelerator, and the axes that each of them goes through: count questions, rounded up to whole pairs."""
    catalog = clustersize.Catalog()
    models = [name for name in catalog.models.ids() if name.startswith(('llama', 'qwen', 'mistral', 'gemma'))]
    accelerators = [entry.id for entry in catalog.accelerators if entry.peak_bf16 and entry.memory_bandwidth]
    pairs = list(itertools.product(models, accelerators))
    rest = dict(tensor_parallel=[1, 2, 4, 8], sharding=['optimizer', 'parameters'], micro_batch=[1, 2], global_batch=[512, 2048],
                accelerators=[2 ** i for i in range(3, 11)])
    each = 256  # the product of the lengths above
    rest['sequence_length'] = [2048 * (i + 1) for i in range(-(-count // (each * len(pairs))))]
    each *= len(rest['sequence_length'])
    return pairs[:-(-count // each)], rest


def answer(pairs, rest):
    """Answers the questions of a partition on the worker and hands back three numbers."""
    questions = (question for model, accelerator in pairs
                 for question in clustersize.grid(model=model, accelerator=accelerator, **rest))
    rows = clustersize.answer_rows(questions, 'step', FIGURES)
    return [(len(rows), sum(row.get('memory.fit') == 'yes' for row in rows), sum('error' in row for row in rows))]


def main(count=1000000, workers=None):
    pairs, rest = axes(count)
    start = time.perf_counter()
    with dask.config.set(scheduler='processes', num_workers=workers):
        found = dask.bag.from_sequence(pairs, npartitions=min(200, len(pairs))).map_partitions(answer, rest).compute()
    seconds = time.perf_counter() - start
    answered, fitting, refused = (sum(column) for column in zip(*found))
    print('%d questions, %d fit, %d cannot be' % (answered, fitting, refused))
    print('%.1f s, %.0f questions a second' % (seconds, answered / seconds))


if __name__ == '__main__':
    main(*(int(argument) for argument in sys.argv[1:3]))
