"""Writes the public headers as one text without preprocessor lines, in the form that cffi's cdef() reads.

    cdef.py OUTPUT INCLUDE_DIR COMPILER...
"""
import re
import subprocess
import sys


def main():
    output, include, compiler = sys.argv[1], sys.argv[2], sys.argv[3:]
    header = include + '/clustersize/clustersize.h'
    text = subprocess.run(compiler + ['-E', '-P', '-DCSZ_API=', '-I' + include, '-x', 'c', header],
                          check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
    # The types of the standard headers are built into cffi; ours begin with the first enumeration.
    text = text[text.index('typedef enum csz_status'):]
    with open(header, encoding='utf-8') as file:
        numbers = re.findall(r'^#define (CSZ_VERSION_NUMBER) (\d+)', file.read(), flags=re.M)
    with open(output, 'w', encoding='utf-8') as file:
        file.write('/* The public headers of libclustersize after the preprocessor, for cffi. */\n')
        file.writelines('#define %s %s\n' % pair for pair in numbers)
        file.write(re.sub(r'\n\s*\n+', '\n', text))


main()
