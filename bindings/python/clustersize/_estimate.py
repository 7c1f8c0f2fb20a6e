"""What follows from workload, cluster and plan."""
import ctypes
import json

from . import _attributes, _errors, _fields, _library, _show
from ._handle import Handle, check, common, functions, run
from ._inputs import Cluster, Plan, Workload
from ._library import F64, INT, P, SIZE, TEXT, Status, function

#: Numbers of csz_depth, which never change.
DEPTHS = {'model': 0, 'fit': 1, 'step': 2, 'run': 3}
#: What largest() varies, and whose field it is.
LARGEST = {'sequence_length': 'workload', 'global_batch': 'workload', 'model': 'workload', 'micro_batch': 'plan', 'memory': 'cluster'}

_reason_name = function('csz_reason_name', TEXT, INT)
_reason_text = function('csz_reason_text', TEXT, INT)
_note_text = function('csz_note_text', TEXT, INT)


def reason_text(number):
    """(short name, sentence) of a reason."""
    return _reason_name(number).decode(), _reason_text(number).decode()


class Estimate(Handle):
    """Figures in base units, in groups: estimate.memory.weights, estimate.step.time (a Range), estimate.run.cost.

    Make one and compute() often, or call clustersize.estimate(). Reading a figure that is not there raises Unset, a kind of
    AttributeError; get() answers a default instead.
    """

    __slots__ = ('_ranking',)

    def __init__(self):
        self._ranking = None
        super().__init__()

    @classmethod
    def _view(cls, pointer, ranking):
        """An estimate that belongs to a ranking: never freed here."""
        view = cls.__new__(cls)
        view._ranking = ranking
        view._adopt(pointer, ranking._lock)
        return view

    def _shares_lock_with(self):
        return self._ranking

    def _let_go(self, why):
        self._p = None
        self._why = why

    def close(self):
        if self._ranking is None:
            super().close()
        else:
            with self._lock:
                self._let_go('the estimate was closed')

    close.__doc__ = Handle.close.__doc__

    def __del__(self):
        if getattr(self, '_ranking', None) is None:
            super().__del__()

    def compute(self, workload, cluster=None, plan=None, depth=None):
        """Computes and returns self. depth: model (parameters and FLOPs; the default without a cluster), fit (memory), step
        (time), run (failures, energy and money; the default). A plan that does not fit is an answer; one that cannot exist
        raises PlanConflict with its reason."""
        check(workload, Workload, 'workload')
        if cluster is not None:
            check(cluster, Cluster, 'cluster')
            plan = Plan() if plan is None else check(plan, Plan, 'plan')
        if self._ranking is not None:
            raise _errors.InvalidValue('the estimate belongs to a ranking; make another one', Status.ARGUMENT)
        number = _depth(depth, cluster)
        if cluster is None:
            with workload._lock, self._lock:
                self._compute_locked(workload._open(), None, None, number)
        else:
            with workload._lock, cluster._lock, plan._lock, self._lock:
                self._compute_locked(workload._open(), cluster._open(), plan._open(), number)
        return self

    def _compute_locked(self, workload, cluster, plan, depth):
        pointer = self._open()
        try:
            self._p = None
            status = self._compute(pointer, workload, cluster, plan, depth)
        finally:
            self._p = pointer
        if status != 0:
            reason = self._reason(pointer)
            self._fail(status, reason=reason_text(reason)[0] if reason else None)

    def largest(self, varied, workload, cluster, plan=None, confidence=0.9):
        """The largest "sequence_length", "global_batch" or "micro_batch" that fits with that confidence, the least
        "memory" (bytes of an accelerator), or the largest "model" of the workload's family (its id). The estimate becomes that
        of the answer. Source: fits of compute(), by bisection."""
        check(workload, Workload, 'workload')
        check(cluster, Cluster, 'cluster')
        plan = Plan() if plan is None else check(plan, Plan, 'plan')
        if varied not in LARGEST:
            raise _errors.InvalidValue('varied: no %s; one of %s' % (ascii(varied), ', '.join(LARGEST)), Status.ARGUMENT)
        field = _fields.find(LARGEST[varied], varied)
        value, confidence = ctypes.c_double(), _attributes.plain_number('confidence', confidence)

        def ask(workload, cluster, plan, estimate, catalog):
            return self._largest(estimate, catalog, workload, cluster, plan, field.id, confidence, ctypes.byref(value))

        run(ask, self, workload, cluster, plan, self, cluster.catalog)
        if varied == 'model':
            from ._catalog import Catalog
            return (cluster.catalog or Catalog()).models[int(value.value)].id
        return value.value if varied == 'memory' else int(value.value)

    def reserve(self, stages):
        """Room for that many pipeline stages, so that compute() allocates nothing."""
        stages = _attributes.whole('stages', stages, 0, 2 ** 31)
        with self._lock:
            status = self._reserve(self._open(), stages)
            if status != 0:
                self._fail(status)
        return self

    def _absent(self, status, field):
        self._open()
        if status == _attributes.UNSET:
            raise _errors.Unset('%s is not there: not computed, or not known from what was given'
                                % _fields.full_name(field), Status.UNSET, field.name)
        raise _library.failure(status, '%s cannot be read' % field.name, field.name)

    def get(self, name, default=None):
        """A figure by name, estimate.get("run.cost"); default when it is not there."""
        field = _fields.find('estimate', name)
        if field.list:
            raise _errors.UnknownField('%s is of the list %s: estimate.%s[i]' % (name, field.list, field.list), Status.FIELD, name)
        try:
            return _attributes.getter(field)(self)
        except _errors.Unset:
            return default

    def get_many(self, names):
        """Several figures as floats (choices as numbers), None where one is not there; the quick way."""
        return figures_reader(names)(self)

    @property
    def notes(self):
        """What was assumed or widens the band, as sentences."""
        found = []
        with self._lock:
            pointer = self._open()
            while self._note_at(pointer, len(found)):
                found.append(_note_text(self._note_at(pointer, len(found))).decode())
        return found

    def to_json(self):
        """All figures as the library's JSON text."""
        with self._lock:
            return _library.call_text(self._json, self._open(), room=1 << 14)

    def to_dict(self):
        """All figures as nested dicts; a band is beside its figure as name_range."""
        return json.loads(self.to_json())

    def row(self):
        """All figures but lists as one flat dict, for pandas: "memory.total", "memory.total.low", "memory.total.high"."""
        return _show.estimate_row(self.to_dict())

    def __repr__(self):
        return _show.estimate_line(self)

    def __str__(self):
        return _show.text_table(_show.figures(self))

    def _repr_html_(self):
        return '<p>%s</p>%s' % (_show.escape(repr(self)), _show.html_table(_show.figures(self)))

    def __reduce__(self):
        raise TypeError('an Estimate is not pickled: hand on its row() or to_dict()')


for _name, _member in dict(common('estimate'), **functions(
        'estimate', reserve=(INT, SIZE), compute=(INT, P, P, P, INT), largest=(INT, P, P, P, P, INT, F64, P), reason=(INT,), get_i64=(INT, INT, P),
        get_f64=(INT, INT, P), get_range=(INT, INT, P, P, P), get_many=(INT, P, SIZE, P),
        get_text=(SIZE, INT, TEXT, SIZE), count=(SIZE, INT), get_f64_at=(INT, INT, SIZE, P), note_at=(INT, SIZE))).items():
    setattr(Estimate, _name, _member)
_attributes.attach(Estimate)


def _depth(depth, cluster):
    if depth is None:
        return DEPTHS['model' if cluster is None else 'run']
    if depth not in DEPTHS:
        raise _errors.InvalidValue('depth: no %s; one of %s' % (ascii(depth), ', '.join(DEPTHS)), Status.ARGUMENT)
    return DEPTHS[depth]


def figures_reader(names):
    """A function that reads the named figures of an estimate at once, as floats; None where one is not there."""
    fields = [_fields.find('estimate', name) for name in names]
    identities = (ctypes.c_int32 * len(fields))(*(field.id for field in fields))

    def read(estimate):
        values = (ctypes.c_double * len(fields))()
        with estimate._lock:
            pointer = estimate._open()
            if estimate._get_many(pointer, identities, len(fields), values) == 0:
                return list(values)
            found = []
            for field in fields:
                status = estimate._get_f64(pointer, field.id, estimate._out_f64)
                found.append(estimate._f64.value if status == 0 else None)
            return found
    return read


def estimate(workload, cluster=None, plan=None, depth=None):
    """A new Estimate, computed: see Estimate.compute."""
    return Estimate().compute(workload, cluster, plan, depth)
