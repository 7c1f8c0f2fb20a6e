"""Many questions: grid() makes them, sweep() answers them over concurrent.futures, answer_rows() is what any engine can map."""
import collections
import concurrent.futures
import itertools
import os

from . import _errors, _fields
from ._estimate import DEPTHS, Estimate, figures_reader
from ._inputs import Cluster, Goal, Plan, Workload
from ._ranking import Ranking
from ._attributes import word

INPUTS = (('workload', Workload), ('cluster', Cluster), ('plan', Plan), ('goal', Goal))
#: Figures of a row when none are named.
FIGURES = ('memory.total', 'memory.fit', 'step.time', 'step.mfu', 'run.time', 'run.cost')
_ASKS = tuple(DEPTHS) + ('plan', 'size')
_KEPT = 64  # inputs of each kind that are kept


def grid(**axes):
    """Questions from the product of axes: grid(model=["llama-3-8b"], accelerator=["h100-sxm-80gb"], accelerators=[8, 16]).
    A value that is no list, tuple or range stands for itself in every question."""
    names = list(axes)
    values = [axis if isinstance(axis, (list, tuple, range)) else (axis,) for axis in axes.values()]
    for combination in itertools.product(*values):
        yield dict(zip(names, combination))


class _Answerer:
    """Answers questions one after another with the same handles."""

    def __init__(self, ask, figures, catalog):
        if ask not in _ASKS:
            raise _errors.InvalidValue('ask: no %s; one of %s' % (ascii(ask), ', '.join(_ASKS)))
        self.ask = ask
        self.figures = list(figures)
        self.catalog = catalog
        self.read = figures_reader(self.figures)
        self.estimate = Estimate()
        self.ranking = Ranking()
        self.inputs = {kind: {} for kind, _ in INPUTS}
        self.names = [(column, _fields.find('estimate', column).by_number) for column in self.figures]

    def input(self, kind, cls, words):
        """The input of some words: of a grid's axes the same few come again and again."""
        kept = self.inputs[kind]
        made = kept.get(words)
        if made is None:
            made = cls(catalog=self.catalog) if cls in (Workload, Cluster) else cls()
            if words:
                made.set(words)
            if len(kept) == _KEPT:
                kept.clear()
            kept[words] = made
        return made

    def answer(self, question):
        row = dict(question)
        try:
            row.update(self.figures_of(question))
        except _errors.Error as error:
            row['error'] = error.message
            row['reason'] = error.reason
        return row

    def figures_of(self, question):
        words = {kind: [] for kind, _ in INPUTS}
        for name, value in question.items():
            if value is not None:
                words[owner(name)].append('%s=%s' % (name, word(name, value)))
        workload, cluster, plan, goal = (self.input(kind, cls, ' '.join(words[kind])) for kind, cls in INPUTS)
        extra = {}
        if self.ask in DEPTHS:
            estimate = self.estimate.compute(workload, cluster, plan, self.ask)
        else:
            ask = self.ranking.select if self.ask == 'plan' else self.ranking.size
            ask(workload, cluster, goal)
            if len(self.ranking) == 0:
                worst = self.ranking.rejected[:1]
                return {'error': 'no plan: ' + (worst[0].text if worst else 'none exists'),
                        'reason': worst[0].reason if worst else None}
            found, estimate = self.ranking[0]
            extra = {'plan.' + name: value for name, value in found.to_dict().items()}
            extra['accelerators'] = estimate.get('batch.accelerators')
        values = self.read(estimate)
        for (column, names), value in zip(self.names, values):
            extra[column] = names.get(int(value)) if names and value is not None else value
        return extra


_owners = {}


def owner(name):
    """Which input a field belongs to: names are unique over all inputs."""
    if name not in _owners:
        found = [kind for kind, _ in INPUTS if name in _fields.BY_NAME[kind]]
        if not found:
            raise _errors.UnknownField('no input has a field %s' % ascii(str(name)[:64]), None, str(name))
        _owners[name] = found[0]
    return _owners[name]


def answer_rows(questions, ask='run', figures=FIGURES, catalog=None):
    """Answers questions, flat dicts of any input fields, with a list of rows: the question, then the figures named, or "error"
    and "reason". ask: a depth (model, fit, step, run) for the plan as given, plan for the best plan at the count, size for the
    least count that meets the goal. A plain function of picklable arguments: what Dask, Ray or Spark maps over partitions."""
    answerer = _Answerer(ask, figures, catalog)
    return [answerer.answer(question) for question in questions]


def sweep(questions, ask='run', figures=FIGURES, catalog=None, executor=None, workers=None, chunk=256):
    """Rows of answer_rows() in the order of the questions, computed in chunks by a concurrent.futures executor. Without one a
    thread pool is made; a ProcessPoolExecutor also spreads the part that Python takes. Lazy: questions may be endless."""
    if chunk < 1:
        raise ValueError('chunk: should be at least 1, not %d' % chunk)
    _Answerer(ask, figures, catalog)  # what is wrong with the arguments is said here, not by a worker
    return _sweep(iter(questions), (ask, tuple(figures), catalog), executor, workers, chunk)


def _sweep(questions, arguments, executor, workers, chunk):
    own = None
    if executor is None:
        workers = workers or min(32, os.cpu_count() or 1)
        executor = own = concurrent.futures.ThreadPoolExecutor(workers)
    width = 2 * (workers or getattr(executor, '_max_workers', None) or os.cpu_count() or 1)
    pending = collections.deque()
    try:
        while True:
            while len(pending) < width:
                part = list(itertools.islice(questions, chunk))
                if not part:
                    break
                pending.append(executor.submit(answer_rows, part, *arguments))
            if not pending:
                return
            yield from pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()
        if own is not None:
            own.shutdown()
