"""cffi in ABI mode: the installed cdef file and the shared library, no compiler.

    cffi_abi.py [CDEF_FILE [LIBRARY]]

Without arguments the file is where pkg-config says and the library what the loader finds.
"""
import subprocess
import sys
import time

import cffi


def load(arguments):
    """ffi and library."""
    cdef = arguments[0] if arguments else subprocess.run(
        ['pkg-config', '--variable=cdef', 'clustersize'], check=True, stdout=subprocess.PIPE,
        universal_newlines=True).stdout.strip()
    ffi = cffi.FFI()
    with open(cdef, encoding='utf-8') as file:
        ffi.cdef(file.read())
    return ffi, ffi.dlopen(arguments[1] if len(arguments) > 1 else 'libclustersize.so.0')


def good(status, message):
    """Raises what a call refused."""
    if status != 0:
        raise ValueError(message)


def answer(ffi, csz):
    """Whether llama-3-8b fits, the step, and what a call costs."""
    workload = ffi.gc(csz.csz_workload_new(ffi.NULL), csz.csz_workload_free)
    cluster = ffi.gc(csz.csz_cluster_new(ffi.NULL), csz.csz_cluster_free)
    plan = ffi.gc(csz.csz_plan_new(ffi.NULL), csz.csz_plan_free)
    estimate = ffi.gc(csz.csz_estimate_new(ffi.NULL), csz.csz_estimate_free)
    field = ffi.new('csz_field *')

    def error(call, handle):
        return '%s' % ffi.string(call(handle, field)).decode()

    good(csz.csz_workload_set(workload, ffi.NULL, b'model=llama-3-8b tokens=1T'), error(csz.csz_workload_error, workload))
    good(csz.csz_cluster_set(cluster, ffi.NULL, b'accelerator=h100-sxm-80gb accelerators=64'),
         error(csz.csz_cluster_error, cluster))
    good(csz.csz_plan_set(plan, b'tp=2 zero=optimizer'), error(csz.csz_plan_error, plan))
    good(csz.csz_estimate_compute(estimate, workload, cluster, plan, csz.CSZ_DEPTH_RUN),
         error(csz.csz_estimate_error, estimate))
    value, count = ffi.new('double *'), ffi.new('int64_t *')
    csz.csz_estimate_get_f64(estimate, csz.CSZ_ESTIMATE_STEP_TIME, value)
    csz.csz_estimate_get_i64(estimate, csz.CSZ_ESTIMATE_PARAMETERS_TOTAL, count)
    print('%d parameters, %.3f s a step' % (count[0], value[0]))

    rounds = 20000
    start = time.perf_counter()
    for _ in range(rounds):
        csz.csz_estimate_get_f64(estimate, csz.CSZ_ESTIMATE_STEP_TIME, value)
    print('%.2f us a getter' % ((time.perf_counter() - start) / rounds * 1e6))
    return count[0], value[0]


if __name__ == '__main__':
    answer(*load(sys.argv[1:]))
