"""Holds a dump of this build against those of the releases: nothing that was promised is gone.

    promises.py fields|constants RELEASED_DIR COMMAND...

Constants: every line of a release is still there. Fields: every field has its id, name, type, unit, list and alias;
its bounds are as wide at least, and every choice is there. Defaults and new lines are free.
"""
import pathlib
import subprocess
import sys


def lines(text):
    return [line for line in text.splitlines() if line]


def missing_constants(old, new):
    have = set(lines(new))
    return [line for line in lines(old) if line not in have]


def narrower(old, new):
    """Whether bounds or choices of a row took something back."""
    lower, upper, _, choices = old
    if lower != '-' and (new[0] == '-' or float(new[0]) > float(lower) or float(new[1]) < float(upper)):
        return True
    return choices != '-' and not set(choices.split(',')) <= set(new[3].split(','))


def missing_fields(old, new):
    have = {line.split('\t')[0]: line.split('\t') for line in lines(new)}
    gone = []
    for line in lines(old):
        row = line.split('\t')
        now = have.get(row[0])
        if now is None or now[:5] != row[:5] or (row[5] != '-' and now[5] != row[5]) or narrower(row[6:], now[6:]):
            gone.append('%s\n  now: %s' % (line, '\t'.join(now) if now else 'not there'))
    return gone


def main():
    what, released, command = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    new = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    dumps = sorted(released.glob('*/%s.txt' % what))
    bad = 0
    if not lines(new):
        sys.exit('nothing was dumped')
    for dump in dumps:
        old = dump.read_text(encoding='utf-8')
        for line in (missing_fields if what == 'fields' else missing_constants)(old, new):
            print('%s promised: %s' % (dump.parent.name, line))
            bad += 1
    print('%d %s, %d releases, %d broken promises' % (len(lines(new)), what, len(dumps), bad))
    if not dumps:
        return 77
    return 1 if bad else 0


sys.exit(main())
