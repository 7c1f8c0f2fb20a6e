"""What can go wrong. Every failed call of the library becomes an Error with status, field and message."""


class Error(Exception):
    """A call that the library refused.

    status   its Status (Status.RANGE and so on), None when the binding itself refused
    field    name of the field it is about, None when it is about none
    message  the library's sentence
    reason   of a plan that cannot exist: the short name of why ("kv_heads"), as in a ranking's rejections
    """

    def __init__(self, message, status=None, field=None, reason=None):
        super().__init__(message)
        self.message = message
        self.status = status
        self.field = field
        self.reason = reason

    def __reduce__(self):
        return type(self), (self.message, self.status, self.field, self.reason)


class InvalidValue(Error, ValueError):
    """A value out of range, malformed or unknown, or an input that is missing; also a ValueError."""


class WrongType(Error, TypeError):
    """A value that the field cannot hold exactly; also a TypeError."""


class Unset(Error, AttributeError):
    """A figure that is not there: nothing was computed, or it does not follow from what was given."""


class UnknownField(Error, AttributeError):
    """No field of that name, or one that only a newer library has."""


class PlanConflict(InvalidValue):
    """A plan that cannot exist; reason says why."""


class Cancelled(Error):
    """The progress function asked to stop."""


class OutOfMemory(Error, MemoryError):
    """The allocator had no more."""


class Closed(Error, ValueError):
    """The object was closed, or is in use by the call that asks."""


class LibraryNotFound(ImportError):
    """No shared library; the message lists where it was looked for."""


class LibraryTooOld(ImportError):
    """A shared library that this binding cannot use."""


#: Class of a status, by its name without CSZ_ERR_.
BY_STATUS = {
    'NO_MEMORY': OutOfMemory, 'FIELD': UnknownField, 'TYPE': WrongType, 'UNSET': Unset,
    'CONFLICT': PlanConflict, 'CANCELLED': Cancelled,
}

for _class in list(vars().values()):
    if isinstance(_class, type):
        _class.__module__ = 'clustersize'
