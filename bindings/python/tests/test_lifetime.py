"""Handles outlive nothing: close, use after close, cycles, fork, the end of the interpreter."""
import gc
import os
import subprocess
import sys
import threading
import unittest
import warnings

import clustersize
from clustersize import Calibration, Catalog, Closed, Cluster, Estimate, Goal, Plan, Ranking, Workload

ALL = (Workload, Cluster, Plan, Goal, Estimate, Ranking, Catalog, Calibration)


def resident():
    """Bytes of this process in memory."""
    with open('/proc/self/statm') as file:
        return int(file.read().split()[1]) * os.sysconf('SC_PAGESIZE')


def python(code, **environment):
    return subprocess.run([sys.executable, '-c', code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                          env=dict(os.environ, **environment), timeout=60)


class Close(unittest.TestCase):
    def test_twice_and_after(self):
        for cls in ALL:
            with cls() as made:
                self.assertFalse(made.closed)
            made.close()
            made.close()
            self.assertTrue(made.closed)
            self.assertIn('closed', repr(made))

    def test_every_use_after_close_is_refused(self):
        used = 0
        for cls in ALL:
            made = cls()
            made.close()
            for name in dir(cls):
                if name.startswith('_') or name in ('close', 'closed', 'catalog') or name.startswith('from_'):
                    continue
                member = getattr(cls, name)
                if isinstance(member, property):
                    with self.assertRaises(Closed, msg='%s.%s' % (cls.__name__, name)):
                        self.exhaust(getattr(made, name))
                    used += 1
            for act in (made.to_json, made.to_dict, lambda: made.get('tokens') if cls is Workload else made.to_json()):
                with self.assertRaises(Closed):
                    act()
        self.assertGreater(used, 180)

    def exhaust(self, value):
        """Groups and lists are made without asking the library; what is in them asks."""
        if hasattr(value, '_owner'):
            getattr(value, value._fields[0]) if hasattr(value, '_fields') else len(value)

    def test_writing_after_close_is_refused(self):
        workload, cluster, plan, goal = Workload(), Cluster(), Plan(), Goal()
        closed = [Workload(), Cluster(), Plan(), Goal(), Estimate(), Ranking(), Catalog(), Calibration()]
        for made in closed:
            made.close()
        w, c, p, g, e, r, k, b = closed
        for act in (lambda: setattr(p, 'tensor_parallel', 8), lambda: p.set('tp=8'), lambda: p.set(tp=8), lambda: p.unset('tp'),
                    lambda: p.load({}), lambda: p.copy(), lambda: p.is_set('tp'), lambda: w.phases.append(tokens=3),
                    lambda: w.load({}), lambda: setattr(w, 'model', 'llama-3-8b'),
                    lambda: g.limit('tensor_parallel', 1), lambda: g.stack(None),
                    lambda: e.compute(workload, cluster, plan), lambda: Estimate().compute(w, cluster, plan),
                    lambda: Estimate().compute(workload, c, plan), lambda: Estimate().compute(workload, cluster, p),
                    lambda: e.reserve(3), lambda: e.notes, lambda: e.row(), lambda: e.get_many(['step.time']),
                    lambda: r.select(workload, cluster), lambda: Ranking().select(w, cluster),
                    lambda: Ranking().select(workload, cluster, g),
                    lambda: len(r), lambda: list(r), lambda: r.rejected, lambda: r.rows(), lambda: k.load({}), lambda: k.models.ids(),
                    lambda: k.models.find('llama-3-8b'), lambda: k.models.query(), lambda: Workload(catalog=k, model='llama-3-8b'),
                    lambda: b.add_run(workload, plan, 3.0), lambda: b.add_nccl(''), lambda: b.set_copy(1e12),
                    lambda: cluster.calibrate(b), lambda: c.calibrate(Calibration())):
            with self.assertRaises(Closed):
                act()
        entry = Catalog().models[0]
        entry._owner.close()
        with self.assertRaises(Closed):
            entry.parameters

    def test_memory_comes_back(self):
        Handle = type('Handle', (Workload,), {'__init__': lambda self: Workload.__init__(self)})
        for _ in range(50):
            made = Handle()
            made.self = made  # a cycle: only the collector frees it
        gc.collect()
        before = resident()
        for _ in range(3000):
            Workload(), Ranking(), Estimate()
        for _ in range(1000):
            made = Handle()
            made.self = made
        gc.collect()
        self.assertLess(resident() - before, 8 << 20)

    def test_an_element_keeps_its_object(self):
        tokens = Workload(tokens=3).phases[0]
        gc.collect()
        self.assertEqual(tokens.tokens, 3)


class Fork(unittest.TestCase):
    def child(self, act):
        """Exit code of a forked child that runs act."""
        with warnings.catch_warnings():
            warnings.simplefilter('ignore', DeprecationWarning)
            pid = os.fork()
        if pid == 0:
            code = 1
            try:
                code = act()
            finally:
                os._exit(code)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def test_a_child_has_its_own_copies(self):
        workload, cluster, plan = Workload('model=llama-3-8b tokens=1T'), Cluster('accelerator=h100-sxm-80gb accelerators=8'), Plan()
        estimate = clustersize.estimate(workload, cluster, plan)
        total = estimate.memory.total

        def act():
            plan.sharding = 'parameters'
            other = estimate.compute(workload, cluster, plan).memory.total
            estimate.close()
            return 0 if other != total else 2
        self.assertEqual(self.child(act), 0)
        self.assertEqual((plan.sharding, estimate.memory.total), ('none', total))

    def test_what_another_thread_holds_at_the_fork_is_refused_not_waited_for(self):
        workload, cluster, ranking = Workload('model=llama-3-8b tokens=1T'), Cluster('accelerator=h100-sxm-80gb accelerators=64'), Ranking()
        inside, leave = threading.Event(), threading.Event()

        def hold(done):
            inside.set()
            leave.wait()
            return True

        def work():
            try:
                ranking.select(workload, cluster, progress=hold)
            except clustersize.Cancelled:
                pass
        thread = threading.Thread(target=work)
        thread.start()
        inside.wait()

        def act():
            for use in (lambda: len(ranking), lambda: workload.tokens, ranking.close):
                try:
                    use()
                    return 3
                except Closed:
                    pass
            Plan(tp=8).close()
            return 0 if clustersize.estimate(Workload(model='llama-3-8b')).parameters.total == 8030261248 else 4
        self.assertEqual(self.child(act), 0)
        leave.set()
        thread.join()
        self.assertEqual(workload.tokens, 10 ** 12)


class Exit(unittest.TestCase):
    def test_the_interpreter_ends_quietly(self):
        code = '''
import clustersize, threading, atexit, sys
w = clustersize.Workload(model="llama-3-8b", tokens="1T")
c = clustersize.Cluster(accelerator="h100-sxm-80gb", accelerators=64)
r = clustersize.select(w, c)
view = r[0].estimate
stage = view.stages[0]
cycle = [r]; cycle.append(cycle)
class Late:
    def __del__(self):
        w.close(); r.close(); w.close()
late = Late()
sys.modules["late"] = late
atexit.register(lambda: print(view.memory.fit))
threading.Thread(target=lambda: [clustersize.select(w, c) for _ in range(100000)], daemon=True).start()
'''
        for _ in range(3):
            done = python(code)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, 'yes\n', ''))

    def test_closed_by_hand_at_exit(self):
        done = python('import clustersize, atexit\np = clustersize.Plan(tp=8)\natexit.register(p.close)')
        self.assertEqual((done.returncode, done.stderr), (0, ''))


if __name__ == '__main__':
    unittest.main()
