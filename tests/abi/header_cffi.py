"""The preprocessed header is read by cffi and the library is called through it, without a C compiler's glue.

    header_cffi.py LIB.so INCLUDE_DIR CC...
"""
import subprocess
import sys

try:
    import cffi
except ImportError:
    print('no cffi')
    sys.exit(77)

library, include, compiler = sys.argv[1], sys.argv[2], sys.argv[3:]
source = subprocess.run(
    compiler + ['-E', '-P', '-DCSZ_API=', '-I' + include, '-x', 'c', include + '/clustersize/clustersize.h'],
    check=True, stdout=subprocess.PIPE, text=True).stdout
# What the standard headers define is built into cffi; ours begins with the first enumeration.
source = source[source.index('typedef enum csz_status'):]
ffi = cffi.FFI()
ffi.cdef(source)
csz = ffi.dlopen(library)

assert ffi.string(csz.csz_version_string()).decode() == '%d.%d.%d' % (
    csz.csz_version_number() // 10000, csz.csz_version_number() // 100 % 100, csz.csz_version_number() % 100)
assert csz.csz_field_by_name(b'tp') == csz.CSZ_PLAN_TENSOR_PARALLEL
plan = csz.csz_plan_new(ffi.NULL)
assert csz.csz_plan_set(plan, b'tp=8 pp=16') == csz.CSZ_OK
value = ffi.new('int64_t *')
assert csz.csz_plan_get_i64(plan, csz.CSZ_PLAN_PIPELINE_PARALLEL, value) == csz.CSZ_OK and value[0] == 16
csz.csz_plan_free(plan)
print('read by cffi', cffi.__version__)
