"""What exists: models, accelerators, nodes, fabrics, offers, curves, figures of operation and reliability."""
import collections.abc
import ctypes
import json
import operator

from . import _attributes, _errors, _fields, _library, _show
from ._handle import Handle, common, functions, run
from ._inputs import as_bytes
from ._library import INT, P, SIZE, TEXT, encode

#: Attribute of a Catalog, kind of its entries and number of csz_kind, which never changes.
KINDS = {'models': ('model', 0), 'accelerators': ('accelerator', 1), 'nodes': ('node', 2), 'fabrics': ('fabric', 3),
         'offers': ('offer', 4), 'curves': ('curve', 5), 'operations': ('operation', 6), 'reliability': ('reliability', 7)}


class CatalogEntry:
    """A row of the catalog. Its fields are attributes, None where the fact is not known."""

    __slots__ = ('_owner', '_index')
    _fields = ()
    _kind = ('', 0)

    def __init__(self, owner, index):
        self._owner = owner
        self._index = index

    @property
    def provenance(self):
        """Where the figures come from: "source; date; confidence", and doubts."""
        return self._owner._text(self._owner._source, self._kind[1], self._index)

    def get(self, name, default=None):
        """A field by name; default when it is not known."""
        value = _read(self._owner, self._index, _fields.find(self._kind[0], name))
        return default if value is None else value

    def to_dict(self):
        """What is known, by name, in base units."""
        pairs = ((name, getattr(self, name)) for name in self._fields)
        return {name: value for name, value in pairs if value is not None}

    row = to_dict

    def __repr__(self):
        return '<%s %s>' % (self._kind[0], self.id)

    def _repr_html_(self):
        rows = [(field, getattr(self, field.name)) for field in _fields.BY_OBJECT[self._kind[0]]]
        return _show.html_table([pair for pair in rows if pair[1] is not None])


def _read(owner, index, field):
    with owner._lock:
        pointer = owner._open()
        if field.type == 'text':
            return _library.call_text(owner._get_text, pointer, index, field.id) or None
        status = owner._get_f64(pointer, index, field.id, owner._out_f64)
        if status == _attributes.UNSET:
            return None
        if status != 0:
            raise _library.failure(status, '%s cannot be read' % field.name, field.name)
        value = owner._f64.value
    if field.by_number:
        return field.by_number.get(int(value))
    return int(value) if field.type == 'integer' else value


def _entry_class(kind):
    rows = _fields.BY_OBJECT.get(kind[0], [])
    name = kind[0].capitalize() + 'Entry'
    made = type(CatalogEntry)(name, (CatalogEntry,), dict(
        __slots__=(), _kind=kind, _fields=tuple(field.name for field in rows), __module__='clustersize',
        __doc__='An entry of kind %s.' % kind[0]))
    for field in rows:
        if not hasattr(made, field.name):
            setattr(made, field.name, property(
                lambda entry, field=field: _read(entry._owner, entry._index, field), None, None, field.describe()))
    for missing in _fields.missing(kind[0]):
        if not hasattr(made, missing):
            setattr(made, missing, _attributes._newer(kind[0], missing))
    return made


class CatalogEntries(collections.abc.Sequence):
    """All entries of a kind: by place or id, iteration, query(), rows() for pandas."""

    __slots__ = ('_owner', '_kind', '_entry')

    def __init__(self, owner, kind, entry):
        self._owner = owner
        self._kind = kind
        self._entry = entry

    def __len__(self):
        with self._owner._lock:
            return self._owner._count(self._owner._open(), self._kind[1])

    def __getitem__(self, key):
        if isinstance(key, str):
            return self.find(key)
        count = len(self)
        if isinstance(key, slice):
            return [self._entry(self._owner, i) for i in range(*key.indices(count))]
        index = operator.index(key)
        place = index + count if index < 0 else index
        if not 0 <= place < count:
            raise IndexError('%s %d: there are %d' % (self._kind[0], index, count))
        return self._entry(self._owner, place)

    def __contains__(self, key):
        if not isinstance(key, str):
            return isinstance(key, self._entry) and key._owner is self._owner
        try:
            return bool(self.find(key))
        except _errors.InvalidValue:
            return False

    def ids(self):
        """Ids of all entries."""
        owner = self._owner
        with owner._lock:
            pointer = owner._open()
            return [owner._id_at(pointer, self._kind[1], i).decode() for i in range(owner._count(pointer, self._kind[1]))]

    def find(self, name):
        """The entry of that id, or the one that name gives in full or begins, whatever its case and separators."""
        index = ctypes.c_size_t()
        owner = self._owner
        with owner._lock:
            status = owner._find(owner._open(), self._kind[1], encode(name, 'name'), ctypes.byref(index))
        if status != 0:
            raise _library.failure(status, 'no %s, or several, of the name %s' % (self._kind[0], ascii(name[:64])))
        return self._entry(owner, index.value)

    def query(self, text=None, by=None):
        """Entries that meet "name=value name=value ...", in ascending order of the figure by:
        catalog.offers.query("accelerator=h100-sxm-80gb term=spot", by="price")[0] is the cheapest."""
        data = None if text is None else encode(text)
        field = 0 if by is None else _fields.find(self._kind[0], by).id
        owner, count = self._owner, ctypes.c_size_t()
        with owner._lock:
            room = owner._count(owner._open(), self._kind[1])
            indices = (ctypes.c_size_t * max(room, 1))()
            status = owner._query(owner._p, self._kind[1], data, field, indices, room, ctypes.byref(count))
        if status != 0:
            raise _library.failure(status, 'query of %s: %s by %s' % (self._kind[0], ascii(text), by))
        return [self._entry(owner, indices[i]) for i in range(count.value)]

    def rows(self):
        """A dict for each entry, for pandas."""
        return [entry.to_dict() for entry in self]

    def __repr__(self):
        return '<%d entries of kind %s>' % (len(self), self._kind[0])

    def _repr_html_(self):
        return '<p>%s</p>%s' % (_show.escape(repr(self)), _show.html_rows(self[:100] and [e.to_dict() for e in self[:100]]))


class Catalog(Handle):
    """The built-in facts, to which entries can be added: Catalog().accelerators["h100-sxm-80gb"].memory."""

    __slots__ = ('_overlays',)

    def __init__(self, *overlays):
        super().__init__()
        self._overlays = []
        for overlay in overlays:
            self.load(overlay)

    def load(self, overlay):
        """Adds or overrides entries from JSON text or a dict, {"accelerators": [{"id": "my-part", "memory": "80GiB"}]}: all or
        nothing. Returns self."""
        data = json.dumps(overlay).encode() if isinstance(overlay, dict) else as_bytes(overlay)
        run(lambda pointer: self._load(pointer, data, len(data)), self, self)
        self._overlays.append(data)
        return self

    def to_json(self):
        """All entries as JSON text, in the form that load() reads."""
        with self._lock:
            return _library.call_text(self._json, self._open(), room=1 << 20)

    def to_dict(self):
        """All entries as nested dicts."""
        return json.loads(self.to_json())

    def __repr__(self):
        if self._p is None:
            return '<Catalog, %s>' % (self._why or 'in use')
        return '<Catalog of %s>' % ', '.join('%d %s' % (len(getattr(self, name)), name) for name in KINDS)

    def __reduce__(self):
        return Catalog, tuple(self._overlays)


for _name, _member in dict(common('catalog'), **functions(
        'catalog', load=(INT, TEXT, SIZE), count=(SIZE, INT), id_at=(TEXT, INT, SIZE), find=(INT, INT, TEXT, P),
        query=(INT, INT, TEXT, INT, P, SIZE, P), get_f64=(INT, SIZE, INT, P), get_text=(SIZE, SIZE, INT, TEXT, SIZE),
        source=(SIZE, INT, SIZE, TEXT, SIZE))).items():
    setattr(Catalog, _name, _member)
for _name, _kind in KINDS.items():
    setattr(Catalog, _name, property(
        lambda catalog, kind=_kind, entry=_entry_class(_kind): CatalogEntries(catalog, kind, entry), None, None,
        'Entries of kind %s.' % _kind[0]))
