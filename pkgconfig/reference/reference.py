"""Writes the reference of the library from its headers and its field table: markdown and manual pages.

    reference.py markdown|man3|man7 SOURCE_ROOT PROGRAM

PROGRAM is the built clustersize, whose "list fields --json" prints the table. Nothing is said here that does not stand there.
"""
import json
import os
import re
import subprocess
import sys

EXAMPLES = (('C', 'c', 'examples/c/size.c'), ('C++', 'cpp', 'examples/cpp/size.cc'),
            ('Python', 'python', 'examples/python/size.py'))


def paragraphs(comment):
    """[(is code, text)] of a comment: code is what is set in by four columns."""
    body = re.sub(r'^/\*|\*/$', '', comment)
    lines = [re.sub(r'^[ \t]*\*?[ ]?', '', line) if i and re.match(r'\s*\*', line) else re.sub(r'^ ?', '', line)
             for i, line in enumerate(body.split('\n'))]
    found = []
    for part in re.split(r'\n[ \t]*\n', '\n'.join(line.rstrip() for line in lines)):
        part = part.strip('\n')
        code = bool(part) and all(line.startswith('    ') for line in part.split('\n'))
        if part.strip():
            found.append((code, re.sub(r'(?m)^ {4}', '', part) if code else ' '.join(part.split())))
    return found


def header(text):
    """The header in order: ('section', title), ('text', comment), ('group', comment, declarations)."""
    text = text[text.index('typedef struct'):]
    items, comment = [], ''
    pattern = r'/\*.*?\*/|^(?:CSZ_API|typedef)\b[^;]*;(?:[ \t]*/\*.*?\*/)?'
    for match in re.finditer(pattern, text, flags=re.S | re.M):
        word = match.group(0)
        alone = re.match(r'\n[ \t]*\n', text[match.end():])
        if word.startswith('/* ----'):
            items.append(('section', word.strip('/*- ')))
            comment = ''
        elif word.startswith('/*') and alone:
            items.append(('text', word))
            comment = ''
        elif word.startswith('/*'):
            comment = word
        elif items and items[-1][0] == 'group' and not comment and not items[-1][3]:
            items[-1][2].append(word)
        else:
            items.append(['group', comment, [word], False])
            comment = ''
        if alone and items and items[-1][0] == 'group':
            items[-1][3] = True
    return items


def enumerations(text):
    """[(name, comment, [(enumerator, value, meaning)])]."""
    found = []
    pattern = r'(/\*(?:[^*]|\*(?!/))*\*/)\ntypedef enum (\w+) \{(.*?)\n\} \w+;'
    for comment, name, body in re.findall(pattern, text, flags=re.S):
        rows = []
        for match in re.finditer(r'(\w+)\s*=\s*(\w+),?([ \t]*/\*.*?\*/)?', re.sub(r'(?m)^[ \t]*/\*.*?\*/', '', body, flags=re.S),
                                 flags=re.S):
            if not match.group(1).endswith('_MAX_ENUM'):
                rows.append((match.group(1), match.group(2), ' '.join(text for _, text in paragraphs((match.group(3) or '').strip()))))
        found.append((name, comment, rows))
    return found


class Tree:
    """Everything that the pages are made of."""

    def __init__(self, root, program):
        self.root = root
        self.source = self.read('include/clustersize/clustersize.h')
        enums = enumerations(self.read('include/clustersize/enums.h'))
        self.version = re.search(r'#define CSZ_VERSION_STRING "(.*)"', self.source).group(1)
        self.rules = paragraphs(self.source[:self.source.index('*/') + 2])[1:]
        self.items = header(self.source)
        self.enums = [enum for enum in enums if enum[0] != 'csz_field']
        self.enumerators = {int(row[1]): row[0] for enum in enums if enum[0] == 'csz_field' for row in enum[2]}
        self.examples = [(language, fence, self.read(path)) for language, fence, path in EXAMPLES]
        self.fields = json.loads(subprocess.run([program, 'list', 'fields', '--json'], check=True, stdout=subprocess.PIPE).stdout)

    def read(self, path):
        with open(os.path.join(self.root, path), encoding='utf-8') as file:
            return file.read()


def plain(value):
    return '%d' % value if value == int(value) else '%g' % value


def bounds(field):
    if 'choices' in field:
        return ', '.join(field['choices'])
    if 'lower' in field:
        return '%s to %s' % (plain(field['lower']), plain(field['upper']))
    return ''


def default(field):
    if 'default' not in field:
        return ''
    names = {value: name for name, value in field.get('choices', {}).items()}
    return names.get(field['default'], plain(field['default']))


def full_name(field):
    return field['list'] + '[].' + field['name'] if 'list' in field else field['name']


def declarations(words):
    """Without the mark of export, which is no part of the interface."""
    return '\n'.join(re.sub(r'(?m)^ {8}', '', word[8:]) if word.startswith('CSZ_API ') else word for word in words)


def by_object(fields):
    groups = {}
    for field in fields:
        groups.setdefault(field['object'], []).append(field)
    return groups.items()


# ---- Markdown ----


def cell(text):
    return text.replace('|', '\\|').replace('<', '&lt;').replace('\n', ' ')


def table(columns, rows):
    lines = ['| ' + ' | '.join(columns) + ' |', '|' + ' --- |' * len(columns)]
    lines += ['| ' + ' | '.join(cell(value) for value in row) + ' |' for row in rows]
    return '\n'.join(lines) + '\n'


def fenced(language, code):
    return '```%s\n%s\n```\n' % (language, code.strip('\n'))


def prose(parts):
    return '\n'.join(fenced('c', text) if code else text.replace('<', '&lt;').replace('*', '\\*') + '\n' for code, text in parts)


def markdown(tree):
    out = ['# libclustersize %s\n' % tree.version, '## Rules\n', prose(tree.rules), '## First examples\n']
    for language, fence, code in tree.examples:
        out += ['### %s\n' % language, fenced(fence, code)]
    out += ['## Functions\n', '### Handles\n']
    for item in tree.items:
        if item[0] == 'section':
            out.append('### %s\n' % item[1])
        elif item[0] == 'text':
            out.append(prose(paragraphs(item[1])))
        else:
            out += [fenced('c', declarations(item[2])), prose(paragraphs(item[1]))]
    out.append('## Enumerations\n')
    for name, comment, rows in tree.enums:
        out += ['### %s\n' % name, prose(paragraphs(comment)), table(('enumerator', 'value', 'meaning'), rows)]
    out += ['## Fields\n', 'Figures are in base units. Every field is set and read by the calls of its object.\n']
    for name, fields in by_object(tree.fields):
        out += ['### %s\n' % name, table(
            ('field', 'alias', 'enumerator', 'type', 'unit', 'range', 'default', 'since', 'meaning'),
            [(full_name(f), f.get('alias', ''), tree.enumerators[f['id']], f['type'], f.get('unit', ''), bounds(f), default(f),
              f['since'], f['text']) for f in fields])]
    return '\n'.join(out)


# ---- Manual pages ----


def roff(text):
    text = text.replace('\\', '\\e').replace('-', '\\-')
    return re.sub(r"(?m)^(?=[.'])", '\\\\&', text)


def literal(code):
    return '.Bd -literal\n%s\n.Ed\n' % roff(code.strip('\n'))


def roff_prose(parts):
    return '.Pp\n'.join('%s' % literal(text) if code else roff(sentences(text)) + '\n' for code, text in parts)


def sentences(text):
    """A line a sentence, as manual pages want."""
    return re.sub(r'(?<=[a-z)"\]][.:;]) (?=[A-Z])', '\n', text)


def page(tree, name, section, about):
    return '.Dd August 1, 2026\n.Dt %s %s\n.Os libclustersize %s\n.Sh NAME\n.Nm %s\n.Nd %s\n' % (
        name.upper(), section, tree.version, name, about)


def man3(tree):
    out = [page(tree, 'libclustersize', 3, 'size clusters for training language models'),
           '.Sh LIBRARY\nlibclustersize (\\-lclustersize)\n',
           '.Sh SYNOPSIS\n.In clustersize/clustersize.h\n.In clustersize/clustersize.hpp\n.Pp\n',
           '.Li cc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs clustersize)\n', '.Sh DESCRIPTION\n', roff_prose(tree.rules),
           '.Sh HANDLES\n']
    for item in tree.items:
        if item[0] == 'section':
            out.append('.Sh %s\n' % roff(item[1].upper()))
        elif item[0] == 'text':
            out.append('.Pp\n' + roff_prose(paragraphs(item[1])))
        else:
            out.append('.Pp\n' + literal(declarations(item[2])) + roff_prose(paragraphs(item[1])))
    out.append('.Sh RETURN VALUES\n.Bl -tag -width Ds\n')
    for name, _, rows in tree.enums:
        if name == 'csz_status':
            out += ['.It Dv %s\n%s\n' % (row[0], roff(row[2])) for row in rows]
    out.append('.El\n.Sh EXAMPLES\n')
    out += ['In %s:\n%s' % (language, literal(code)) for language, _, code in tree.examples]
    out.append('.Sh SEE ALSO\n.Xr clustersize 1 ,\n.Xr clustersize_fields 7\n')
    return ''.join(out)


def man7(tree):
    out = [page(tree, 'clustersize_fields', 7, 'fields of workloads, clusters, plans, goals and their answers'),
           '.Sh DESCRIPTION\nFields of libclustersize and of the program, by object.\nFigures are in base units.\n']
    for name, fields in by_object(tree.fields):
        out.append('.Sh %s\n.Bl -tag -width Ds\n' % name.upper())
        for field in fields:
            facts = [field['type'], field.get('unit', ''), bounds(field), 'default ' + default(field) if default(field) else '',
                     'alias ' + field['alias'] if 'alias' in field else '', tree.enumerators[field['id']], 'since ' + field['since']]
            out.append('.It Cm %s\n%s.\n.br\n%s.\n' % (roff(full_name(field)), roff(field['text']),
                                                      roff('; '.join(fact for fact in facts if fact not in ('', 'none')))))
        out.append('.El\n')
    return ''.join(out) + '.Sh SEE ALSO\n.Xr clustersize 1 ,\n.Xr libclustersize 3\n'


if __name__ == '__main__':
    if len(sys.argv) != 4 or sys.argv[1] not in ('markdown', 'man3', 'man7'):
        sys.exit(__doc__)
    sys.stdout.reconfigure(encoding='utf-8', newline='\n')
    sys.stdout.write(globals()[sys.argv[1]](Tree(sys.argv[2], sys.argv[3])))
