"""Finds the shared library, checks its version and declares its functions."""
import ctypes
import enum
import glob
import os
import sys

from . import _errors
from ._version import __version__

#: First version with everything that the binding calls without asking.
OLDEST = '0.1.0'
if sys.platform == 'darwin':
    SONAME = 'libclustersize.0.dylib'
elif sys.platform == 'win32':
    SONAME = 'clustersize-0.dll'
else:
    SONAME = 'libclustersize.so.0'


def _candidates():
    """Where to look, in order: (what it is, path). An explicit path stands alone."""
    explicit = os.environ.get('CLUSTERSIZE_LIBRARY')
    if explicit:
        yield 'CLUSTERSIZE_LIBRARY', explicit
        return
    here = os.path.dirname(os.path.abspath(__file__))
    bundled = glob.glob(os.path.join(glob.escape(here), '_bundled', '*clustersize*'))
    yield 'bundled with the package', bundled[0] if bundled else os.path.join(here, '_bundled', SONAME)
    yield 'the loader', SONAME
    for prefix in dict.fromkeys((sys.prefix, sys.base_prefix)):
        yield 'the prefix of Python', os.path.join(prefix, 'lib', SONAME)


def _open():
    tried = []
    for what, path in _candidates():
        if os.path.dirname(path) and not os.path.exists(path):
            tried.append('%s: %s: no such file' % (what, path))
            continue
        try:
            return path, ctypes.CDLL(path), ctypes.PyDLL(path)
        except OSError as error:
            tried.append('%s: %s: %s' % (what, path, error))
    raise _errors.LibraryNotFound(
        'libclustersize was not found. Looked for:\n  ' + '\n  '.join(tried) +
        '\nInstall it, or name the file in the environment variable CLUSTERSIZE_LIBRARY.')


def numbers(version):
    """'0.10.2' as (0, 10, 2)."""
    return tuple(int(part) for part in version.split('.'))


path, _slow, _quick = _open()
try:
    _quick.csz_version_string.restype = ctypes.c_char_p
    version = _quick.csz_version_string().decode()
except AttributeError:
    raise _errors.LibraryTooOld('%s is not libclustersize: it has no csz_version_string' % path) from None
if numbers(version) < numbers(OLDEST):
    raise _errors.LibraryTooOld('%s is version %s; clustersize for Python %s needs %s or newer'
                                % (path, version, __version__, OLDEST))

P = ctypes.c_void_p
TEXT = ctypes.c_char_p
INT = ctypes.c_int32  # enumerations are 32 bits wide
I64 = ctypes.c_int64
F64 = ctypes.c_double
SIZE = ctypes.c_size_t
VOID = None
PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_double)


def function(name, result, *arguments, since='0.1.0', slow=False):
    """A function of the library. Slow ones let other threads of Python run; quick ones are over before a
    thread could be switched. One that the library lacks tells, when called, which version has it."""
    try:
        found = getattr(_slow if slow else _quick, name)
    except AttributeError:
        def found(*_):
            raise _errors.Error('%s came with libclustersize %s; %s is version %s' % (name, since, path, version))
        return found
    found.restype = result
    found.argtypes = arguments
    return found


def call_text(call, *arguments, room=1024):
    """Text of a function that follows snprintf, of any length; room is what a first try holds."""
    buffer = ctypes.create_string_buffer(room)
    length = call(*arguments, buffer, len(buffer))
    if length >= len(buffer):
        buffer = ctypes.create_string_buffer(length + 1)
        call(*arguments, buffer, len(buffer))
    return buffer.value.decode()


def encode(text, what='text'):
    """UTF-8 for a parameter that ends with NUL."""
    if not isinstance(text, str):
        raise TypeError('%s: should be str, not %s' % (what, type(text).__name__))
    data = text.encode()
    if b'\0' in data:
        raise ValueError('%s: holds a NUL character' % what)
    return data


_status_name = function('csz_status_name', TEXT, INT)


def _statuses():
    names, value = {}, 0
    while _status_name(value) != b'?':
        name = _status_name(value).decode()
        names[name[len('CSZ_ERR_'):] if name.startswith('CSZ_ERR_') else name[len('CSZ_'):]] = value
        value += 1
    return names


Status = enum.IntEnum('Status', _statuses(), module='clustersize')
Status.__doc__ = 'What a call of the library answers: OK or why not.'


def failure(status, message, field=None, reason=None):
    """The exception for a status."""
    try:
        status = Status(status)
        kind = _errors.BY_STATUS.get(status.name, _errors.InvalidValue)
    except ValueError:
        kind = _errors.Error
    return kind(message, status, field, reason)

