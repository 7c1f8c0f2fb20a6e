"""pip: with a system library, with one bundled, from an archive; nothing is fetched. And the Dask example, where Dask is."""
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
BINDING = os.path.dirname(HERE)
SONAME = 'libclustersize.so.0'
CODE = ('import clustersize as c; e = c.estimate(c.Workload(model="llama-3-8b")); '
        'print(e.parameters.total, c.__version__, c.library_path)')


def run(*command, **environment):
    settings = {name: value for name, value in dict(os.environ, **environment).items() if value != ''}
    settings.pop('PYTHONDONTWRITEBYTECODE', None)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, env=settings)
    return done.returncode, done.stdout


def without_pip():
    return run(sys.executable, '-m', 'pip', '--version')[0] != 0


@unittest.skipIf(without_pip(), 'no pip: the other tests use the wheel that the backend makes')
class Pip(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.site = os.path.join(self.folder.name, 'site')

    def tearDown(self):
        self.folder.cleanup()

    def install(self, *options, source=BINDING, **environment):
        code, text = run(sys.executable, '-m', 'pip', 'install', '--no-index', '--no-cache-dir', '--disable-pip-version-check',
                         '--target', self.site, source, *options, PYTHONPATH='', **environment)
        self.assertEqual(code, 0, text)

    def python(self, **environment):
        return run(sys.executable, '-c', CODE, PYTHONPATH=self.site, **environment)

    def test_with_a_system_library(self):
        self.install()
        code, text = self.python()
        self.assertEqual((code, text), (0, '8030261248 0.1.0 %s\n' % SONAME))
        code, text = self.python(LD_LIBRARY_PATH='')
        if code != 0:
            self.assertIn('Looked for', text)

    def test_with_one_bundled_from_a_path(self):
        self.install('--config-settings=bundle=' + os.path.join(os.environ['CSZ_LIBDIR'], SONAME))
        code, text = self.python(LD_LIBRARY_PATH='')
        self.assertEqual((code, text), (0, '8030261248 0.1.0 %s\n' % os.path.join(self.site, 'clustersize', '_bundled', SONAME)))

    def test_from_an_archive(self):
        sys.path.insert(0, BINDING)
        import build_backend
        name = build_backend.build_sdist(self.folder.name)
        self.install(source=os.path.join(self.folder.name, name))
        self.assertEqual(self.python()[0], 0)

    def test_a_bundle_that_is_not_there_is_said(self):
        code, text = run(sys.executable, '-m', 'pip', 'install', '--no-index', '--target', self.site, BINDING,
                         CLUSTERSIZE_BUNDLE='/no/such.so', PYTHONPATH='')
        self.assertNotEqual(code, 0)
        self.assertIn('/no/such.so is no file', text)


class Wheel(unittest.TestCase):
    def test_the_tag_says_whether_a_library_is_inside_and_the_bytes_repeat(self):
        sys.path.insert(0, BINDING)
        import build_backend
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
            names = [build_backend.build_wheel(folder) for folder in (one, two)]
            self.assertTrue(names[0].endswith('-py3-none-any.whl'))
            with open(os.path.join(one, names[0]), 'rb') as a, open(os.path.join(two, names[1]), 'rb') as b:
                self.assertEqual(a.read(), b.read())
            name = build_backend.build_wheel(one, {'bundle': os.path.join(os.environ['CSZ_LIBDIR'], SONAME)})
            self.assertNotIn('-any', name)


class Dask(unittest.TestCase):
    def test_the_example(self):
        code, text = run(sys.executable, os.path.join(BINDING, 'examples', 'dask_sweep.py'), '4000', '2')
        print(text, flush=True)
        self.assertIn(code, (0, 77))
        if code == 77:
            self.skipTest(text.strip())
        self.assertIn('4096 questions', text)


if __name__ == '__main__':
    unittest.main()
