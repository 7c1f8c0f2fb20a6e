"""Files that follow from the field tables are current; the README prints what it shows; type checkers agree with the stubs."""
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
BINDING = os.path.dirname(HERE)
sys.path.append(BINDING)  # after the installed package
import clustersize  # noqa: E402
import generate  # noqa: E402

GOOD = '''
import clustersize
workload = clustersize.Workload.from_hf("config.json", tokens="1T")
workload.global_batch = 2048
workload.phases[0].tokens = "3T"
plan = clustersize.Plan("tp=8")
degree: int = plan.tensor_parallel
plan.stack = "megatron"
estimate = clustersize.estimate(workload, clustersize.Cluster(accelerator="h100-sxm-80gb"), plan)
weights: float = estimate.memory.weights
low: float = estimate.step.time.low
for best, figures in clustersize.select(workload, clustersize.Cluster()):
    stages: int = best.pipeline_parallel
    cost: float = figures.run.cost
totals = [stage.total + 1.0 for stage in estimate.stages]
price = clustersize.Catalog().offers.query("term=spot", by="price")[0].price
rows = list(clustersize.sweep(clustersize.grid(model="llama-3-8b")))
'''
BAD = ('clustersize.Plan().tensor_paralel', 'text: str = clustersize.Plan().tensor_parallel', 'clustersize.Estimate().memory.weight',
       'clustersize.Plan().tensor_parallel = [1]', 'clustersize.Estimate().memory.weights = 3')


class Current(unittest.TestCase):
    def test_stubs_known_fields_and_readme(self):
        for name, make in generate.FILES.items():
            with open(os.path.join(BINDING, name), encoding='utf-8') as file:
                old = file.read()
            changes = list(difflib.unified_diff(old.splitlines(), make().splitlines(), name, 'from the tables', lineterm='', n=0))
            self.assertEqual(changes[:30], [], 'run bindings/python/generate.py')

    def test_the_package_is_the_installed_one(self):
        self.assertNotEqual(os.path.dirname(os.path.dirname(clustersize.__file__)), BINDING)
        self.assertTrue(os.path.exists(os.path.join(os.path.dirname(clustersize.__file__), 'py.typed')))

    def test_every_attribute_is_in_the_stubs(self):
        with open(os.path.join(BINDING, 'clustersize', '__init__.pyi'), encoding='utf-8') as file:
            stub = file.read()
        for cls in (clustersize.Workload, clustersize.Cluster, clustersize.Plan, clustersize.Goal, clustersize.Estimate,
                    clustersize.Ranking, clustersize.Calibration, clustersize.Catalog):
            for name in dir(cls):
                if not name.startswith('_'):
                    self.assertRegex(stub, r'\b%s\b' % name)
        for name in clustersize.__all__:
            self.assertRegex(stub, r'\b%s\b' % name)


def checker():
    """Command of a type checker: mypy of this Python or of another, or pyright."""
    if subprocess.run([sys.executable, '-c', 'import mypy'], stderr=subprocess.DEVNULL).returncode == 0:
        return [sys.executable, '-m', 'mypy']
    for name in ('mypy', 'pyright'):
        if shutil.which(name):
            return [shutil.which(name)]
    return None


class Types(unittest.TestCase):
    @unittest.skipIf(checker() is None, 'no mypy and no pyright')
    def test_a_checker_refuses_the_lines_that_are_wrong_and_no_other(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'program.py')
            with open(path, 'w') as file:
                file.write(GOOD + '\n'.join(BAD) + '\n')
            site = os.path.dirname(os.path.dirname(clustersize.__file__))
            done = subprocess.run(checker() + [path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                                  cwd=folder, env=dict(os.environ, MYPYPATH=site, PYTHONPATH=site))
        print(' '.join(checker()))
        first = GOOD.count('\n') + 1
        found = {int(number) for number in re.findall(r'program\.py:(\d+)', done.stdout)}
        self.assertEqual(found, set(range(first, first + len(BAD))), done.stdout)


if __name__ == '__main__':
    unittest.main()
