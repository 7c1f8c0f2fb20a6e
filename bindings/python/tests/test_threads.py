"""Threads: one answer whoever asks, objects that survive being shared, and calls that let other threads run."""
import concurrent.futures
import sys
import threading
import time
import unittest

import clustersize
from clustersize import Cluster, Estimate, Goal, Plan, Ranking, Workload

THREADS = 16


def job():
    return Workload('model=llama-3-70b tokens=1T'), Cluster('accelerator=h100-sxm-80gb accelerators=64'), Plan('tp=8 pp=2 zero=optimizer')


class Pool(unittest.TestCase):
    def setUp(self):
        self.interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)

    def tearDown(self):
        sys.setswitchinterval(self.interval)

    def test_16_threads_share_inputs_and_get_the_same_bits(self):
        workload, cluster, plan = job()
        expected = clustersize.estimate(workload, cluster, plan).to_json()

        def work(_):
            estimate = Estimate()
            return {estimate.compute(workload, cluster, plan).to_json() for _ in range(50)}
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            found = set().union(*pool.map(work, range(THREADS)))
        self.assertEqual(found, {expected})

    def test_16_threads_share_one_of_each(self):
        workload, cluster, _ = job()
        plans = [Plan(tp=8, pp=pp, zero=1) for pp in (1, 2, 4, 8)]
        expected = {float(clustersize.estimate(workload, cluster, plan).memory.total) for plan in plans}
        estimate, ranking, goal = Estimate(), Ranking(), Goal(rows=2).limit('tensor_parallel', 8).stack('megatron')
        seen, failed = set(), []

        def work(number):
            for i in range(60):
                try:
                    if number % 4 == 0:
                        estimate.compute(workload, cluster, plans[i % 4])
                    elif number % 4 == 1:
                        seen.add(float(estimate.get('memory.total', 0.0)))
                        [stage.total for stage in estimate.stages]
                    elif number % 4 == 2:
                        workload.tokens = 10 ** 12
                        cluster.accelerators = 64
                    elif i % 20 == 0:
                        ranking.select(workload, cluster, goal)
                    else:
                        [entry.estimate.step.time for entry in ranking]
                except (clustersize.Closed, clustersize.Unset, IndexError):
                    continue  # a list that another thread made shorter, an entry that it replaced
                except BaseException as error:
                    failed.append(error)
                    raise
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(work, range(THREADS)))
        self.assertEqual(failed, [])
        self.assertLessEqual(seen - {0.0}, expected)
        self.assertEqual(len(ranking.select(workload, cluster, goal)), 2)

    def test_one_projection_is_filled_from_two_sides(self):
        workload, cluster, plan = job()
        ranking, projection = clustersize.curve(workload, cluster, Goal(maximum_accelerators=64)), clustersize.Projection()

        def work(number):
            for _ in range(40):
                if number % 2:
                    projection.compute(workload, cluster, plan)
                else:
                    projection.compute_curve(ranking, cluster)
        threads = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
            self.assertFalse(thread.is_alive(), 'two calls wait for each other')

    def test_16_threads_close_one_object_once(self):
        for _ in range(20):
            plan = Plan(tp=8)
            with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
                list(pool.map(lambda _: plan.close(), range(THREADS)))
            self.assertTrue(plan.closed)

    def test_sweep_in_16_threads(self):
        questions = list(clustersize.grid(model='llama-3-8b', accelerator='h100-sxm-80gb', accelerators=[8 * i for i in range(1, 65)],
                                          global_batch=512))
        rows = list(clustersize.sweep(questions, 'step', workers=THREADS, chunk=3))
        self.assertEqual(rows, clustersize.answer_rows(questions, 'step'))


class Gil(unittest.TestCase):
    def test_a_long_call_lets_other_threads_run(self):
        workload, cluster, _ = job()
        begun, ended, interval = threading.Event(), threading.Event(), sys.getswitchinterval()

        def work():
            begun.set()
            clustersize.size(workload, Cluster('accelerator=h100-sxm-80gb'), Goal(deadline='20d'))
            ended.set()
        sys.setswitchinterval(1000)  # nobody is made to give way: only a call that lets go does
        try:
            thread = threading.Thread(target=work)
            thread.start()
            begun.wait()
            turns = 0
            while not ended.is_set():
                turns += 1
                time.sleep(0.0005)
            thread.join()
        finally:
            sys.setswitchinterval(interval)
        self.assertGreater(turns, 5)


if __name__ == '__main__':
    unittest.main()
