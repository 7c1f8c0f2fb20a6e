"""The library's own tables of fields: everything else in the package is generated from them."""
import json

from . import _errors, _library
from ._known import KNOWN
from ._library import INT, SIZE, TEXT, function


class Field:
    """A row of the library's field table.

    id, object, name, alias (or ""), list (the list it belongs to, or ""), type ("integer", "number", "choice", "boolean",
    "text", "range"), unit, lower and upper (bounds of an input), default, choices (names and numbers, or None), since (the
    version that added it), text (meaning, with the source of its formula).
    """

    __slots__ = ('id', 'object', 'name', 'alias', 'list', 'type', 'unit', 'lower', 'upper', 'default', 'choices',
                 'since', 'text', 'unit_id', 'by_number')

    def __init__(self, row, unit_id):
        for key in ('alias', 'list', 'unit'):
            setattr(self, key, row.get(key, ''))
        for key in ('id', 'object', 'name', 'type', 'lower', 'upper', 'default', 'choices', 'since', 'text'):
            setattr(self, key, row.get(key))
        self.unit_id = unit_id
        self.by_number = {number: name for name, number in self.choices.items()} if self.choices else None

    def __repr__(self):
        return '<Field %s of %s>' % (self.name, self.object)

    def describe(self):
        """Meaning, unit, bounds, default, choices and version, as a docstring."""
        facts = ['%s%s' % (self.type, ', unit %s' % self.unit if self.unit not in ('', 'none') else '')]
        if self.choices and self.type == 'choice':
            facts.append('one of ' + ', '.join(self.choices))
        elif self.lower is not None and self.type != 'boolean':
            facts.append('from %s to %s' % (_plain(self.lower), _plain(self.upper)))
        if self.default is not None:
            shown = self.by_number.get(int(self.default)) if self.by_number else _plain(self.default)
            facts.append('default %s' % shown)
        facts.append('since %s' % self.since)
        return '%s.\n\n%s.' % (self.text, '; '.join(facts))


def _plain(value):
    return '{:,}'.format(int(value)) if float(value).is_integer() and abs(value) < 1e15 else '%g' % value


_count = function('csz_field_count', SIZE)
_at = function('csz_field_at', INT, SIZE)
_to_json = function('csz_field_to_json', SIZE, INT, TEXT, SIZE)
_unit = function('csz_field_unit', INT, INT)


def _read(identity):
    return Field(json.loads(_library.call_text(_to_json, identity)), _unit(identity))


#: All fields, in the order of their ids.
FIELDS = [_read(_at(i)) for i in range(_count())]
BY_ID = {field.id: field for field in FIELDS}
BY_OBJECT = {}
for _field in FIELDS:
    BY_OBJECT.setdefault(_field.object, []).append(_field)
#: Names and aliases of each object. A list's own names come first, then aliases.
BY_NAME = {}
for _object, _rows in BY_OBJECT.items():
    BY_NAME[_object] = {}
    for _field in _rows:
        _full = '%s.%s' % (_field.list, _field.name) if _field.list and '.' not in _field.name else None
        for _name in (_field.name, _full, _field.alias):
            if _name:
                BY_NAME[_object].setdefault(_name, _field)


def too_new(object_name, name):
    """The sentence about a field that the binding knows and the library lacks; None when it knows none."""
    known = KNOWN.get(object_name, {})
    since = known.get(name) or next((known[full] for full in known if full.endswith('.' + name)), None)
    if since is None:
        return None
    return '%s.%s came with libclustersize %s; %s is version %s' % (
        object_name, name, since, _library.path, _library.version)


def find(object_name, name):
    """The field of an object by name or alias."""
    if not isinstance(name, str):
        raise TypeError('name of a field: should be str, not %s' % type(name).__name__)
    field = BY_NAME[object_name].get(name)
    if field is None:
        raise _errors.UnknownField(
            too_new(object_name, name) or 'no field %s of %s' % (ascii(name[:64]), object_name),
            _library.Status.FIELD, name)
    return field


def name_of(identity):
    """Name of a field by id, None for no field."""
    field = BY_ID.get(identity)
    return field.name if field is not None else None


def full_name(field):
    """Name that is unique within the object: of a list's field with the list in front."""
    return '%s.%s' % (field.list, field.name) if field.list else field.name


def missing(object_name):
    """Full names that the binding knows of an object and the library lacks."""
    there = {full_name(field) for field in BY_OBJECT.get(object_name, ())}
    return [name for name in KNOWN.get(object_name, {}) if name not in there]
