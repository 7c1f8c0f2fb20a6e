"""Text with units, the rule of thumb, stacks, and the whole question in one line."""
import ctypes
import json

from . import _errors, _fields, _library
from ._library import F64, INT, P, SIZE, TEXT, Status, encode, function

_parse = function('csz_unit_parse', INT, INT, TEXT, P)
_format = function('csz_unit_format', SIZE, INT, F64, TEXT, SIZE)
_accelerators = function('csz_arithmetic_accelerators', INT, F64, F64, F64, F64, P)
_seconds = function('csz_arithmetic_seconds', INT, F64, F64, F64, F64, P)
_scaling = function('csz_arithmetic_scaling', INT, F64, F64, F64, F64, F64, P, P, P)
_facts = function('csz_version_facts', TEXT)
_stack_count = function('csz_stack_count', SIZE)
_stack_id = function('csz_stack_id_at', TEXT, SIZE)
_stack_source = function('csz_stack_source_at', TEXT, SIZE)
_answer = function('csz_question_answer', SIZE, TEXT, TEXT, SIZE, slow=True)

#: Numbers of csz_unit by the names that fields give them.
UNITS = {}
for _field in _fields.FIELDS:
    if _field.unit:
        UNITS.setdefault(_field.unit, _field.unit_id)


def _unit(unit):
    if unit not in UNITS:
        raise _errors.InvalidValue('unit: no %s; one of %s' % (ascii(unit), ', '.join(UNITS)), Status.ARGUMENT)
    return UNITS[unit]


def parse_unit(text, unit):
    """Text to the base unit: parse_unit("80GiB", "byte"), parse_unit("14d", "second")."""
    value = F64()
    status = _parse(_unit(unit), encode(text), ctypes.byref(value))
    if status != 0:
        raise _library.failure(status, '%s is no %s' % (ascii(text[:64]), unit))
    return value.value


def format_unit(value, unit):
    """A figure for people: four significant digits and a suffix."""
    if isinstance(value, (str, bytes)):
        raise TypeError('value: should be a number, not %s' % type(value).__name__)
    return _library.call_text(_format, _unit(unit), float(value))


def format_field(field, value):
    """A value of a field for people."""
    if value is None:
        return 'unset'
    if isinstance(value, bool):
        return 'yes' if value else 'no'
    if isinstance(value, (int, float)) and field.unit_id:
        return _library.call_text(_format, field.unit_id, value)
    return str(value)


def arithmetic_accelerators(flops, rate, utilization, seconds):
    """The rule of thumb that an estimate replaces: flops / (rate x utilization x seconds), not rounded."""
    return _arithmetic(_accelerators, flops, rate, utilization, seconds)


def arithmetic_seconds(flops, accelerators, rate, utilization):
    """The same for the time: flops / (accelerators x rate x utilization)."""
    return _arithmetic(_seconds, flops, accelerators, rate, utilization)


def arithmetic_scaling(accelerators, seconds, more_accelerators, less_seconds, price):
    """Whether more accelerators are worth it, as (scaling efficiency, extra accelerator-hours, dollars for each day saved)."""
    found = [F64(), F64(), F64()]
    _arithmetic_into(_scaling, found, accelerators, seconds, more_accelerators, less_seconds, price)
    return tuple(value.value for value in found)


def _arithmetic(call, *figures):
    value = F64()
    _arithmetic_into(call, [value], *figures)
    return value.value


def _arithmetic_into(call, values, *figures):
    for figure in figures:
        if isinstance(figure, (str, bytes)):
            raise TypeError('should be a number, not %s' % type(figure).__name__)
    status = call(*map(float, figures), *map(ctypes.byref, values))
    if status != 0:
        raise _library.failure(status, 'figures must be positive and finite, a utilization at most 1, more accelerators faster')


def facts_date():
    """Date of the newest source in the built-in facts, "YYYY-MM"."""
    return _facts().decode()


def stacks():
    """Rows of the stack table: training software by id, with what the row stands for and where it comes from."""
    return {_stack_id(i).decode(): _stack_source(i).decode() for i in range(_stack_count())}


def answer(question):
    """Answers a whole question, text or dict, as a dict: answer("size model=llama-3-70b tokens=1T accelerator=h100-sxm-80gb
    deadline=14d"). What the library refuses raises."""
    text = json.dumps(question) if isinstance(question, dict) else question
    found = json.loads(_library.call_text(_answer, encode(text, 'question'), room=1 << 16))
    if 'error' in found:
        error = found['error']
        status = error.get('status', '')
        number = getattr(Status, status.replace('CSZ_ERR_', ''), None)
        raise _library.failure(number, error.get('message', ''), error.get('field'), error.get('reason'))
    return found
