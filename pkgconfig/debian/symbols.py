"""Writes the symbols file of libclustersize0: every function of the header, with the release that had it first.

    symbols.py SOURCE_ROOT

Releases are the dumps in tests/abi/released; what none of them has is new in this version.
"""
import glob
import os
import re
import sys


def read(*path):
    with open(os.path.join(*path), encoding='utf-8') as file:
        return file.read()


def released(root):
    """{symbol: (version node, release)}, of the first release that has the symbol under its present node."""
    found = {}
    folders = glob.glob(os.path.join(root, 'tests', 'abi', 'released', '*'))
    for folder in sorted(folders, key=lambda path: [int(n) for n in os.path.basename(path).split('.')]):
        for name, node in re.findall(r"<elf-symbol name='(\w+)' version='([\w.]+)'", read(folder, 'clustersize.abi')):
            if found.get(name, ('',))[0] != node:
                found[name] = node, os.path.basename(folder)
    return found


def main(root):
    header = read(root, 'include', 'clustersize', 'clustersize.h')
    version = re.search(r'#define CSZ_VERSION_STRING "(.*)"', header).group(1)
    node = re.findall(r'^(\w[\w.]*) *\{', read(root, 'lib', 'clustersize.map'), flags=re.M)[-1]
    code = re.sub(r'/\*.*?\*/', '', header, flags=re.S)
    first = released(root)
    lines = ['%s@%s %s' % (node, node, first.get('csz_version_string', (node, version))[1])]
    for name in re.findall(r'^CSZ_API\b[^;(]*?(csz_\w+)\s*\(', code, flags=re.M):
        lines.append('%s@%s %s' % ((name,) + first.get(name, (node, version))))
    print('libclustersize.so.0 libclustersize0 #MINVER#')
    print('* Build-Depends-Package: libclustersize-dev')
    print('\n'.join(' ' + line for line in sorted(lines)))


main(sys.argv[1])
