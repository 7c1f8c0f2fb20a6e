"""Plans as the files of training software, and such files as questions."""
import ctypes

from . import _errors, _library
from ._estimate import Estimate
from ._handle import check, run
from ._inputs import SOURCES, Cluster, Plan, Workload, document, launch_words
from ._library import INT, P, SIZE, TEXT, Status, function

#: Numbers of csz_source for launch files, and of csz_launch_part; they never change.
SOFTWARE = {'megatron': SOURCES['megatron'], 'deepspeed': SOURCES['deepspeed'], 'torchtitan': 5, 'accelerate': 6, 'nanotron': 7,
            'nemo': 8, 'maxtext': 9}
PARTS = {'file': 0, 'notes': 1, 'batch': 2}

_write = function('csz_plan_to_launch', INT, P, P, P, P, INT, INT, TEXT, SIZE, P, slow=True)
_read = function('csz_plan_load_launch', INT, P, P, P, INT, TEXT, SIZE, slow=True)
_notes = function('csz_launch_notes', SIZE, INT, TEXT, SIZE, TEXT, SIZE)
_version = function('csz_launch_version', SIZE, INT, TEXT, SIZE)


def _number(what, name, table):
    if name not in table:
        raise _errors.InvalidValue('%s: no %s; one of %s' % (what, ascii(name), ', '.join(table)), Status.ARGUMENT)
    return table[name]


def to_launch(plan, workload, cluster, software, estimate=None, part='file'):
    """The plan as the file of a software (megatron, deepspeed, torchtitan, accelerate, nanotron, nemo, maxtext), as text. part is
    file, notes (what stands beside it, for people) or batch (a script for Slurm). An estimate of the run gives steps, time limit
    and interval of checkpoints. What the software has no option for raises PlanConflict with its field."""
    check(plan, Plan, 'plan')
    check(workload, Workload, 'workload')
    check(cluster, Cluster, 'cluster')
    if estimate is not None:
        check(estimate, Estimate, 'estimate')
    source, number = _number('software', software, SOFTWARE), _number('part', part, PARTS)
    length = ctypes.c_size_t()
    buffers = [ctypes.create_string_buffer(1 << 14)]

    def write(workload, cluster, plan, estimate):
        status = _write(plan, workload, cluster, estimate, source, number, buffers[0], len(buffers[0]), ctypes.byref(length))
        if status == 0 and length.value >= len(buffers[0]):
            buffers[0] = ctypes.create_string_buffer(length.value + 1)
            status = _write(plan, workload, cluster, estimate, source, number, buffers[0], len(buffers[0]), None)
        return status

    run(write, plan, workload, cluster, plan, estimate)
    return buffers[0].value.decode()


def from_launch(source, software, workload=None, cluster=None):
    """Reads a launch file, a path, an open file, a dict (deepspeed) or a list of words (megatron), and returns (workload, plan). A workload
    that is given brings the model, and takes what the file says of the job; a cluster brings the count of accelerators."""
    number = _number('software', software, SOFTWARE)
    data = _data(source, software)
    workload = Workload() if workload is None else check(workload, Workload, 'workload')
    if cluster is not None:
        check(cluster, Cluster, 'cluster')
    plan = Plan()
    run(lambda workload, cluster, plan: _read(plan, workload, cluster, number, data, len(data)), plan, workload, cluster, plan)
    return workload, plan


def _data(source, software):
    if isinstance(source, dict) and software != 'deepspeed':
        raise TypeError('%s: should be a path or an open file, not dict' % software)
    return launch_words(source) if software == 'megatron' else document(source, software)


def launch_notes(source, software):
    """The options of a launch file that have no part in an answer, with their lines: ["line 12: lr_scheduler.steps", ...].
    Nothing either when the text cannot be read: from_launch() says why."""
    number, data = _number('software', software, SOFTWARE), _data(source, software)
    return _library.call_text(_notes, number, data, len(data)).splitlines()


def launch_version(software):
    """Name and release of the software whose options were checked: "torchtitan v0.2.2"."""
    return _library.call_text(_version, _number('software', software, SOFTWARE))
