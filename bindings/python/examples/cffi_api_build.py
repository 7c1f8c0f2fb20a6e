"""cffi in API mode: compiles the extension module _clustersize_cffi against the installed headers and library.

    cffi_api_build.py FOLDER [CDEF_FILE INCLUDE_DIR LIBRARY_DIR]

FOLDER gets the module; examples/cffi_api.py uses it.
"""
import subprocess
import sys

import cffi


def pkg_config(*flags):
    return subprocess.run(('pkg-config',) + flags + ('clustersize',), check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout.split()


def main(folder, cdef=None, include=None, library=None):
    if cdef is None:
        cdef = pkg_config('--variable=cdef')[0]
        include, library = (pkg_config('--variable=' + name)[0] for name in ('includedir', 'libdir'))
    builder = cffi.FFI()
    with open(cdef, encoding='utf-8') as file:
        builder.cdef(file.read())
    builder.set_source('_clustersize_cffi', '#include <clustersize/clustersize.h>', libraries=['clustersize'],
                       include_dirs=[include], library_dirs=[library])
    print(builder.compile(tmpdir=folder, verbose=False))


if __name__ == '__main__':
    main(*sys.argv[1:])
