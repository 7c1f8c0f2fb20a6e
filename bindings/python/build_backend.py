"""Builds wheels of the package with Python alone: no setuptools, no network.

    pip install ./bindings/python                                                a system library is used
    pip install ./bindings/python --config-settings=bundle=build                 with a library built from this tree by Meson
    pip install ./bindings/python --config-settings=bundle=/path/libclustersize.so.0

The environment variable CLUSTERSIZE_BUNDLE does the same as the setting.
"""
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
NAME = 'clustersize'
SONAMES = {'darwin': 'libclustersize.0.dylib', 'win32': 'clustersize-0.dll'}
SONAME = SONAMES.get(sys.platform, 'libclustersize.so.0')


def _version():
    with open(os.path.join(HERE, NAME, '_version.py'), encoding='utf-8') as file:
        return re.search(r'"(.*)"', file.read()).group(1)


def _metadata():
    with open(os.path.join(HERE, 'README.md'), encoding='utf-8') as file:
        text = file.read()
    return ('Metadata-Version: 2.1\nName: %s\nVersion: %s\nSummary: Sizes accelerator clusters for training large models\n'
            'License: MIT\nRequires-Python: >=3.9\nDescription-Content-Type: text/markdown\n\n%s' % (NAME, _version(), text))


def _info():
    return '%s-%s.dist-info' % (NAME, _version())


def _package_files():
    """Files of the package, in a fixed order."""
    folder = os.path.join(HERE, NAME)
    return sorted(name for name in os.listdir(folder) if name.endswith(('.py', '.pyi')) or name == 'py.typed')


def _bundle(settings):
    """Path of the library to bundle, None for none, and a folder to remove afterwards."""
    wanted = (settings or {}).get('bundle') or os.environ.get('CLUSTERSIZE_BUNDLE')
    if not wanted or wanted == 'no':
        return None, None
    if wanted in ('build', 'yes'):
        return _build_library()
    if not os.path.isfile(wanted):
        raise SystemExit('bundle: %s is no file' % wanted)
    return wanted, None


def _build_library():
    if not os.path.exists(os.path.join(ROOT, 'lib', 'clustersize.map')):
        raise SystemExit('bundle=build needs the source tree of libclustersize around bindings/python; '
                         'bundle=/path/to/%s takes a built library' % SONAME)
    meson = shutil.which('meson')
    if meson is None:
        raise SystemExit('bundle=build needs meson, ninja and a C compiler; meson was not found')
    folder = tempfile.mkdtemp()
    # pip hides the packages of the system from what it builds; Meson may be one of them.
    environment = {name: value for name, value in os.environ.items() if name not in ('PYTHONPATH', 'PYTHONNOUSERSITE')}
    for command in ([meson, 'setup', folder, ROOT, '--buildtype=release', '--default-library=shared', '-Dtests=disabled',
                     '-Dabi_check=disabled', '-Dbench=disabled'],
                    [meson, 'compile', '-C', folder, 'clustersize:shared_library']):
        if subprocess.run(command, stdout=sys.stderr, env=environment).returncode != 0:
            shutil.rmtree(folder)
            raise SystemExit('bundle=build: %s failed' % ' '.join(command))
    return os.path.join(folder, 'lib', SONAME), folder


class _Wheel:
    """A wheel being written: members with a fixed date, then RECORD."""

    def __init__(self, path):
        self.archive = zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, name, data, mode=0o644):
        info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = (0o100000 | mode) << 16
        self.archive.writestr(info, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()
        self.record.append('%s,sha256=%s,%d' % (name, digest, len(data)))

    def close(self, tag):
        pure = 'true' if tag.endswith('-any') else 'false'
        self.add(_info() + '/METADATA', _metadata().encode())
        self.add(_info() + '/WHEEL', ('Wheel-Version: 1.0\nGenerator: clustersize\nRoot-Is-Purelib: %s\nTag: %s\n'
                                      % (pure, tag)).encode())
        name = _info() + '/RECORD'
        self.archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), '\n'.join(self.record + [name + ',,', '']))
        self.archive.close()


def _read(path):
    with open(path, 'rb') as file:
        return file.read()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    library, folder = _bundle(config_settings)
    tag = 'py3-none-' + ('any' if library is None else re.sub('[-.]', '_', sysconfig.get_platform()))
    name = '%s-%s-%s.whl' % (NAME, _version(), tag)
    try:
        wheel = _Wheel(os.path.join(wheel_directory, name))
        for part in _package_files():
            wheel.add('%s/%s' % (NAME, part), _read(os.path.join(HERE, NAME, part)))
        if library is not None:
            wheel.add('%s/_bundled/%s' % (NAME, SONAME), _read(library), 0o755)
        wheel.close(tag)
    finally:
        if folder is not None:
            shutil.rmtree(folder)
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = os.path.join(metadata_directory, _info())
    os.makedirs(folder)
    with open(os.path.join(folder, 'METADATA'), 'w', encoding='utf-8') as file:
        file.write(_metadata())
    with open(os.path.join(folder, 'WHEEL'), 'w', encoding='utf-8') as file:
        file.write('Wheel-Version: 1.0\n')
    return _info()


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    name = '%s-%s-py3-none-any.whl' % (NAME, _version())
    wheel = _Wheel(os.path.join(wheel_directory, name))
    wheel.add(NAME + '.pth', (HERE + '\n').encode())
    wheel.close('py3-none-any')
    return name


def build_sdist(sdist_directory, config_settings=None):
    base = '%s-%s' % (NAME, _version())
    with tarfile.open(os.path.join(sdist_directory, base + '.tar.gz'), 'w:gz') as archive:
        for part in ['pyproject.toml', 'build_backend.py', 'README.md'] + ['%s/%s' % (NAME, p) for p in _package_files()]:
            archive.add(os.path.join(HERE, part), '%s/%s' % (base, part))
        with tempfile.NamedTemporaryFile() as file:
            file.write(_metadata().encode())
            file.flush()
            archive.add(file.name, base + '/PKG-INFO')
    return base + '.tar.gz'


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_editable = get_requires_for_build_sdist = get_requires_for_build_wheel
