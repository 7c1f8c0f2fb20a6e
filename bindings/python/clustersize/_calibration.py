"""Measurements of one kind of machine, and what a cluster was moved by them."""
import json

from . import _attributes, _errors, _fields, _library
from ._attributes import plain_number, whole
from ._handle import Handle, check, common, functions, run
from ._inputs import Plan, Workload, as_bytes
from ._library import F64, I64, INT, P, SIZE, TEXT, Status

#: Numbers of csz_collective, which never change.
COLLECTIVES = {None: 0, 'all_reduce': 1, 'all_gather': 2, 'reduce_scatter': 3, 'all_to_all': 4}


def numbers(**named):
    """Floats for a call, each with its name in a TypeError."""
    return [float(plain_number(name, value)) for name, value in named.items()]


class Calibration(Handle):
    """Collects measurements, then cluster.calibrate(calibration) fits the cluster to them; the results are attributes here:
    residuals, and the lists multipliers, runs and collectives."""

    __slots__ = ()

    def add_run(self, workload, plan, step_seconds, accelerators=0, uncertainty=0.0):
        """A measured step in seconds; accelerators 0: as many as the calibrated cluster has."""
        check(workload, Workload, 'workload')
        check(plan, Plan, 'plan')
        figures = whole('accelerators', accelerators), *numbers(step_seconds=step_seconds, uncertainty=uncertainty)
        run(lambda w, p, c: self._add_run(c, w, p, *figures), self, workload, plan, self)
        return self

    def add_nccl(self, text, collective=None, ranks=0):
        """What a program of nccl-tests printed; collective: all_reduce, all_gather, reduce_scatter, all_to_all, where the text
        does not tell."""
        if collective not in COLLECTIVES:
            raise _errors.InvalidValue('collective: no %s; one of %s' % (
                ascii(collective), ', '.join(name for name in COLLECTIVES if name)), Status.ARGUMENT)
        data, ranks = as_bytes(text), whole('ranks', ranks)
        run(lambda pointer: self._add_nccl(pointer, COLLECTIVES[collective], ranks, data, len(data)), self, self)
        return self

    def set_gemm(self, number_format, flops_per_second, uncertainty=0.0):
        """The rate in FLOP/s that one accelerator sustains in large matrix products of a format ("bf16")."""
        formats = _fields.find('workload', 'compute_format').choices
        if number_format not in formats:
            raise _errors.InvalidValue('number_format: no %s; one of %s' % (ascii(number_format), ', '.join(formats)),
                                       Status.UNKNOWN, 'compute_format')
        figures = numbers(flops_per_second=flops_per_second, uncertainty=uncertainty)
        run(lambda pointer: self._set_gemm(pointer, formats[number_format], *figures), self, self)
        return self

    def set_copy(self, bytes_per_second, uncertainty=0.0):
        """B/s that one accelerator reads and writes in a large copy: twice the bytes copied a second."""
        figures = numbers(bytes_per_second=bytes_per_second, uncertainty=uncertainty)
        run(lambda pointer: self._set_copy(pointer, *figures), self, self)
        return self

    def _absent(self, status, field):
        self._open()
        if status == _attributes.UNSET:
            raise _errors.Unset('%s is not there: no cluster was calibrated, or nothing of it was measured'
                                % _fields.full_name(field), Status.UNSET, field.name)
        raise _library.failure(status, '%s cannot be read' % field.name, field.name)

    def get(self, name, default=None):
        """A figure by name, calibration.get("residuals.after"); default when it is not there."""
        try:
            return _attributes.getter(_fields.find('calibration', name), has_i64=False)(self)
        except _errors.Unset:
            return default

    def to_dict(self):
        """Everything as nested dicts."""
        return json.loads(self.to_json())

    def __repr__(self):
        if self._p is None:
            return '<Calibration, %s>' % (self._why or 'in use')
        return '<Calibration of %d runs and %d collectives>' % (len(self.runs), len(self.collectives))

    def __reduce__(self):
        raise TypeError('a Calibration is not pickled: hand on its to_dict()')


for _name, _member in dict(common('calibration'), **functions(
        'calibration', add_run=(INT, P, P, I64, F64, F64), add_nccl=(INT, INT, I64, TEXT, SIZE), set_gemm=(INT, INT, F64, F64),
        set_copy=(INT, F64, F64), get_f64=(INT, INT, P), get_f64_at=(INT, INT, SIZE, P), count=(SIZE, INT))).items():
    setattr(Calibration, _name, _member)
_attributes.attach(Calibration, has_i64=False)
