"""The same question as cffi_abi.py through the compiled module: enumerators and types are checked by the C compiler.

    PYTHONPATH=FOLDER cffi_api.py
"""
import _clustersize_cffi
from cffi_abi import answer

if __name__ == '__main__':
    answer(_clustersize_cffi.ffi, _clustersize_cffi.lib)
