"""What all objects share: one handle of the library, a lock, closing, and life across fork.

A handle belongs to one thread at a time, so each object has a lock that every call takes; a call that needs several takes
them in the order of the classes (workload, cluster, plan, goal, calibration, estimate, projection, ranking, catalog). While a long call
runs, the pointer of what it uses is put away: what the call's own progress function then asks of the object is refused, and
a child forked meanwhile cannot touch what the other thread left half done.
"""
import contextlib
import ctypes
import os
import threading
import weakref

from . import _errors, _fields, _library
from ._library import SIZE, TEXT, P, VOID, function

_alive = weakref.WeakSet()


def _after_fork():
    """Only the forking thread lives on in the child: locks that others held would never be released."""
    for handle in list(_alive):
        handle._lock = threading.RLock()
    for handle in list(_alive):
        shared = handle._shares_lock_with()
        if shared is not None:
            handle._lock = shared._lock


if hasattr(os, 'register_at_fork'):
    os.register_at_fork(after_in_child=_after_fork)


class Handle:
    """An object of the library. Use as a context manager or call close() to free it early; closing twice is fine."""

    __slots__ = ('_p', '_why', '_lock', '_i64', '_f64', '_out_i64', '_out_f64', '__weakref__')
    _object = ''

    def __init__(self):
        self._p = None
        self._adopt(self._new(None))

    def _adopt(self, pointer, lock=None):
        if not pointer:
            raise _errors.OutOfMemory('out of memory for a %s' % self._object)
        self._p = pointer
        self._why = None
        self._lock = lock if lock is not None else threading.RLock()
        self._i64 = ctypes.c_int64()
        self._f64 = ctypes.c_double()
        self._out_i64 = ctypes.byref(self._i64)
        self._out_f64 = ctypes.byref(self._f64)
        _alive.add(self)

    def _shares_lock_with(self):
        return None

    def close(self):
        """Frees the object's memory now instead of with its last reference. Later use raises Closed."""
        with self._lock:
            if self._p is None and self._why is None:
                raise _errors.Closed('the %s is in use by the call that asks' % self._object)
            if self._p is not None:
                self._free(self._p)
                self._p = None
                self._why = 'the %s was closed' % self._object

    @property
    def closed(self):
        """Whether close() was called."""
        return self._p is None and self._why is not None

    def __del__(self):
        pointer = getattr(self, '_p', None)
        if pointer is not None:
            self._p = None
            self._free(pointer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _open(self):
        """The pointer, to be asked with the lock held."""
        if self._p is None:
            raise _errors.Closed(self._why or 'the %s is in use by another call' % self._object)
        return self._p

    def _fail(self, status, default='', reason=None):
        """Raises what a status means, with the handle's message."""
        field = ctypes.c_int32()
        text = self._error(self._open(), ctypes.byref(field)).decode()
        raise _library.failure(status, text or default or _library.Status(status).name, _fields.name_of(field.value), reason)

    def _text(self, call, *arguments):
        with self._lock:
            return _library.call_text(call, self._open(), *arguments)

    def to_json(self):
        """The object as the library's own JSON text."""
        return self._text(self._json)


def run(call, blamed, *handles, reason=None):
    """call(pointer...) with all handles locked, in the order given, and their pointers put away; None is passed over as NULL.
    A status other than OK raises with the message of the blamed handle, and the short name that reason() then gives."""
    with contextlib.ExitStack() as stack:
        for handle in handles:
            if handle is not None:
                stack.enter_context(handle._lock)
        pointers = [None if handle is None else handle._open() for handle in handles]
        try:
            for handle in handles:
                if handle is not None:
                    handle._p = None
            status = call(*pointers)
        finally:
            for handle, pointer in zip(handles, pointers):
                if handle is not None:
                    handle._p = pointer
        if status != 0:
            blamed._fail(status, reason=None if reason is None else reason())


def check(value, kind, what):
    """Raises TypeError for an argument of another class."""
    if not isinstance(value, kind):
        raise TypeError('%s: should be %s, not %s' % (what, kind.__name__, type(value).__name__))
    return value


def common(object_name):
    """Functions that every object has, as members of its class."""
    prefix = 'csz_%s_' % object_name
    return {
        '_object': object_name,
        '_new': staticmethod(function(prefix + 'new', P, P)),
        '_free': staticmethod(function(prefix + 'free', VOID, P)),
        '_error': staticmethod(function(prefix + 'error', TEXT, P, P)),
        '_json': staticmethod(function(prefix + 'to_json', SIZE, P, TEXT, SIZE)),
    }


def functions(object_name, **declared):
    """Further functions of an object as members: name=(result, arguments after the handle...)."""
    members = {}
    for name, (result, *arguments) in declared.items():
        slow = name in ('load', 'compute', 'largest', 'select', 'size', 'curve', 'network', 'advise', 'calibrate', 'add_nccl', 'query')
        members['_' + name] = staticmethod(
            function('csz_%s_%s' % (object_name, name), result, P, *arguments, slow=slow))
    return members

