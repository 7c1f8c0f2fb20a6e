"""Prints every public enumerator and every numeric macro with its value, one line each.

    constants.py HEADER...
"""
import re
import sys

for path in sys.argv[1:]:
    text = re.sub(r'/\*.*?\*/', '', open(path, encoding='utf-8').read(), flags=re.S)
    for name, body in re.findall(r'typedef\s+enum\s+(\w+)\s*\{(.*?)\}\s*\1;', text, flags=re.S):
        seen = {}
        for entry in filter(None, (part.strip() for part in body.split(','))):
            match = re.fullmatch(r'(CSZ_\w+)\s*=\s*(-?\d+|0x[0-9a-f]+)', entry)
            if match is None:
                sys.exit('%s: %s: not of the form NAME = NUMBER' % (path, entry))
            value = int(match.group(2), 0)
            if value in seen:
                sys.exit('%s: %s and %s have the same value' % (path, seen[value], match.group(1)))
            seen[value] = match.group(1)
            print('%s\t%s\t%d' % (name, match.group(1), value))
        if 0x7fffffff not in seen or not seen[0x7fffffff].endswith('_MAX_ENUM'):
            sys.exit('%s: %s does not end with _MAX_ENUM = 0x7fffffff' % (path, name))
    if len(re.findall(r'\benum\b', text)) != len(re.findall(r'typedef\s+enum\s+(\w+)\s*\{.*?\}\s*\1;', text, flags=re.S)):
        sys.exit('%s: an enumeration that is not read' % path)
