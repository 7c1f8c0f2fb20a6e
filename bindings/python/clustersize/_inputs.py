"""The inputs: workload, cluster, plan, goal."""
import json
import os
import shlex

from . import _attributes, _errors, _fields, _library, _show
from ._handle import Handle, check, common, functions, run
from ._library import F64, I64, INT, P, SIZE, TEXT, Status, encode
from ._units import parse_unit

#: Numbers of csz_source, which never change.
SOURCES = {'json': 0, 'hugging_face': 1, 'mistral': 2, 'megatron': 3, 'deepspeed': 4}


def document(source, what):
    """Bytes of a document that is given as a path, an open file, a dict, or an object with to_dict()."""
    if isinstance(source, (str, os.PathLike)):
        with open(source, 'rb') as file:
            return file.read()
    if hasattr(source, 'read'):
        return as_bytes(source.read())
    if hasattr(source, 'to_dict'):
        source = source.to_dict()
    if isinstance(source, dict):
        return json.dumps(source).encode()
    raise TypeError('%s: should be a path, an open file or a dict, not %s' % (what, type(source).__name__))


def as_bytes(text):
    """Text or bytes as bytes."""
    if isinstance(text, str):
        return text.encode()
    if isinstance(text, (bytes, bytearray, memoryview)):
        return bytes(text)
    raise TypeError('should be text, not %s' % type(text).__name__)


class Input(Handle):
    """What all inputs have."""

    __slots__ = ()

    def __init__(self, text=None, **fields):
        super().__init__()
        if text is not None or fields:
            self.set(text, **fields)

    def _absent(self, status, field):
        self._open()
        if status == _attributes.UNSET:
            return None
        raise _library.failure(status, '%s cannot be read' % field.name, field.name)

    def _call_set(self, data):
        return self._set(self._p, data)

    def set(self, text=None, **fields):
        """Sets fields, all or nothing: set("tp=8 micro_batch=1"), set(tensor_parallel=8, deadline="14d"). Values take units;
        aliases are accepted; an element of a list is addressed as runs[1].layers=4 in the text."""
        words = [] if text is None else [text]
        for name, value in fields.items():
            known = _fields.BY_NAME[self._object].get(name)
            if known is None:
                _fields.find(self._object, name)
            words.append('%s=%s' % (name, _attributes.word(name, value)))
        data = encode(' '.join(words) if text is None or fields else text)
        with self._lock:
            status = self._call_set(data)
            if status != 0:
                self._fail(status)

    def unset(self, name):
        """Gives a field its default again; del object.name does the same."""
        field = _fields.find(self._object, name)
        with self._lock:
            status = self._unset(self._p, field.id)
            if status != 0:
                self._fail(status)

    def is_set(self, name):
        """Whether a field has been given a value."""
        field = _fields.find(self._object, name)
        with self._lock:
            return bool(self._is_set(self._open(), field.id))

    def get(self, name, default=None):
        """A field by name or alias; default when it is unset and has no default of its own."""
        value = _attributes.getter(_fields.find(self._object, name))(self)
        return default if value is None else value

    def load(self, text, source='json'):
        """Sets what a document holds and keeps the rest, all or nothing. text is str, bytes or (JSON) a dict; source is json,
        hugging_face, mistral, megatron or deepspeed."""
        if source not in SOURCES:
            raise _errors.InvalidValue('source: no %s; one of %s' % (ascii(source), ', '.join(SOURCES)), Status.ARGUMENT)
        data = json.dumps(text).encode() if isinstance(text, dict) else as_bytes(text)
        self._call_load(SOURCES[source], data)
        return self

    def _call_load(self, source, data):
        run(lambda pointer: self._load(pointer, source, data, len(data)), self, self)

    def _like(self):
        return type(self)()

    def copy(self):
        """An independent copy."""
        other = self._like()
        with self._lock:
            status = self._copy(other._open(), self._open())
        if status != 0:
            raise _library.failure(status, 'cannot be copied')
        return other

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        return _restore, (type(self), self.to_json(), None)

    def to_dict(self):
        """The fields that are set, in base units, as the library's JSON has them."""
        return json.loads(self.to_json())

    def row(self):
        """One flat dict, for pandas: lists as runs[0].layers."""
        return _show.flatten(self.to_dict())

    def __repr__(self):
        if self._p is None:
            return '<%s, %s>' % (type(self).__name__, self._why or 'in use')
        return '%s(%r)' % (type(self).__name__, _show.pairs(self))

    def __str__(self):
        return _show.text_table(_show.settings(self))

    def _repr_html_(self):
        return _show.html_table(_show.settings(self))

    @classmethod
    def from_json(cls, source, **fields):
        """Reads the library's own JSON, or its section of a job file, from a path, an open file or a dict."""
        return cls._from(source, 'json', fields)

    @classmethod
    def _from(cls, source, kind, fields):
        made = cls()
        made.load(document(source, kind), kind)
        if fields:
            made.set(**fields)
        return made


def _restore(cls, text, catalog):
    made = cls() if catalog is None else cls(catalog=catalog)
    return made.load(text)


def launch_words(source):
    """Bytes of a Megatron-LM launch: a path, an open file, or a list of words as sys.argv has them."""
    if isinstance(source, (list, tuple)):
        return ' '.join(shlex.quote(str(part)) for part in source).encode()
    return document(source, 'megatron')


def _input_functions(object_name, with_catalog):
    catalog = (P,) if with_catalog else ()
    return dict(common(object_name), **functions(
        object_name, copy=(INT, P), set=(INT, *catalog, TEXT), set_i64=(INT, INT, I64), set_f64=(INT, INT, F64),
        unset=(INT, INT), get_i64=(INT, INT, P), get_f64=(INT, INT, P), get_text=(SIZE, INT, TEXT, SIZE),
        is_set=(INT, INT), load=(INT, *catalog, INT, TEXT, SIZE)))


def _members(cls, members):
    for name, member in members.items():
        setattr(cls, name, member)
    return cls


class CatalogInput(Input):
    """An input whose ids are looked up in a catalog: the built-in facts, or the one that was given."""

    __slots__ = ('catalog',)

    def __init__(self, text=None, *, catalog=None, **fields):
        from ._catalog import Catalog
        self.catalog = None if catalog is None else check(catalog, Catalog, 'catalog')
        super().__init__(text, **fields)

    def _call_set(self, data):
        if self.catalog is None:
            return self._set(self._p, None, data)
        with self.catalog._lock:
            return self._set(self._p, self.catalog._open(), data)

    def _call_load(self, source, data):
        run(lambda pointer, catalog: self._load(pointer, catalog, source, data, len(data)), self, self, self.catalog)

    def _like(self):
        return type(self)(catalog=self.catalog)

    def __reduce__(self):
        return _restore, (type(self), self.to_json(), self.catalog)

    @classmethod
    def _from(cls, source, kind, fields, catalog=None):
        made = cls(catalog=catalog)
        made.load(launch_words(source) if kind == 'megatron' else document(source, kind), kind)
        if fields:
            made.set(**fields)
        return made

    @classmethod
    def from_json(cls, source, *, catalog=None, **fields):
        """Reads the library's own JSON, or its section of a job file, from a path, an open file or a dict."""
        return cls._from(source, 'json', fields, catalog)


class Workload(CatalogInput):
    """The model and the job: Workload(model="llama-3-70b", tokens="1T"), Workload("model=llama-3-70b tokens=1T").

    Attributes are the library's fields of a workload; runs, kinds and phases are lists, whose fields without an index mean
    element 0. Reading one that is unset gives its default or None; assigning takes numbers, names of choices and text with
    units; None or del unsets.
    """

    __slots__ = ()

    @classmethod
    def from_hf(cls, source, **fields):
        """Reads a Hugging Face config.json: a path, an open file, a dict or a configuration object. Further fields are set
        after it: Workload.from_hf("config.json", tokens="1T")."""
        return cls._from(source, 'hugging_face', fields)

    @classmethod
    def from_mistral(cls, source, **fields):
        """Reads a Mistral params.json."""
        return cls._from(source, 'mistral', fields)

    @classmethod
    def from_megatron(cls, source, **fields):
        """Reads arguments of Megatron-LM: the path of a text with "--option value" or "option: value", or a list of words."""
        return cls._from(source, 'megatron', fields)

    @classmethod
    def from_deepspeed(cls, source, **fields):
        """Reads a DeepSpeed configuration: batch, optimizer and number formats, no model."""
        return cls._from(source, 'deepspeed', fields)


_members(Workload, dict(_input_functions('workload', True), **functions(
    'workload', set_f64_at=(INT, INT, SIZE, F64), get_f64_at=(INT, INT, SIZE, P), count=(SIZE, INT))))
_attributes.attach(Workload, writable=True)


class Cluster(CatalogInput):
    """The machines: Cluster(accelerator="h100-sxm-80gb", accelerators=64), Cluster(node="dgx-h100", accelerators=64)."""

    __slots__ = ()

    def calibrate(self, calibration):
        """Fits the cluster to measurements; the calibration then holds what followed. A failed call changes nothing."""
        from ._calibration import Calibration
        check(calibration, Calibration, 'calibration')
        run(self._calibrate, self, self, calibration)
        return calibration


_members(Cluster, dict(_input_functions('cluster', True), **functions('cluster', calibrate=(INT, P))))
_attributes.attach(Cluster, writable=True)


class Plan(Input):
    """Degrees of parallelism, sharding, micro-batch, recomputation, schedule, software: Plan("tp=8 pp=2 sharding=optimizer")."""

    __slots__ = ()

    @classmethod
    def from_megatron(cls, source, **fields):
        """Reads degrees, sharding, micro-batch and recomputation from arguments of Megatron-LM."""
        made = cls()
        made.load(launch_words(source), 'megatron')
        if fields:
            made.set(**fields)
        return made

    @classmethod
    def from_deepspeed(cls, source, **fields):
        """Reads ZeRO stage and micro-batch from a DeepSpeed configuration."""
        return cls._from(source, 'deepspeed', fields)


_members(Plan, _input_functions('plan', False))
_attributes.attach(Plan, writable=True)


class Goal(Input):
    """What is wanted of a ranking: Goal(deadline="14d", budget="2M", rows=10), and limits on plans."""

    __slots__ = ()

    def limit(self, name, lowest, highest=None):
        """Lowest and highest value that a ranking may give to a number or choice of a plan; one value fixes it:
        limit("tensor_parallel", 1, 8), limit("recompute", "none")."""
        field = _fields.find('plan', name)
        bounds = [_bound(field, bound) for bound in (lowest, lowest if highest is None else highest)]
        with self._lock:
            status = self._limit(self._p, field.id, *bounds)
            if status != 0:
                self._fail(status)
        return self

    def stack(self, name):
        """Which software the plans are for, a row of stacks(); None: any."""
        with self._lock:
            status = self._stack(self._p, None if name is None else encode(name, 'stack'))
            if status != 0:
                self._fail(status)
        return self


def _bound(field, value):
    if isinstance(value, str) and field.choices:
        if value not in field.choices:
            raise _errors.InvalidValue('%s: no %s; one of %s' % (field.name, ascii(value[:64]), ', '.join(field.choices)),
                                       Status.UNKNOWN, field.name)
        return field.choices[value]
    if isinstance(value, str):
        return parse_unit(value, field.unit)
    return float(_attributes.of_field(field, value))


_members(Goal, dict(_input_functions('goal', False), **functions(
    'goal', limit=(INT, INT, F64, F64), stack=(INT, TEXT))))
_attributes.attach(Goal, writable=True)
