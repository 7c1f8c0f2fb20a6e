"""Installs a build into a fresh prefix, the package beside it, and runs tests of this directory against both.

    run.py SUITE SOURCE_ROOT BUILD_DIR MESON COMPILER...

SUITE: objects (the package on every Python that is found), install (pip with and without a system library), cffi, bundle.
77: what the suite needs is not there, which is said.
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
BINDING = os.path.dirname(HERE)
sys.dont_write_bytecode = True


def run(command, **kind):
    print('---', ' '.join(command), flush=True)
    return subprocess.run(command, **kind).returncode


def install(build, meson, work):
    """Installs the library; returns (include directory, library directory)."""
    root = os.path.join(work, 'root')
    done = subprocess.run([meson, 'install', '-C', build, '--no-rebuild', '--destdir', root],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    if done.returncode != 0:
        sys.exit(done.stdout)
    library = glob.glob(root + '/**/libclustersize.so.0', recursive=True)
    header = glob.glob(root + '/**/clustersize.h', recursive=True)
    return os.path.dirname(os.path.dirname(header[0])), os.path.dirname(library[0])


def unpack(work):
    """The package as a wheel that the backend builds, unpacked: what any installer does."""
    sys.path.insert(0, BINDING)
    import build_backend
    site = os.path.join(work, 'site')
    wheel = build_backend.build_wheel(work)
    zipfile.ZipFile(os.path.join(work, wheel)).extractall(site)
    return site


def pythons():
    """This Python and one of each other minor version from 3.9 on that runs."""
    found = {sys.version_info[:2]: sys.executable}
    candidates = [shutil.which('python3.%d' % minor) for minor in range(9, 16)]
    candidates += [shutil.which('python3', path='/usr/bin')]
    candidates += sorted(glob.glob(os.path.expanduser('~/.pyenv/versions/3.*/bin/python3')))
    for candidate in filter(None, candidates):
        told = subprocess.run([candidate, '-c', 'import sys, ctypes; print(*sys.version_info[:2])'],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True)
        if told.returncode == 0 and tuple(map(int, told.stdout.split())) >= (3, 9):
            found.setdefault(tuple(map(int, told.stdout.split())), candidate)
    return found


def tests(python, environment, *modules):
    return run([python, '-W', 'error::ResourceWarning', '-m', 'unittest', '-v'] + list(modules), cwd=HERE, env=environment)


def main():
    suite, source, build, meson, *compiler = sys.argv[1:]
    work = tempfile.mkdtemp()
    try:
        include, library = install(build, meson, work)
        environment = dict(os.environ, LD_LIBRARY_PATH=library, CSZ_SOURCE=source, CSZ_INCLUDE=include, CSZ_LIBDIR=library,
                           CSZ_CC=' '.join(compiler), PYTHONDONTWRITEBYTECODE='1', PYTHONPATH=unpack(work))
        environment.pop('CLUSTERSIZE_LIBRARY', None)
        environment.pop('CLUSTERSIZE_BUNDLE', None)
        if suite == 'objects':
            code = tests(sys.executable, environment, 'test_objects', 'test_results', 'test_lifetime', 'test_library',
                         'test_threads', 'test_generated')
            found = sorted(pythons().items())
            for version, python in found:
                if python != sys.executable:
                    print('Python %d.%d' % version)
                    more = ['test_results'] if version == found[0][0] else []
                    code |= tests(python, environment, 'test_objects', *more)
            return code
        return tests(sys.executable, environment, 'test_' + suite) if not lacks(suite) else 77
    finally:
        shutil.rmtree(work)


def lacks(suite):
    """Says what a suite needs that is not there."""
    if suite != 'cffi':
        return False
    try:
        import cffi
        print('cffi', cffi.__version__)
        return False
    except ImportError:
        print('no cffi: install python3-cffi to run its examples')
        return True


if __name__ == '__main__':
    sys.exit(main())
