"""How objects look: one line, a text table, HTML for notebooks, flat rows for data frames."""
import html

from . import _errors, _fields

escape = html.escape


def flatten(nested, prefix=''):
    """Nested dicts and lists as one dict: {"phases": [{"tokens": 1}]} becomes {"phases[0].tokens": 1}."""
    flat = {}
    for name, value in nested.items():
        if isinstance(value, dict):
            flat.update(flatten(value, '%s%s.' % (prefix, name)))
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for i, element in enumerate(value):
                flat.update(flatten(element, '%s%s[%d].' % (prefix, name, i)))
        else:
            flat[prefix + name] = value
    return flat


def estimate_row(nested):
    """The figures of an estimate's dict without its lists; a band as name.low and name.high. All rows have all columns."""
    row = {}
    for field in _fields.BY_OBJECT['estimate']:
        if field.list:
            continue
        group, _, name = field.name.partition('.')
        figures = nested.get(group, {})
        row[field.name] = figures.get(name)
        if field.type == 'range':
            row[field.name + '.low'], row[field.name + '.high'] = figures.get(name + '_range', (figures.get(name),) * 2)
    return row


def pairs(handle):
    """An input as the text that set() takes."""
    flat = flatten(handle.to_dict())
    return ' '.join('%s=%s' % (name, _pair_value(value)) for name, value in flat.items() if value is not None)


def _pair_value(value):
    if isinstance(value, bool):
        return 'yes' if value else 'no'
    return '%s' % (value,)


def _format(field, value):
    from ._units import format_field
    if hasattr(value, 'low') and value.low != value.high:
        return '%s (%s to %s)' % tuple(format_field(field, number) for number in (value.likely, value.low, value.high))
    return format_field(field, value)


def settings(handle):
    """(field, value) of what is set in an input; elements of lists carry their place."""
    found = []
    for name, value in flatten(handle.to_dict()).items():
        field = _fields.BY_NAME[handle._object].get(name.rpartition('.')[2])
        found.append((field, value, name))
    return found


def figures(estimate, prefix=''):
    """(field, value) of the figures that are there."""
    found = []
    for field in _fields.BY_OBJECT['estimate' if not hasattr(estimate, '_object') else estimate._object]:
        if field.list or not field.name.startswith(prefix):
            continue
        try:
            value = _value(estimate, field)
        except _errors.Unset:
            continue
        if value is not None:
            found.append((field, value))
    return found


def _value(handle, field):
    target = handle
    for part in field.name.split('.'):
        target = getattr(target, part)
    return target


def _cells(entry):
    field, value = entry[0], entry[1]
    name = entry[2] if len(entry) > 2 else field.name
    return name, (_format(field, value) if field is not None else str(value)), field.text if field is not None else ''


def text_table(entries):
    """Names and values in two columns."""
    cells = [_cells(entry) for entry in entries]
    width = max((len(name) for name, _, _ in cells), default=0)
    return '\n'.join('%-*s  %s' % (width, name, value) for name, value, _ in cells)


def html_table(entries):
    """Names, values and meanings; every text is escaped."""
    rows = ''.join('<tr><th style="text-align:left">%s</th><td style="text-align:right">%s</td>'
                   '<td style="text-align:left">%s</td></tr>' % tuple(escape(cell) for cell in _cells(entry)) for entry in entries)
    return '<table>%s</table>' % rows


def html_rows(rows):
    """Dicts as a table with the union of their keys as columns."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    head = ''.join('<th>%s</th>' % escape(str(name)) for name in columns)
    body = ''.join('<tr>%s</tr>' % ''.join(
        '<td>%s</td>' % escape('' if row.get(name) is None else str(row[name])) for name in columns) for row in rows)
    return '<table><tr>%s</tr>%s</table>' % (head, body)


def _known(estimate, name):
    field = _fields.BY_NAME['estimate'].get(name)
    value = estimate.get(name) if field is not None else None
    return None if value is None else _format(field, value)


def estimate_line(estimate):
    """An estimate in one line."""
    if estimate._p is None:
        return '<Estimate, %s>' % (estimate._why or 'in use')
    total = _known(estimate, 'parameters.total')
    if total is None:
        return '<Estimate, nothing computed>'
    parts = ['%s parameters' % total]
    memory, usable, fit = (_known(estimate, 'memory.' + name) for name in ('total', 'usable', 'fit'))
    if memory is not None:
        parts.append('memory %s of %s, fits: %s' % (memory, usable, fit))
    for label, name in (('step', 'step.time'), ('MFU', 'step.mfu'), ('run', 'run.time'), ('cost', 'run.cost')):
        value = _known(estimate, name)
        if value is not None:
            parts.append('%s %s' % (label, value))
    return '<Estimate of %s>' % '; '.join(parts)


def ranking_rows(ranking):
    """What a person compares: one short row an entry."""
    rows = []
    for plan, estimate in ranking:
        row = {'plan': pairs(plan), 'accelerators': _known(estimate, 'batch.accelerators')}
        for label, name in (('memory', 'memory.total'), ('fits', 'memory.fit'), ('step', 'step.time'), ('MFU', 'step.mfu'),
                            ('run', 'run.time'), ('cost', 'run.cost')):
            row[label] = _known(estimate, name)
        rows.append(row)
    return rows


def ranking_line(ranking):
    """A ranking in one line."""
    if ranking._p is None:
        return '<Ranking, %s>' % (ranking._why or 'in use')
    count = len(ranking)
    if count == 0:
        return '<Ranking of no plan; rejected: %s>' % (', '.join(
            '%d %s' % (rejection.plans, rejection.reason) for rejection in ranking.rejected) or 'none')
    plan, estimate = ranking[0]
    return '<Ranking of %d, first: %s; step %s, run %s>' % (
        count, pairs(plan), _known(estimate, 'step.time'), _known(estimate, 'run.time'))
