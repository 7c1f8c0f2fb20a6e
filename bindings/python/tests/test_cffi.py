"""The cffi examples, run on the installed cdef file, headers and library."""
import os
import subprocess
import sys
import sysconfig
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(os.path.dirname(HERE), 'examples')
INCLUDE, LIBDIR = os.environ['CSZ_INCLUDE'], os.environ['CSZ_LIBDIR']
CDEF = os.path.join(INCLUDE, 'clustersize', 'clustersize.cdef.h')
HEADER = os.path.join(sysconfig.get_paths()['include'], 'Python.h')


def python(*arguments, **environment):
    done = subprocess.run((sys.executable,) + arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                          env=dict(os.environ, **environment))
    print(done.stdout, flush=True)
    return done.returncode, done.stdout


class Cffi(unittest.TestCase):
    def test_abi_mode(self):
        code, text = python(os.path.join(EXAMPLES, 'cffi_abi.py'), CDEF)
        self.assertEqual(code, 0)
        self.assertIn('8030261248 parameters', text)

    def test_the_cdef_file_declares_what_the_header_does(self):
        import cffi
        ffi = cffi.FFI()
        with open(CDEF) as file:
            ffi.cdef(file.read())
        library = ffi.dlopen('libclustersize.so.0')
        with open(os.path.join(INCLUDE, 'clustersize', 'clustersize.h')) as file:
            count = file.read().count('CSZ_API csz_status csz_')
        functions = [name for name in dir(library) if name.startswith('csz_')]
        self.assertGreaterEqual(len(functions), count)
        for name in functions:
            getattr(library, name)
        self.assertEqual(library.csz_version_number(), library.CSZ_VERSION_NUMBER)

    def test_pkg_config_names_the_cdef_file(self):
        folder = os.path.join(LIBDIR, 'pkgconfig')
        try:
            told = subprocess.run(['pkg-config', '--variable=cdef', 'clustersize'], stdout=subprocess.PIPE, universal_newlines=True,
                                  env=dict(os.environ, PKG_CONFIG_PATH=folder)).stdout.strip()
        except FileNotFoundError:
            self.skipTest('no pkg-config')
        self.assertTrue(CDEF.endswith(told), told)

    def test_api_mode(self):
        if not os.path.exists(HEADER):
            self.skipTest('no %s: API mode compiles an extension; install python3-dev' % HEADER)
        try:
            import setuptools  # noqa: F401
        except ImportError:
            if sys.version_info >= (3, 12):
                self.skipTest('no setuptools: cffi compiles with it; install python3-setuptools')
        with tempfile.TemporaryDirectory() as folder:
            code, _ = python(os.path.join(EXAMPLES, 'cffi_api_build.py'), folder, CDEF, INCLUDE, LIBDIR,
                             CC=os.environ['CSZ_CC'].split()[-1])
            self.assertEqual(code, 0)
            code, text = python(os.path.join(EXAMPLES, 'cffi_api.py'), PYTHONPATH=folder)
        self.assertEqual(code, 0)
        self.assertIn('8030261248 parameters', text)


if __name__ == '__main__':
    unittest.main()
