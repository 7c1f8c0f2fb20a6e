"""From a plan to a decision: the run with its stops, rent and owning, energy, networks, curves of counts."""
import json

from . import _attributes, _errors, _fields, _library, _show
from ._estimate import reason_text
from ._handle import Handle, check, common, functions, run
from ._inputs import Cluster, Goal, Plan, Workload
from ._library import INT, P, SIZE, TEXT, Status
from ._ranking import Ranking
from ._units import format_field


class Projection(Handle):
    """Figures in base units, in groups and lists (rentals, swings, fabrics, points):
    projection.operation.time (a Range), projection.rent.cost, projection.own.cost.

    compute(), compute_network() and compute_curve() each fill their own part. Reading a figure that is not there raises
    Unset, a kind of AttributeError; get() answers a default instead.
    """

    __slots__ = ()

    def compute(self, workload, cluster, plan=None):
        """The run with failures, restarts and checkpoints; rent by each term and owning; energy; what moves either cost.
        Fields of the cluster say what is not usual. Returns self."""
        return self._ask(self._compute, workload, cluster, plan)

    def compute_network(self, workload, cluster, plan=None):
        """The same job on each fabric of the catalog, the bandwidth below which the network is the bottleneck, and what a
        network for the cluster is built of. Returns self."""
        return self._ask(self._network, workload, cluster, plan)

    def _ask(self, call, workload, cluster, plan):
        check(workload, Workload, 'workload')
        check(cluster, Cluster, 'cluster')
        plan = Plan() if plan is None else check(plan, Plan, 'plan')
        def reason():
            number = self._reason(self._open())
            return reason_text(number)[0] if number else None

        run(lambda workload, cluster, plan, projection, catalog: call(projection, catalog, workload, cluster, plan), self,
            workload, cluster, plan, self, cluster.catalog, reason=reason)
        return self

    def compute_curve(self, ranking, cluster, goal=None):
        """Reads efficiency, the price of a day saved, the knee and the answers to the goal's deadline and budget off a
        ranking by Ranking.curve. Returns self."""
        check(ranking, Ranking, 'ranking')
        check(cluster, Cluster, 'cluster')
        if goal is not None:
            check(goal, Goal, 'goal')
        run(lambda cluster, goal, projection, ranking: self._curve(projection, ranking, cluster, goal), self,
            cluster, goal, self, ranking)
        return self

    def _absent(self, status, field):
        self._open()
        if status == _attributes.UNSET:
            raise _errors.Unset('%s is not there: not computed, or not known from what was given'
                                % _fields.full_name(field), Status.UNSET, field.name)
        raise _library.failure(status, '%s cannot be read' % field.name, field.name)

    def get(self, name, default=None):
        """A figure by name, projection.get("rent.cost"); default when it is not there."""
        field = _fields.find('projection', name)
        if field.list:
            raise _errors.UnknownField('%s is of the list %s: projection.%s[i]' % (name, field.list, field.list), Status.FIELD,
                                       name)
        try:
            return _attributes.getter(field, has_i64=False)(self)
        except _errors.Unset:
            return default

    def _get_text(self, pointer, identity, text, size):
        return self._get_text_at(pointer, identity, 0, text, size)

    def to_json(self):
        """All figures as the library's JSON text."""
        with self._lock:
            return _library.call_text(self._json, self._open(), room=1 << 15)

    def to_dict(self):
        """All figures as nested dicts; a band is beside its figure as name_range."""
        return json.loads(self.to_json())

    def row(self):
        """All figures but lists as one flat dict, for pandas."""
        return _show.flatten(self.to_dict())

    def __repr__(self):
        if self._p is None:
            return '<Projection, %s>' % (self._why or 'in use')
        shown = [(name, self.get(name)) for name in ('operation.accelerators', 'operation.time', 'rent.cost', 'own.cost')]
        return '<Projection %s>' % (', '.join(
            '%s %s' % (name, format_field(_fields.find('projection', name), value)) for name, value in shown if value is not None)
            or 'without a run')

    def __str__(self):
        return _show.text_table(_show.figures(self))

    def _repr_html_(self):
        return _show.html_table(_show.figures(self))

    def __reduce__(self):
        raise TypeError('a Projection is not pickled: hand on its row() or to_dict()')


for _name, _member in dict(common('projection'), **functions(
        'projection', compute=(INT, P, P, P, P), network=(INT, P, P, P, P), curve=(INT, P, P, P), reason=(INT,),
        get_f64=(INT, INT, P), get_range=(INT, INT, P, P, P), count=(SIZE, INT), get_f64_at=(INT, INT, SIZE, P),
        get_text_at=(SIZE, INT, SIZE, TEXT, SIZE))).items():
    setattr(Projection, _name, _member)
_attributes.attach(Projection, has_i64=False)


def project(workload, cluster, plan=None):
    """A new Projection, computed: see Projection.compute."""
    return Projection().compute(workload, cluster, plan)
