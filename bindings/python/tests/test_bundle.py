"""pip with a library that is built from this tree."""
import os
import unittest

from test_install import SONAME, Pip


class Build(Pip):
    def test_with_one_built_from_the_tree(self):
        self.install('--config-settings=bundle=build')
        code, text = self.python(LD_LIBRARY_PATH='')
        self.assertEqual((code, text), (0, '8030261248 0.1.0 %s\n' % os.path.join(self.site, 'clustersize', '_bundled', SONAME)))


del Pip

if __name__ == '__main__':
    unittest.main()
