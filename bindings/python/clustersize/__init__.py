"""Does it fit, on which plan, how many, how long, how much: libclustersize in Python.

    import clustersize
    workload = clustersize.Workload(model="llama-3-70b", tokens="1T")
    cluster = clustersize.Cluster(accelerator="h100-sxm-80gb", accelerators=64)
    estimate = clustersize.estimate(workload, cluster, clustersize.Plan("tp=8 pp=2 sharding=optimizer"))
    estimate.memory.total, estimate.step.time, estimate.run.cost

Objects get their attributes from the field tables of the library that is loaded, with units, bounds and sources in their
docstrings. Figures are in base units: bytes, seconds, FLOP, watts, dollars; peak rates are dense. What the library refuses
raises Error with status, field and message. Any thread may use any object; calls on one object wait for each other, and long
ones let other threads run.

The shared library is the file that the environment variable CLUSTERSIZE_LIBRARY names, else the one bundled with the package,
else the one that the loader finds.
"""
from . import _library
from ._calibration import Calibration
from ._catalog import Catalog
from ._errors import (Cancelled, Closed, Error, InvalidValue, LibraryNotFound, LibraryTooOld, OutOfMemory, PlanConflict,
                      UnknownField, Unset, WrongType)
from ._estimate import Estimate, estimate
from ._fields import FIELDS as fields
from ._fields import Field
from ._attributes import Range
from ._inputs import Cluster, Goal, Plan, Workload
from ._library import Status
from ._launch import from_launch, launch_notes, launch_version, to_launch
from ._projection import Projection, project
from ._ranking import Entry, Ranking, Rejection, advise, curve, select, size
from ._sweep import answer_rows, grid, sweep
from ._units import (answer, arithmetic_accelerators, arithmetic_scaling, arithmetic_seconds, facts_date, format_unit, parse_unit, stacks)
from ._version import __version__

#: Version and file of the shared library that was loaded.
library_version = _library.version
library_path = _library.path

__all__ = [
    'Calibration', 'Cancelled', 'Catalog', 'Closed', 'Cluster', 'Entry', 'Error', 'Estimate', 'Field', 'Goal', 'InvalidValue',
    'LibraryNotFound', 'LibraryTooOld', 'OutOfMemory', 'Plan', 'PlanConflict', 'Projection', 'Range', 'Ranking', 'Rejection', 'Status',
    'UnknownField', 'Unset', 'Workload', 'WrongType', 'advise', 'answer', 'answer_rows', 'arithmetic_accelerators',
    'arithmetic_scaling', 'arithmetic_seconds', 'curve', 'estimate', 'facts_date', 'fields', 'format_unit', 'from_launch', 'grid',
    'launch_notes', 'launch_version', 'library_path', 'library_version', 'parse_unit', 'project', 'select', 'size', 'stacks', 'sweep',
    'to_launch', '__version__']

# Names that users see are those of the package.
for _name in __all__:
    if getattr(globals()[_name], '__module__', '').startswith('clustersize.'):
        globals()[_name].__module__ = 'clustersize'
del _name
