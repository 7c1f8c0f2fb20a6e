"""Plans or counts with their estimates, best first, and why the others were rejected."""
import collections
import ctypes
import json
import operator
import signal
import threading
import weakref

from . import _attributes, _errors, _fields, _library, _show
from ._estimate import Estimate, reason_text
from ._handle import Handle, check, common, functions, run
from ._inputs import Cluster, Goal, Plan, Workload
from ._library import INT, P, PROGRESS, SIZE, VOID, Status

Entry = collections.namedtuple('Entry', 'plan estimate')
Entry.__doc__ = 'A plan of a ranking, a copy to keep, and its estimate, which lives until the ranking is asked again or closed.'
Rejection = collections.namedtuple('Rejection', 'reason text plans')
Rejection.__doc__ = 'How many plans were rejected for a reason: short name, sentence, number.'


class _Interrupt:
    """Keeps an interrupt from the keyboard until a long call has noticed it and ended: raised inside the callback it would be
    lost. Only where Python's own handler stands, in the main thread."""

    def __init__(self):
        self.came = False
        self.watches = (threading.current_thread() is threading.main_thread() and
                        signal.getsignal(signal.SIGINT) is signal.default_int_handler)

    def _note(self, number, frame):
        self.came = True

    def __enter__(self):
        if self.watches:
            signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_):
        if self.watches:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self.came:
            raise KeyboardInterrupt


class Ranking(Handle):
    """Entries, best first: len(), indexing, for plan, estimate in ranking; ranking.rejected; rows() for pandas."""

    __slots__ = ('_views',)

    def __init__(self):
        super().__init__()
        self._views = weakref.WeakSet()

    def select(self, workload, cluster, goal=None, progress=None):
        """All valid plans for the cluster's count, best first by the goal's objective (least time without one). progress(done)
        is called now and then with the share done; a true answer cancels. Returns self."""
        return self._ask(self._select, workload, cluster, None if goal is None else check(goal, Goal, 'goal'), progress)

    def size(self, workload, cluster, goal=None, progress=None):
        """The least count of accelerators that meets the goal's deadline and budget as entry 0, then other counts around it;
        the cluster's own count is ignored. Returns self."""
        return self._ask(self._size, workload, cluster, None if goal is None else check(goal, Goal, 'goal'), progress)

    def curve(self, workload, cluster, goal=None, progress=None):
        """The best plan at each of a ladder of counts, ascending: 1, 2, 3, 4, 6, 8, ... nodes. Projection.compute_curve reads the
        knee and the prices of days saved off it. Returns self."""
        return self._ask(self._curve, workload, cluster, None if goal is None else check(goal, Goal, 'goal'), progress)

    def advise(self, workload, cluster, plan, progress=None):
        """What one change of a plan would do, best first. Returns self."""
        return self._ask(self._advise, workload, cluster, check(plan, Plan, 'plan'), progress)

    def _ask(self, call, workload, cluster, wanted, progress):
        check(workload, Workload, 'workload')
        check(cluster, Cluster, 'cluster')
        if progress is not None and not callable(progress):
            raise TypeError('progress: should be callable, not %s' % type(progress).__name__)
        raised = []
        with _Interrupt() as interrupt:
            def report(_, done):
                try:
                    return 1 if interrupt.came or (progress is not None and progress(done)) else 0
                except BaseException as error:  # it cannot pass through the library: it cancels and is raised afterwards
                    raised.append(error)
                    return 1

            callback = PROGRESS(report) if progress is not None or interrupt.watches else PROGRESS()

            def ask(workload, cluster, wanted, ranking):
                self._let_go_of_views('the ranking was asked again')
                self._set_progress(ranking, callback, None)
                try:
                    return call(ranking, workload, cluster, wanted)
                finally:
                    self._set_progress(ranking, PROGRESS(), None)

            try:
                run(ask, self, workload, cluster, wanted, self)
            except _errors.Cancelled:
                if raised:
                    raise raised[0]
                if not interrupt.came:
                    raise
        return self

    def _let_go_of_views(self, why):
        for view in list(self._views):
            view._let_go(why)
        self._views.clear()

    def close(self):
        with self._lock:
            super().close()
            self._let_go_of_views('the ranking was closed')

    close.__doc__ = Handle.close.__doc__

    def __len__(self):
        with self._lock:
            return self._count(self._open())

    def __getitem__(self, index):
        with self._lock:
            count = len(self)
            if isinstance(index, slice):
                return [self[i] for i in range(*index.indices(count))]
            index = operator.index(index)
            place = index + count if index < 0 else index
            if not 0 <= place < count:
                raise IndexError('entry %d: there are %d' % (index, count))
            plan = Plan()
            status = Plan._copy(plan._p, self._plan_at(self._p, place))
            if status != 0:
                raise _library.failure(status, 'the plan cannot be copied')
            view = Estimate._view(self._estimate_at(self._p, place), self)
            self._views.add(view)
            return Entry(plan, view)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def _absent(self, status, field):
        self._open()
        raise _errors.Unset('%s is not there: nothing was asked, or nothing meets the goal' % field.name, Status.UNSET, field.name)

    def get(self, name, default=None):
        """A figure of the ranking by name; default when it is not there."""
        field = _fields.find('ranking', name if not isinstance(name, str) or '.' in name else 'ranking.' + name)
        try:
            return _attributes.getter(field, has_i64=False)(self)
        except _errors.Unset:
            return default

    @property
    def rejected(self):
        """Why plans were rejected and how many each, the largest number first."""
        reason, plans, found = ctypes.c_int32(), ctypes.c_double(), []
        with self._lock:
            pointer = self._open()
            for i in range(self._reject_count(pointer)):
                if self._reject_at(pointer, i, ctypes.byref(reason), ctypes.byref(plans)) == 0:
                    found.append(Rejection(*reason_text(reason.value), int(plans.value)))
        return found

    def to_json(self):
        """Everything as the library's JSON text."""
        with self._lock:
            return _library.call_text(self._json, self._open(), room=1 << 17)

    def to_dict(self):
        """Everything as nested dicts."""
        return json.loads(self.to_json())

    def rows(self):
        """A flat dict for each entry, for pandas: "rank", "plan.tensor_parallel", "step.time" and so on."""
        rows = []
        for rank, entry in enumerate(self.to_dict().get('entries', ())):
            row = {'rank': rank}
            row.update(('plan.' + name, value) for name, value in entry.pop('plan').items())
            row.update(_show.estimate_row(entry))
            rows.append(row)
        return rows

    def __repr__(self):
        return _show.ranking_line(self)

    def _repr_html_(self):
        return '<p>%s</p>%s' % (_show.escape(repr(self)), _show.html_rows(_show.ranking_rows(self)))

    def __reduce__(self):
        raise TypeError('a Ranking is not pickled: hand on its rows() or to_dict()')


for _name, _member in dict(common('ranking'), **functions(
        'ranking', set_progress=(VOID, PROGRESS, P), select=(INT, P, P, P), size=(INT, P, P, P), curve=(INT, P, P, P), advise=(INT, P, P, P),
        count=(SIZE,), plan_at=(P, SIZE), estimate_at=(P, SIZE), reject_count=(SIZE,), reject_at=(INT, SIZE, P, P),
        get_f64=(INT, INT, P))).items():
    setattr(Ranking, _name, _member)
_attributes.attach(Ranking, has_i64=False)


def select(workload, cluster, goal=None, progress=None):
    """A new Ranking of all valid plans: see Ranking.select."""
    return Ranking().select(workload, cluster, goal, progress)


def size(workload, cluster, goal=None, progress=None):
    """A new Ranking of counts: see Ranking.size."""
    return Ranking().size(workload, cluster, goal, progress)


def curve(workload, cluster, goal=None, progress=None):
    """A new Ranking of a ladder of counts: see Ranking.curve."""
    return Ranking().curve(workload, cluster, goal, progress)


def advise(workload, cluster, plan, progress=None):
    """A new Ranking of changes of a plan: see Ranking.advise."""
    return Ranking().advise(workload, cluster, plan, progress)
