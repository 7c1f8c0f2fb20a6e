"""A million questions, model x accelerator x count x plan, over Dask: each partition is answered by clustersize.answer_rows, the
function that clustersize.sweep() maps over a pool on one machine.

    dask_sweep.py [QUESTIONS [WORKERS]]
"""
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


def questions(count):
    """The axes, cut to count questions."""
    catalog = clustersize.Catalog()
    models = [name for name in catalog.models.ids() if name.startswith(('llama', 'qwen', 'mistral', 'gemma'))]
    accelerators = [entry.id for entry in catalog.accelerators if entry.peak_bf16 and entry.memory_bandwidth]
    axes = dict(model=models, accelerator=accelerators, tensor_parallel=[1, 2, 4, 8], sharding=['optimizer', 'parameters'],
                micro_batch=[1, 2], global_batch=[512, 2048], accelerators=[2 ** i for i in range(3, 11)])
    size = 1
    for axis in axes.values():
        size *= len(axis)
    axes['sequence_length'] = [2048 * (i + 1) for i in range(-(-count // size))]
    return axes, min(count, size * len(axes['sequence_length']))


def part(axes, begin, end):
    """Answers the questions of a partition: what travels to a worker is the axes and two numbers."""
    import itertools
    rows = clustersize.answer_rows(itertools.islice(clustersize.grid(**axes), begin, end), 'step', FIGURES)
    fitting = [row for row in rows if row.get('memory.fit') == 'yes']
    return len(rows), len(fitting), sum('error' in row for row in rows)


def main(count=1000000, workers=None):
    axes, count = questions(count)
    chunk = max(1000, count // 200)
    parts = [(begin, min(begin + chunk, count)) for begin in range(0, count, chunk)]
    start = time.perf_counter()
    with dask.config.set(scheduler='processes', num_workers=workers):
        found = dask.bag.from_sequence(parts, partition_size=1).map(lambda span: part(axes, *span)).compute()
    seconds = time.perf_counter() - start
    answered, fitting, refused = (sum(column) for column in zip(*found))
    print('%d questions, %d fit, %d cannot be' % (answered, fitting, refused))
    print('%.1f s, %.0f questions a second' % (seconds, answered / seconds))
    return answered


if __name__ == '__main__':
    main(*(int(argument) for argument in sys.argv[1:3]))
