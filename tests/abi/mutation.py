"""Proves the gate: copies of the sources are changed and built, and each change is caught by the check that should
catch it; changes that break nothing pass.

    mutation.py SOURCE_ROOT CC...
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT, CC = pathlib.Path(sys.argv[1]), sys.argv[2:]
HERE = ROOT / 'tests' / 'abi'
FLAGS = ['-std=c11', '-O0', '-g', '-fPIC', '-fvisibility=hidden', '-w']
SYMBOLS, COMPATIBLE, FIELDS, CONSTANTS = 'symbols', 'compatible', 'fields', 'constants'


class Tree:
    """A copy of the sources with its built library."""

    def __init__(self, place, base=None):
        self.place = pathlib.Path(place)
        self.soname = 'libclustersize.so.0'
        self.base = base
        shutil.copytree(ROOT / 'lib', self.place / 'lib')
        shutil.copytree(ROOT / 'include', self.place / 'include')
        self.sources = sorted(path.relative_to(self.place) for path in (self.place / 'lib').rglob('*.c'))
        self.shared = self.place / 'libclustersize.so'
        self.archive = self.place / 'libclustersize.a'

    def change(self, path, old, new):
        file = self.place / path
        text = file.read_text(encoding='utf-8')
        pattern = r'\s+'.join(re.escape(word) for word in old.split())  # line breaks move, words stay
        text, found = re.subn(pattern, lambda match: new.strip(' '), text, count=1)
        if not found:
            sys.exit('mutation of %s: %r is not there any more' % (path, old))
        file.write_text(text, encoding='utf-8')

    def changed_everywhere(self):
        """A changed header changes every object."""
        for path in [*self.place.rglob('*.h'), *self.place.rglob('*.inc')]:
            if path.read_bytes() != (self.base.place / path.relative_to(self.place)).read_bytes():
                return True
        return False

    def build(self):
        """Objects of unchanged sources are taken from the base."""
        everything = self.base is None or self.changed_everywhere()
        running, objects = [], []
        for source in self.sources:
            target = self.place / (str(source).replace('/', '_') + '.o')
            same = not everything and (self.place / source).read_bytes() == (self.base.place / source).read_bytes()
            objects.append(str(self.base.place / target.name if same else target))
            if not same:
                running.append(subprocess.Popen(CC + FLAGS + ['-Iinclude', '-Ilib', '-c', str(source), '-o', str(target)],
                                                cwd=self.place))
                while sum(process.poll() is None for process in running) >= (os.cpu_count() or 1):
                    next(process for process in running if process.poll() is None).wait()
        if any(process.wait() != 0 for process in running):
            sys.exit('the changed sources do not build')
        subprocess.run(CC + ['-shared', '-Wl,-soname,' + self.soname, '-Wl,--version-script=lib/clustersize.map', '-o',
                             str(self.shared)] + objects + ['-lm'], cwd=self.place, check=True)
        subprocess.run(['ar', 'rcs', str(self.archive)] + objects, check=True)

    def fields_program(self):
        program = self.place / 'dump_fields'
        if not program.exists():
            subprocess.run(CC + ['-std=c11', '-I' + str(self.place / 'include'), str(HERE / 'dump_fields.c'),
                                 str(self.archive), '-lm', '-o', str(program)], check=True)
        return program

    def release(self, released):
        """The dumps that release.sh writes."""
        released.mkdir(parents=True)
        subprocess.run(['sh', str(HERE / 'dump.sh'), str(self.shared), str(self.place / 'include'),
                        str(released / 'clustersize.abi')], check=True)
        (released / 'fields.txt').write_bytes(subprocess.check_output([str(self.fields_program())]))
        (released / 'constants.txt').write_bytes(subprocess.check_output(self.constants()))

    def constants(self):
        return [sys.executable, str(HERE / 'constants.py'), str(self.place / 'include/clustersize/enums.h')]

    def check(self, what, released):
        """0 when the check is content."""
        if what == SYMBOLS:
            command = [sys.executable, str(HERE / 'symbols.py'), '--shared', str(self.shared), '--archive',
                       str(self.archive), '--header', str(self.place / 'include/clustersize/clustersize.h'),
                       '--undefined', str(HERE / 'undefined.txt')]
        elif what == COMPATIBLE:
            command = ['sh', str(HERE / 'compatible.sh'), str(self.shared), str(self.place / 'include'), str(released),
                       str(self.place / 'lib/clustersize.map')]
        else:
            dump = [str(self.fields_program())] if what == FIELDS else self.constants()
            command = [sys.executable, str(HERE / 'promises.py'), what, str(released)] + dump
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.output = done.stdout
        return done.returncode


HEADER, ENUMS = 'include/clustersize/clustersize.h', 'include/clustersize/enums.h'
FACTS = 'CSZ_API const char *csz_version_facts(void);'


def removed_function(tree):
    tree.change(HEADER, FACTS, '')
    tree.change('lib/api/context.c', 'const char *csz_version_facts(void)',
                'static const char *csz_version_facts(void);\nstatic const char *csz_version_facts(void)')


def undefined_function(tree):
    tree.change('lib/api/context.c', 'const char *csz_version_facts(void)', 'const char *cszi_version_facts(void)')


def undeclared_function(tree):
    tree.change('lib/api/context.c', '#include "api/handles.h"',
                '#include "api/handles.h"\nCSZ_API int csz_secret(void);\nint csz_secret(void) { return 1; }')


def stray_global(tree):
    tree.change('lib/api/context.c', '#include "api/handles.h"', '#include "api/handles.h"\nint stray_global = 1;')


def foreign_call(tree):
    tree.change('lib/api/context.c', '#include "api/handles.h"', '#include "api/handles.h"\n#include <stdlib.h>')
    tree.change('lib/api/context.c', 'return CSZ_VERSION_STRING;', 'return getenv("CSZ") ? "" : CSZ_VERSION_STRING;')


def changed_value(tree):
    tree.change(ENUMS, 'CSZ_FIT_YES = 2', 'CSZ_FIT_YES = 3')


def removed_value(tree):
    tree.change(ENUMS, 'CSZ_JOB_MAX_ENUM', 'CSZ_JOB_ODD = 77, CSZ_JOB_MAX_ENUM')
    tree.change(ENUMS, '    CSZ_REASON_VIRTUAL = 13,', '    CSZ_REASON_VIRTUAL_PIPELINE = 13,')
    for path in sorted((tree.place / 'lib').rglob('*.[ch]')):
        path.write_text(path.read_text().replace('CSZ_REASON_VIRTUAL', 'CSZ_REASON_VIRTUAL_PIPELINE'))


def changed_type(tree):
    tree.change(HEADER, 'CSZ_API int32_t csz_version_number(void)', 'CSZ_API int64_t csz_version_number(void)')
    tree.change('lib/api/context.c', 'int32_t csz_version_number(void)', 'int64_t csz_version_number(void)')


def changed_parameter(tree):
    tree.change(HEADER, 'csz_field_at(size_t index)', 'csz_field_at(int32_t index)')
    tree.change('lib/api/fields.c', 'csz_field_at(size_t index)', 'csz_field_at(int32_t index)')


def changed_soname(tree):
    tree.soname = 'libclustersize.so.1'


def renamed_field(tree):
    tree.change('lib/plan/fields.inc', '"tensor_parallel", "tp"', '"tensor_parallelism", "tp"')


def lost_alias(tree):
    tree.change('lib/plan/fields.inc', '"tensor_parallel", "tp"', '"tensor_parallel", ""')


def narrower_bound(tree):
    tree.change('lib/plan/fields.inc', '"tp", I64, COUNT, 1, 65536', '"tp", I64, COUNT, 1, 1024')


def private_growth(tree):
    """A longer private struct, a new private function, a new enumerator, a wider bound, a new public function."""
    tree.change('lib/api/handles.h', 'struct csz_context {', 'struct csz_context {\n    double grown[8];')
    tree.change('lib/plan/fields.inc', '"tp", I64, COUNT, 1, 65536', '"tp", I64, COUNT, 1, 131072')
    tree.change(ENUMS, '    CSZ_REASON_MAX_ENUM', '    CSZ_REASON_NEW = 999,\n    CSZ_REASON_MAX_ENUM')
    tree.change(HEADER, FACTS, FACTS + '\nCSZ_API int32_t csz_version_new(void);')
    tree.change('lib/api/context.c', 'const char *csz_version_facts(void)',
                'int32_t csz_version_new(void)\n{\n    return 1;\n}\nint cszi_new(void);\nint cszi_new(void)\n{\n'
                '    return 1;\n}\nconst char *csz_version_facts(void)')


MUTATIONS = [
    (removed_function, COMPATIBLE), (undefined_function, SYMBOLS), (undeclared_function, SYMBOLS),
    (stray_global, SYMBOLS), (foreign_call, SYMBOLS), (changed_value, CONSTANTS), (removed_value, CONSTANTS),
    (changed_type, COMPATIBLE), (changed_parameter, COMPATIBLE), (changed_soname, COMPATIBLE), (renamed_field, FIELDS),
    (lost_alias, FIELDS), (narrower_bound, FIELDS), (private_growth, None),
]


def main():
    for tool in ('abidw', 'abidiff', 'nm', 'readelf', 'ar'):
        if shutil.which(tool) is None:
            print('no ' + tool)
            return 77
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        base = Tree(work / 'base')
        base.build()
        base.release(work / 'released' / 'base')
        for what in (SYMBOLS, COMPATIBLE, FIELDS, CONSTANTS):
            if base.check(what, work / 'released') != 0:
                print('%s is not content with the unchanged sources:\n%s' % (what, base.output))
                return 1
        for mutate, caught_by in MUTATIONS:
            tree = Tree(work / mutate.__name__, base)
            mutate(tree)
            if caught_by != CONSTANTS:
                tree.build()
            for what in [caught_by] if caught_by else (SYMBOLS, COMPATIBLE, FIELDS, CONSTANTS):
                code = tree.check(what, work / 'released')
                good = code == (1 if caught_by else 0)
                failed += not good
                print('%-20s %-10s %s' % (mutate.__name__, what, 'ok' if good else 'WRONG (%d)\n%s' % (code, tree.output)))
            shutil.rmtree(tree.place)
    return 1 if failed else 0


sys.exit(main())
