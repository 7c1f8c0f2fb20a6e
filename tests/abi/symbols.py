"""Compares what the built libraries export and need with what the header declares and a list allows.

    symbols.py --shared LIB.so --archive LIB.a --header clustersize.h --undefined undefined.txt [--sanitized]
"""
import argparse
import re
import subprocess
import sys

NEEDED = re.compile(r'(libm|libc|ld-linux[-.a-z0-9_]*|libc\.musl[-.a-z0-9_]*)\.so(\.\d+)?$')


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def names(output):
    """Last column of nm without symbol versions, lines that name an archive member left out."""
    lines = (line.split() for line in output.splitlines())
    return {words[-1].split('@')[0] for words in lines if len(words) >= 2}


def declared(header):
    text = re.sub(r'/\*.*?\*/', '', open(header, encoding='utf-8').read(), flags=re.S)
    return set(re.findall(r'^CSZ_API\b[^;(]*?(csz_\w+)\s*\(', text, flags=re.M))


def allowed(path):
    lines = (line.split('#')[0].strip() for line in open(path, encoding='utf-8'))
    return {line for line in lines if line}


def main():
    parser = argparse.ArgumentParser()
    for option in ('shared', 'archive', 'header', 'undefined'):
        parser.add_argument('--' + option, required=True)
    parser.add_argument('--sanitized', action='store_true')
    options = parser.parse_args()
    problems = []

    exported = names(run('nm', '-D', '--defined-only', options.shared)) - {'CLUSTERSIZE_0.1'}
    exported = {name for name in exported if not re.match(r'CLUSTERSIZE_[0-9.]+$', name)}
    wanted = declared(options.header)
    if len(wanted) < 10:
        problems.append('only %d functions are declared: is the header read right?' % len(wanted))
    problems += ['declared but not exported: ' + name for name in sorted(wanted - exported)]
    problems += ['exported but not declared: ' + name for name in sorted(exported - wanted)]

    if not options.sanitized:
        for name in sorted(names(run('nm', '-g', '--defined-only', options.archive))):
            if not re.match(r'cszi?_', name):
                problems.append('global of the archive without prefix: ' + name)
        for name in sorted(names(run('nm', '-D', '--undefined-only', options.shared)) - allowed(options.undefined)):
            problems.append('needed from outside but not in %s: %s' % (options.undefined, name))
        for library in re.findall(r'\(NEEDED\).*\[(.*)\]', run('readelf', '-dW', options.shared)):
            if not NEEDED.match(library):
                problems.append('needs the library ' + library)

    for problem in problems:
        print(problem)
    print('%d functions, %d problems' % (len(exported), len(problems)))
    return 1 if problems else 0


sys.exit(main())
