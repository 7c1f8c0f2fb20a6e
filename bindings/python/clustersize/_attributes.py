"""Makes attributes out of the field tables: flat ones, dotted groups (estimate.memory.weights) and lists (workload.phases[1])."""
import collections.abc
import operator
from ctypes import byref, c_double

from . import _errors, _fields, _library
from ._library import Status

UNSET = int(Status.UNSET)
BEYOND = int(Status.RANGE)


class Range(float):
    """A figure with its 80% band. It is the likely value; low and high stand beside."""

    __slots__ = ('low', 'high')

    def __new__(cls, likely, low, high):
        self = super().__new__(cls, likely)
        self.low = low
        self.high = high
        return self

    @property
    def likely(self):
        """The value itself, as a plain float."""
        return float(self)

    def __repr__(self):
        return '%r (%r to %r)' % (float(self), self.low, self.high)

    __str__ = __repr__

    def __format__(self, form):
        return format(float(self), form) if form else str(self)

    def __reduce__(self):
        return Range, (float(self), self.low, self.high)


# ---- Reading ----

def integer_getter(field):
    """A function that reads an integer of a handle; so do the ones below their types."""
    identity = field.id

    def get(handle):
        with handle._lock:
            status = handle._get_i64(handle._p, identity, handle._out_i64)
            return handle._i64.value if status == 0 else handle._absent(status, field)
    return get


def number_getter(field):
    identity = field.id

    def get(handle):
        with handle._lock:
            status = handle._get_f64(handle._p, identity, handle._out_f64)
            return handle._f64.value if status == 0 else handle._absent(status, field)
    return get


def _integer_by_number(field):
    number = number_getter(field)  # rankings and calibrations have no get_i64

    def get(handle):
        value = number(handle)
        return value if value is None else int(value)
    return get


def choice_getter(field):
    identity, names = field.id, field.by_number

    def get(handle):
        with handle._lock:
            status = handle._get_f64(handle._p, identity, handle._out_f64)
            return names.get(int(handle._f64.value)) if status == 0 else handle._absent(status, field)
    return get


def boolean_getter(field):
    number = number_getter(field)

    def get(handle):
        value = number(handle)
        return value if value is None else bool(value)
    return get


def text_getter(field):
    identity = field.id

    def get(handle):
        with handle._lock:
            text = _library.call_text(handle._get_text, handle._open(), identity)
            return text if text else handle._absent(UNSET, field)
    return get


def range_getter(field):
    identity = field.id

    def get(handle):
        values = (c_double * 3)()
        with handle._lock:
            status = handle._get_range(handle._p, identity, values, byref(values, 8), byref(values, 16))
            return Range(values[1], values[0], values[2]) if status == 0 else handle._absent(status, field)
    return get


def getter(field, has_i64=True):
    """The function that reads a field of a handle."""
    makers = {'integer': integer_getter if has_i64 else _integer_by_number, 'number': number_getter, 'choice': choice_getter,
              'boolean': boolean_getter, 'text': text_getter, 'range': range_getter}
    return makers[field.type](field)


def element_getter(field):
    """The function that reads a field of a list's element: (handle, index)."""
    identity, names = field.id, field.by_number
    plain = {'integer': int, 'boolean': bool, 'choice': lambda value: names.get(int(value))}.get(field.type, float)

    if field.type == 'text':
        def get_text(handle, index):
            with handle._lock:
                text = _library.call_text(handle._get_text_at, handle._open(), identity, index)
                return text if text else handle._absent(UNSET, field)
        return get_text

    def get(handle, index):
        with handle._lock:
            status = handle._get_f64_at(handle._p, identity, index, handle._out_f64)
            if status == 0:
                return plain(handle._f64.value)
            if status == BEYOND:
                raise IndexError('%s[%d]: the list is shorter now' % (field.list, index))
            return handle._absent(status, field)
    return get


# ---- Writing ----

def plain_number(name, value):
    """An int or a float for what should be one; TypeError for what is none."""
    try:
        return operator.index(value)
    except TypeError:
        pass
    if isinstance(value, (bytes, bytearray, complex)) or not hasattr(type(value), '__float__'):
        raise TypeError('%s: should be a number, not %s' % (name, type(value).__name__))
    return float(value)


def of_field(field, value):
    """The same for a field; a bool is for fields that are one."""
    if isinstance(value, bool) and field.type != 'boolean':
        raise TypeError('%s: should be a number, not bool' % field.name)
    return plain_number(field.name, value)


def whole(name, value, lowest=0, highest=2 ** 53):
    """An integer that a call takes beside fields."""
    value = operator.index(value)
    if not lowest <= value <= highest:
        raise _errors.InvalidValue('%s: %d is outside %d to %d' % (name, value, lowest, highest), Status.RANGE)
    return value


def word(name, value):
    """A value as one word of "name=value"; one with blanks in it would be read as further fields."""
    if isinstance(value, bool):
        return 'yes' if value else 'no'
    if isinstance(value, str):
        if not value or value.split() != [value]:
            raise _errors.InvalidValue('%s: %s is no value: one word is needed' % (name, ascii(value[:64])), Status.SYNTAX, name)
        return value
    return repr(plain_number(name, value))


def assign(handle, field, value):
    """Sets a field: numbers, names of choices, text with units ("1T", "14d"); None unsets."""
    kind = type(value)
    if kind is not int and kind is not float:
        if value is None:
            return handle.unset(field.name)
        if isinstance(value, str):
            return handle.set('%s=%s' % (field.name, word(field.name, value)))
        value = of_field(field, value)
    with handle._lock:
        if isinstance(value, int) and -0x8000000000000000 <= value <= 0x7fffffffffffffff:
            status = handle._set_i64(handle._p, field.id, value)
        else:
            status = handle._set_f64(handle._p, field.id, float(value))
        if status != 0:
            handle._fail(status)


def assign_element(handle, field, index, value):
    """The same for an element of a list."""
    if value is None:
        raise TypeError('%s: an element of a list cannot be unset' % field.name)
    if isinstance(value, str):
        return handle.set('%s[%d].%s=%s' % (field.list, index, field.name, word(field.name, value)))
    value = float(of_field(field, value))
    with handle._lock:
        status = handle._set_f64_at(handle._p, field.id, index, value)
        if status != 0:
            handle._fail(status)


# ---- Classes ----

class Group:
    """A dotted group of figures: estimate.memory and the like."""

    __slots__ = ('_owner',)
    _fields = ()
    _name = ''

    def __init__(self, owner):
        self._owner = owner

    def to_dict(self):
        """What is known of the group, by name; a figure with a band as a Range."""
        found = {}
        for name in self._fields:
            try:
                found[name] = getattr(self, name)
            except _errors.Unset:
                continue
        return found

    def __iter__(self):
        return iter(self._fields)

    def __repr__(self):
        return '<%s %s>' % (self._name, self.to_dict())

    def _repr_html_(self):
        from . import _show
        return _show.html_table(_show.figures(self._owner, '%s.' % self._name))


class Element:
    """One element of a list. It stands for a place: what is read is what is there now."""

    __slots__ = ('_owner', '_index')
    _fields = ()
    _name = ''

    def __init__(self, owner, index):
        self._owner = owner
        self._index = index

    @property
    def index(self):
        """Place in the list, from 0."""
        return self._index

    def to_dict(self):
        """What is known of the element, by name."""
        found = {}
        for name in self._fields:
            try:
                value = getattr(self, name)
            except _errors.Unset:
                continue
            if value is not None:
                found[name] = value
        return found

    row = to_dict

    def __repr__(self):
        return '<%s[%d] %s>' % (self._name, self._index, self.to_dict())


class Elements(collections.abc.Sequence):
    """A list of the library: len(), indexing, iteration, rows() for pandas."""

    __slots__ = ('_owner',)
    _probe = 0
    _element = Element

    def __init__(self, owner):
        self._owner = owner

    def __len__(self):
        owner = self._owner
        with owner._lock:
            return owner._count(owner._open(), self._probe)

    def __getitem__(self, index):
        count = len(self)
        if isinstance(index, slice):
            return [self._element(self._owner, i) for i in range(*index.indices(count))]
        index = operator.index(index)
        place = index + count if index < 0 else index
        if not 0 <= place < count:
            raise IndexError('%s[%d]: there are %d' % (self._element._name, index, count))
        return self._element(self._owner, place)

    def rows(self):
        """A dict for each element, as pandas.DataFrame takes them."""
        return [dict(index=element.index, **element.to_dict()) for element in self]

    def __repr__(self):
        return '[%s]' % ', '.join(map(repr, self))

    def _repr_html_(self):
        from . import _show
        return _show.html_rows(self.rows())


class InputElements(Elements):
    """A list of an input: append() adds an element."""

    __slots__ = ()

    def append(self, **fields):
        """Adds an element with the given fields, all or nothing."""
        if not fields:
            raise TypeError('append: at least one field is needed')
        name = self._element._name
        with self._owner._lock:
            place = len(self)
            self._owner.set(' '.join('%s[%d].%s=%s' % (name, place, key, word(key, value)) for key, value in fields.items()))


def _property(read, write, field):
    unset = None if write is None else (lambda handle: write(handle, None))
    return property(read, write, unset, field.describe())


def _flat(field, has_i64, writable):
    read = getter(field, has_i64)
    return _property(read, (lambda handle, value: assign(handle, field, value)) if writable else None, field)


def _in_group(field, has_i64):
    read = getter(field, has_i64)
    return _property(lambda group: read(group._owner), None, field)


def _in_element(field, writable):
    read = element_getter(field)
    write = None
    if writable:
        def write(element, value):
            assign_element(element._owner, field, element._index, value)
    return _property(lambda element: read(element._owner, element._index), write, field)


def _newer(object_name, name):
    """An attribute that only a newer library has: using it says so."""
    def refuse(*_):
        raise _errors.UnknownField(_fields.too_new(object_name, name), Status.FIELD, name)
    return property(refuse, refuse, refuse, 'Not in the library that was loaded.')


def _put(cls, name, attribute):
    if not hasattr(cls, name):  # a later library's field never hides a method; get() still reaches it
        setattr(cls, name, attribute)


def _class_of(cls, base, name, bare, **members):
    return type(base)(bare, (base,), dict(
        members, __slots__=(), _name=name, __module__='clustersize', __qualname__=bare,
        __doc__='%s of the %s: the fields below.' % (name.capitalize(), cls._object)))


def _title(name):
    return ''.join(part.capitalize() for part in name.split('_'))


def _attach_list(cls, name, rows, writable):
    stem = _title(cls._object) + _title(name)
    element = _class_of(cls, Element, name, stem + 'Element', _fields=tuple(field.name for field in rows))
    for field in rows:
        _put(element, field.name, _in_element(field, writable))
    elements = type(Elements)(stem, (InputElements if writable else Elements,), dict(
        __slots__=(), _probe=rows[0].id, _element=element, __module__='clustersize', __qualname__=stem,
        __doc__='The list %s of a %s.' % (name, cls._object)))
    _put(cls, name, property(elements, None, None, elements.__doc__))
    return elements, element


def _attach_group(cls, name, rows, has_i64):
    stem = _title(cls._object) + _title(name)
    group = _class_of(cls, Group, name, stem, _fields=tuple(field.name.split('.', 1)[1] for field in rows))
    for field in rows:
        _put(group, field.name.split('.', 1)[1], _in_group(field, has_i64))
    _put(cls, name, property(group, None, None, group.__doc__))
    return group


def sort_fields(object_name, rows):
    """Rows as (flat, groups, lists) with flat = {attribute: row}, the others {name: rows}."""
    flat, groups, lists = {}, {}, {}
    for field in rows:
        head, _, tail = field.name.rpartition('.')
        if field.list:
            lists.setdefault(field.list, []).append(field)
        elif head and head != object_name:
            groups.setdefault(head, []).append(field)
        else:
            flat[tail] = field
    return flat, groups, lists


def attach(cls, writable=False, has_i64=True):
    """Gives a class the attributes of its field table."""
    rows = _fields.BY_OBJECT.get(cls._object, [])
    flat, groups, lists = sort_fields(cls._object, rows)
    made = {}
    for name, group in groups.items():
        made[name] = _attach_group(cls, name, group, has_i64)
    for name, fields in lists.items():
        made[name] = _attach_list(cls, name, fields, writable)
    for name, field in flat.items():
        _put(cls, name, _flat(field, has_i64, writable))
    if writable:
        for fields in lists.values():
            for field in fields:  # without an index: element 0
                _put(cls, field.name, _flat(field, has_i64, True))
    _attach_newer(cls, made)


def _attach_newer(cls, made):
    """Attributes that the binding knows and this library lacks: they tell in which version they came."""
    for name in _fields.missing(cls._object):
        head, _, tail = name.rpartition('.')
        holders = [made.get(head, cls)]
        if isinstance(holders[0], tuple):
            holders = [holders[0][1]] + ([cls] if hasattr(cls, 'unset') else [])
        for holder in holders:
            _put(holder, tail, _newer(cls._object, name))
