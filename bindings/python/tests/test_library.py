"""Finding the library and living with another version of it."""
import ctypes
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import clustersize
from clustersize import _calibration, _catalog, _estimate, _inputs, _launch, _library

PACKAGE = os.path.dirname(clustersize.__file__)


class Elsewhere(unittest.TestCase):
    """Runs code on a copy of the package."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.package = os.path.join(self.folder, 'clustersize')
        shutil.copytree(PACKAGE, self.package, ignore=shutil.ignore_patterns('__pycache__'))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def edit(self, name, old, new):
        path = os.path.join(self.package, name)
        with open(path) as file:
            text = file.read()
        self.assertIn(old, text)
        with open(path, 'w') as file:
            file.write(text.replace(old, new))

    def python(self, code, **environment):
        settings = dict(os.environ, PYTHONPATH=self.folder, **environment)
        for name in [name for name, value in settings.items() if value is None or name == 'CLUSTERSIZE_LIBRARY' and not value]:
            del settings[name]
        done = subprocess.run([sys.executable, '-c', code], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True, env=settings)
        return done.returncode, done.stdout + done.stderr


class Finding(Elsewhere):
    def test_a_missing_library_says_where_it_was_looked_for(self):
        code, text = self.python('import clustersize', LD_LIBRARY_PATH='', CLUSTERSIZE_LIBRARY='')
        if code == 0:
            self.skipTest('the loader knows a library here')
        for part in ('ImportError', 'bundled with the package: %s/_bundled/' % self.package, 'the loader: libclustersize.so.0',
                     sys.prefix, 'CLUSTERSIZE_LIBRARY'):
            self.assertIn(part if part != 'ImportError' else 'LibraryNotFound', text)
        code, text = self.python('try:\n import clustersize\nexcept ImportError as e: print("import error")', LD_LIBRARY_PATH='')
        self.assertEqual(text, 'import error\n')

    def test_an_explicit_path_stands_alone(self):
        code, text = self.python('import clustersize', CLUSTERSIZE_LIBRARY='/no/such/library.so')
        self.assertEqual(code, 1)
        self.assertIn('CLUSTERSIZE_LIBRARY: /no/such/library.so: no such file', text)
        self.assertNotIn('the loader', text)
        real = os.path.join(os.environ['CSZ_LIBDIR'], _library.SONAME)
        code, text = self.python('import clustersize; print(clustersize.library_path)', CLUSTERSIZE_LIBRARY=real, LD_LIBRARY_PATH='')
        self.assertEqual((code, text), (0, real + '\n'))

    def test_what_is_no_library_and_what_is_another_one(self):
        path = os.path.join(self.folder, 'text.so')
        with open(path, 'w') as file:
            file.write('not a library')
        code, text = self.python('import clustersize', CLUSTERSIZE_LIBRARY=path)
        self.assertIn('LibraryNotFound', text)
        self.assertIn(path, text)
        code, text = self.python('import clustersize', CLUSTERSIZE_LIBRARY='libm.so.6')
        self.assertIn('libm.so.6 is not libclustersize', text)

    def test_a_bundled_library_comes_before_the_loader(self):
        os.mkdir(os.path.join(self.package, '_bundled'))
        bundled = os.path.join(self.package, '_bundled', _library.SONAME)
        shutil.copy(os.path.join(os.environ['CSZ_LIBDIR'], _library.SONAME), bundled)
        code, text = self.python('import clustersize; print(clustersize.library_path)')
        self.assertEqual((code, text), (0, bundled + '\n'))


class Versions(Elsewhere):
    """A later binding on this library is an older library under that binding."""

    def test_a_library_below_the_oldest_is_refused(self):
        self.edit('_library.py', "OLDEST = '0.1.0'", "OLDEST = '9.9.9'")
        code, text = self.python('import clustersize')
        self.assertEqual(code, 1)
        self.assertIn('is version %s; clustersize for Python' % clustersize.library_version, text)
        self.assertIn('needs 9.9.9 or newer', text)

    def test_a_field_that_only_a_newer_library_has_says_which(self):
        with open(os.path.join(self.package, '_known.py'), 'a') as file:
            file.write('_add("9.9.9", "plan", "pipes")\n_add("9.9.9", "estimate", "memory.ghosts stages.ghosts")\n'
                       '_add("9.9.9", "workload", "kinds.pipes")\n_add("9.9.9", "offer", "pipes")\n')
        code, text = self.python('''
import clustersize as c
w, k = c.Workload(model="llama-3-8b", tokens="1T"), c.Cluster(accelerator="h100-sxm-80gb", accelerators=8)
e, p = c.estimate(w, k), c.Plan()
def set_pipes(): p.pipes = 3
for act in (lambda: p.pipes, set_pipes, lambda: c.Plan(pipes=3), lambda: p.get("pipes"), lambda: e.memory.ghosts,
            lambda: e.stages[0].ghosts, lambda: w.pipes, lambda: w.kinds[0].pipes, lambda: c.Catalog().offers[0].pipes,
            lambda: e.get("memory.ghosts"), lambda: c.answer_rows([{"pipes": 1}], figures=["memory.ghosts"])):
    try:
        act()
        print("silent")
    except AttributeError as error:
        print(error)
print(p.tensor_parallel, e.memory.fit)
''')
        lines = text.splitlines()
        self.assertEqual((code, lines[-1]), (0, '1 no'), text)
        self.assertEqual(len(lines), 12)
        for line in lines[:-1]:
            self.assertIn('came with libclustersize 9.9.9; ', line)
            self.assertIn('is version %s' % clustersize.library_version, line)

    def test_a_field_of_a_newer_library_is_there_without_a_new_binding(self):
        self.edit('_known.py', 'tensor_parallel', '')
        code, text = self.python('import clustersize; p = clustersize.Plan(tp=4); print(p.tensor_parallel)')
        self.assertEqual((code, text), (0, '4\n'))

    def test_a_function_that_is_not_there_says_which_version_has_it(self):
        call = _library.function('csz_ranking_dream', ctypes.c_int, since='9.9.9')
        with self.assertRaises(clustersize.Error) as caught:
            call(1, 2)
        self.assertIn('csz_ranking_dream came with libclustersize 9.9.9', str(caught.exception))


class Constants(unittest.TestCase):
    """What the binding knows by number is what the header says."""

    def setUp(self):
        with open(os.path.join(os.environ['CSZ_INCLUDE'], 'clustersize', 'enums.h')) as file:
            self.numbers = dict(re.findall(r'^\s*(CSZ_\w+) =\s+(\d+)', file.read(), flags=re.M))

    def agree(self, prefix, table):
        there = {name[len(prefix):].lower(): int(number) for name, number in self.numbers.items() if name.startswith(prefix)}
        self.assertTrue(there)
        self.assertEqual({name: there.get(name) for name in table}, table)
        self.assertEqual(len(table), len(there) - (1 if 'max_enum' in there else 0), prefix)

    def test_enumerators(self):
        self.agree('CSZ_SOURCE_', dict(_inputs.SOURCES, **_launch.SOFTWARE))
        self.agree('CSZ_LAUNCH_PART_', _launch.PARTS)
        self.agree('CSZ_DEPTH_', _estimate.DEPTHS)
        self.agree('CSZ_KIND_', dict(_catalog.KINDS.values()))
        self.agree('CSZ_COLLECTIVE_', {name or 'unknown': number for name, number in _calibration.COLLECTIVES.items()})
        for status in clustersize.Status:
            self.assertEqual(int(self.numbers['CSZ_OK' if status == 0 else 'CSZ_ERR_' + status.name]), status)

    def test_every_field_and_version(self):
        for field in clustersize.fields:
            self.assertIn(str(field.id), self.numbers.values())
        with open(os.path.join(os.environ['CSZ_INCLUDE'], 'clustersize', 'clustersize.h')) as file:
            header = file.read()
        self.assertIn('CSZ_VERSION_STRING "%s"' % clustersize.__version__, header)
        self.assertEqual(clustersize.library_version, clustersize.__version__)

    def test_every_function_of_the_header_is_used(self):
        with open(os.path.join(os.environ['CSZ_INCLUDE'], 'clustersize', 'clustersize.h')) as file:
            declared = set(re.findall(r'^CSZ_API [^;]*?\b(csz_\w+)\(', file.read(), flags=re.M))
        used = set()
        for name in os.listdir(PACKAGE):
            if name.endswith('.py'):
                with open(os.path.join(PACKAGE, name)) as file:
                    text = file.read()
                used.update(name for found in re.findall(r"'(csz_\w+)'|_quick\.(csz_version_string)", text) for name in found)
                for kind, body in re.findall(r"functions\(\s*'?(\w+)'?,(.*?)\)\)", text, flags=re.S):
                    for verb in re.findall(r'(\w+)=\(', body):
                        used.update('csz_%s_%s' % (each, verb) for each in (
                            ('workload', 'cluster', 'plan', 'goal') if kind == 'object_name' else (kind,)))
        for kind in ('workload', 'cluster', 'plan', 'goal', 'estimate', 'ranking', 'projection', 'calibration', 'catalog'):
            used.update('csz_%s_%s' % (kind, verb) for verb in ('new', 'free', 'error', 'to_json'))
        # Tables give what these answer one by one; an allocator and a number have no use in Python.
        spared = {'csz_context_new', 'csz_context_free', 'csz_version_number', 'csz_field_name', 'csz_field_alias', 'csz_field_list',
                  'csz_field_text', 'csz_field_type', 'csz_field_choice', 'csz_field_bounds', 'csz_field_default', 'csz_field_by_name',
                  'csz_calibration_get_text_at'}
        self.assertEqual(declared - used, spared, 'functions that the binding neither calls nor is spared')


if __name__ == '__main__':
    unittest.main()
