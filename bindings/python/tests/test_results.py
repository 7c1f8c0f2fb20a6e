"""Estimates, rankings, calibration, catalog, sweeps: against the library's JSON, its one-line answer and hand calculations."""
import concurrent.futures
import html.parser
import itertools
import json
import multiprocessing
import os
import pickle
import signal
import tempfile
import threading
import unittest

import clustersize
from clustersize import (Calibration, Cancelled, Catalog, Closed, Cluster, Estimate, Goal, InvalidValue, Plan, PlanConflict, Projection, Range,
                         Ranking, Status, Unset, UnknownField, Workload, _fields)

WORKLOAD = 'model=llama-3-70b tokens=1T'
CLUSTER = 'accelerator=h100-sxm-80gb accelerators=64'
PLAN = 'tp=8 pp=2 sharding=optimizer'


def job():
    return Workload(WORKLOAD), Cluster(CLUSTER), Plan(PLAN)


class Balanced(html.parser.HTMLParser):
    """Fails on a tag that is not closed in its place."""

    def __init__(self, text):
        super().__init__()
        self.open, self.cells = [], []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.cells.append(data)


class Estimates(unittest.TestCase):
    def test_known_answers(self):
        estimate = clustersize.estimate(*job())
        # embedding and output 2 x 128256 x 8192; 80 layers of 2 x 8192^2 + 2 x 8192 x 1024 + 3 x 8192 x 28672 + 2 x 8192; a norm
        layer = 2 * 8192 ** 2 + 2 * 8192 * 1024 + 3 * 8192 * 28672 + 2 * 8192
        self.assertEqual(estimate.parameters.total, 2 * 128256 * 8192 + 80 * layer + 8192)
        self.assertEqual(estimate.batch.data_parallel, 64 // (8 * 2))
        self.assertEqual(estimate.memory.gradients, 2 * estimate.memory.weights)  # fp32 against bf16
        self.assertEqual(estimate.memory.master, estimate.stages[0].parameters * 4 / 4)  # 4 bytes each, sharded over dp 4
        self.assertEqual(estimate.memory.margin, estimate.memory.usable - estimate.memory.total)
        self.assertAlmostEqual(estimate.run.cost / (estimate.run.accelerator_hours * 3.72), 1.0, 6)

    def test_every_figure_is_that_of_the_json(self):
        estimate = clustersize.estimate(*job())
        told = estimate.to_dict()
        seen = 0
        for field in _fields.BY_OBJECT['estimate']:
            if field.list:
                for element, expected in zip(getattr(estimate, field.list), told[field.list]):
                    self.assertEqual(getattr(element, field.name), expected[field.name])
            else:
                group, name = field.name.split('.')
                value = getattr(getattr(estimate, group), name, None)
                self.assertEqual(value, told[group].get(name), field.name)
                self.assertEqual(estimate.get(field.name), value)
                if name + '_range' in told[group]:
                    self.assertEqual([value.low, value.high], told[group][name + '_range'])
            seen += 1
        self.assertGreater(seen, 130)
        self.assertEqual((len(estimate.stages), len(told['stages'])), (2, 2))
        self.assertEqual(estimate.notes, told['notes'])

    def test_it_agrees_with_the_one_line_answer(self):
        answer = clustersize.answer('fit %s %s %s' % (WORKLOAD, CLUSTER, PLAN))
        told = clustersize.estimate(*job()).to_dict()
        self.assertEqual(json.dumps(told['memory']), json.dumps(answer['memory']))
        self.assertEqual(told['step'], answer['step'])

    def test_depths(self):
        workload, cluster, plan = job()
        estimate = Estimate().compute(workload)
        self.assertEqual(estimate.parameters.total, 70553706496)
        with self.assertRaises(Unset):
            estimate.memory.total
        estimate.compute(workload, cluster, plan, 'fit')
        self.assertTrue(hasattr(estimate.memory, 'total'))
        self.assertFalse(hasattr(estimate.step, 'time'))
        self.assertIsNone(estimate.get('step.time'))
        self.assertEqual(estimate.get_many(['memory.usable', 'step.time']), [estimate.memory.usable, None])
        for depth in ('deep', 3):
            with self.assertRaises(InvalidValue):
                estimate.compute(workload, cluster, plan, depth)

    def test_a_failed_compute_leaves_nothing(self):
        workload, cluster, plan = job()
        estimate = Estimate().compute(workload, cluster, plan)
        with self.assertRaises(PlanConflict) as caught:
            estimate.compute(workload, cluster, Plan(tp=3))
        self.assertEqual((caught.exception.reason, caught.exception.status), ('count', Status.CONFLICT))
        with self.assertRaises(Unset):
            estimate.memory.total
        self.assertEqual(len(estimate.stages), 0)
        with self.assertRaises(InvalidValue) as caught:
            clustersize.estimate(Workload(), cluster)
        self.assertEqual(caught.exception.status, Status.MISSING)

    def test_wrong_objects_are_type_errors(self):
        workload, cluster, plan = job()
        for arguments in ((cluster, workload, plan), (None, cluster, plan), (workload, cluster, 'tp=8'), (workload, plan)):
            with self.assertRaises(TypeError):
                clustersize.estimate(*arguments)
        with self.assertRaises(AttributeError):
            clustersize.estimate(*job()).memory.total = 3
        with self.assertRaises(UnknownField):
            Estimate().get('memory.wieghts')
        with self.assertRaises(InvalidValue):
            Estimate().reserve(5000)
        with self.assertRaises(TypeError):
            pickle.dumps(Estimate())

    def test_ranges_are_numbers(self):
        time = clustersize.estimate(*job()).step.time
        self.assertTrue(time.low < time < time.high)
        self.assertEqual(time * 2, time.likely * 2)
        again = pickle.loads(pickle.dumps(time))
        self.assertEqual((again, again.low, again.high), (time, time.low, time.high))
        self.assertEqual('%.1f' % time, '%.1f' % time.likely)
        self.assertEqual(json.loads(json.dumps(time)), time.likely)
        self.assertEqual(repr(Range(2.0, 1.0, 3.0)), '2.0 (1.0 to 3.0)')

    def test_looks(self):
        estimate = clustersize.estimate(*job())
        for text in ('70.55B', 'fits: yes', 'MFU'):
            self.assertIn(text, repr(estimate))
        self.assertIn('nothing computed', repr(Estimate()))
        for shown in (estimate, estimate.memory, estimate.stages):
            self.assertGreater(len(Balanced(shown._repr_html_()).cells), 10)
        row = estimate.row()
        self.assertEqual(row['step.time.low'], estimate.step.time.low)
        self.assertEqual(set(row), set(clustersize.estimate(Workload(WORKLOAD)).row()))
        self.assertTrue(all(value is None or type(value) in (int, float, str) for value in row.values()))
        self.assertEqual(estimate.stages.rows()[1]['index'], 1)


class Rankings(unittest.TestCase):
    def setUp(self):
        self.workload, self.cluster, _ = job()
        self.goal = Goal(rows=5).limit('tensor_parallel', 2, 4).stack('megatron')

    def test_entries_agree_with_the_json_and_with_their_own_computation(self):
        ranking = clustersize.select(self.workload, self.cluster, self.goal)
        told = ranking.to_dict()
        self.assertEqual(len(ranking), 5)
        times = []
        for (plan, estimate), expected in zip(ranking, told['entries']):
            self.assertEqual(plan.to_dict(), expected['plan'])
            self.assertTrue(2 <= plan.tensor_parallel <= 4)
            again = clustersize.estimate(self.workload, self.cluster, plan)
            self.assertEqual(estimate.memory.total, again.memory.total)
            times.append(float(estimate.run.time))
        self.assertEqual(times, sorted(times))
        self.assertEqual({rejection.reason: rejection.plans for rejection in ranking.rejected}, told['rejected'])
        self.assertEqual(ranking.candidates, told['ranking']['candidates'])
        self.assertEqual([entry.plan.row() for entry in ranking[1:3]], [entry['plan'] for entry in told['entries'][1:3]])
        self.assertEqual(ranking[-1].plan.row(), told['entries'][4]['plan'])
        rows = ranking.rows()
        self.assertEqual(rows[2]['plan.tensor_parallel'], ranking[2].plan.tensor_parallel)
        self.assertEqual(rows[2]['step.time'], ranking[2].estimate.step.time)
        self.assertGreater(len(Balanced(ranking._repr_html_()).cells), 20)
        for bad in (5, -6):
            with self.assertRaises(IndexError):
                ranking[bad]

    def test_size_meets_the_deadline_and_advise_changes_the_plan(self):
        goal = Goal(deadline='60d')
        ranking = clustersize.size(self.workload, Cluster('accelerator=h100-sxm-80gb'), goal)
        self.assertLessEqual(ranking[0].estimate.run.time, goal.deadline)
        self.assertEqual(ranking.accelerators, ranking[0].estimate.batch.accelerators)
        ranking.size(self.workload, Cluster('accelerator=h100-sxm-80gb'), Goal(deadline=1.0))
        with self.assertRaises(Unset):
            ranking.accelerators
        self.assertIsNone(ranking.get('accelerators'))
        changes = clustersize.advise(self.workload, self.cluster, Plan('tp=8 pp=2'))
        self.assertEqual(changes[0].estimate.memory.fit, 'yes')

    def test_no_plan_is_an_answer(self):
        ranking = clustersize.select(self.workload, Cluster('accelerator=h100-sxm-80gb accelerators=2'), Goal(rows=1))
        self.assertEqual((len(ranking), list(ranking), ranking.rows()), (0, [], []))
        self.assertIn('no plan', repr(ranking))

    def test_estimates_of_a_ranking_end_with_it(self):
        ranking = clustersize.select(self.workload, self.cluster, self.goal)
        plan, old = ranking[0]
        ranking.select(self.workload, self.cluster, self.goal)
        with self.assertRaises(Closed) as caught:
            old.memory.total
        self.assertIn('asked again', str(caught.exception))
        new = ranking[0].estimate
        with self.assertRaises(InvalidValue):
            new.compute(self.workload)
        ranking.close()
        with self.assertRaises(Closed):
            new.stages[0]
        self.assertIn(plan.tensor_parallel, (2, 4))
        kept = clustersize.select(self.workload, self.cluster, self.goal)[0].estimate
        self.assertGreater(kept.memory.total, 0)  # the ranking lives as long as its estimate

    def test_progress_tells_and_cancels(self):
        told = []
        clustersize.select(self.workload, self.cluster, progress=told.append)
        self.assertTrue(told and all(0 <= done <= 1 for done in told))
        with self.assertRaises(Cancelled):
            clustersize.select(self.workload, self.cluster, progress=lambda done: True)

        class Mine(BaseException):
            pass

        def fail(done):
            raise Mine
        ranking = Ranking()
        with self.assertRaises(Mine):
            ranking.select(self.workload, self.cluster, progress=fail)
        self.assertEqual(len(ranking), 0)
        with self.assertRaises(TypeError):
            ranking.select(self.workload, self.cluster, progress=3)

    @unittest.skipIf(signal.getsignal(signal.SIGINT) is not signal.default_int_handler, 'interrupts are ignored here')
    def test_an_interrupt_ends_a_long_call(self):
        timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
        ranking = Ranking()
        with self.assertRaises(KeyboardInterrupt):
            timer.start()
            for _ in range(500):
                ranking.size(self.workload, Cluster('accelerator=h100-sxm-80gb'), Goal(deadline='20d'))
        timer.join()
        ranking.select(self.workload, self.cluster, self.goal)
        self.assertEqual(len(ranking), 5)

    def test_what_a_call_uses_is_refused_to_its_own_progress(self):
        ranking, refused = Ranking(), []

        def meddle(done):
            for act in (ranking.close, self.workload.close, lambda: setattr(self.workload, 'tokens', 3),
                        lambda: len(ranking), lambda: ranking.select(self.workload, self.cluster)):
                try:
                    act()
                except Closed:
                    refused.append(act)
        ranking.select(self.workload, self.cluster, self.goal, progress=meddle)
        self.assertTrue(refused and len(refused) % 5 == 0)
        self.assertEqual((len(ranking), self.workload.tokens), (5, 10 ** 12))


class Calibrations(unittest.TestCase):
    def test_a_slower_run_slows_the_cluster(self):
        workload, cluster, plan = job()
        predicted = float(clustersize.estimate(workload, cluster, plan).step.time)
        calibration = Calibration().add_run(workload, plan, 1.2 * predicted)
        with self.assertRaises(Unset):
            calibration.residuals.after
        cluster.calibrate(calibration)
        self.assertLess(cluster.compute_multiplier, 1)
        run = calibration.runs[0]
        self.assertAlmostEqual(run.run_before / predicted, 1.0, 9)
        self.assertLess(abs(run.run_residual), abs(run.run_residual_before))
        self.assertEqual([m.multiplier for m in calibration.multipliers], ['compute', 'memory', 'link', 'scale_out'])
        self.assertEqual((run.run_measured, calibration.to_dict()['runs'][0]['run_measured']), (1.2 * predicted,) * 2)

    def test_bad_measurements(self):
        workload, cluster, plan = job()
        calibration = Calibration()
        for seconds in (0, -1, float('nan'), float('inf')):
            with self.assertRaises(InvalidValue):
                calibration.add_run(workload, plan, seconds)
        for bad in (lambda: calibration.add_run(workload, plan, 'fast'), lambda: calibration.add_run(workload, plan, 1, 1.5),
                    lambda: calibration.set_copy(b'1'), lambda: calibration.add_nccl(3)):
            with self.assertRaises(TypeError):
                bad()
        for bad in (lambda: calibration.add_nccl('no figures'), lambda: calibration.add_nccl('', 'gossip'),
                    lambda: calibration.set_gemm('fp99', 1e15), lambda: calibration.add_run(workload, plan, 1, 2 ** 64 + 8)):
            with self.assertRaises(InvalidValue):
                bad()
        before = cluster.to_dict()
        with self.assertRaises(InvalidValue):
            cluster.calibrate(calibration)
        calibration.add_run(workload, plan, 1e-3)
        with self.assertRaises(InvalidValue) as caught:
            cluster.calibrate(calibration)
        self.assertEqual(caught.exception.status, Status.RANGE)
        self.assertEqual(cluster.to_dict(), before)
        self.assertEqual(len(calibration.runs), 1)


class Catalogs(unittest.TestCase):
    def test_entries(self):
        catalog = Catalog()
        told = catalog.to_dict()
        for name in ('models', 'accelerators', 'nodes', 'fabrics', 'offers', 'curves', 'operations', 'reliability'):
            entries = getattr(catalog, name)
            self.assertEqual(entries.ids(), [entry['id'] for entry in told[name]])
            for entry, expected in itertools.islice(zip(entries, told[name]), 20):
                for key, value in expected.items():
                    self.assertEqual(getattr(entry, key), value, key)
        part = catalog.accelerators['H100_SXM-80GB']
        self.assertEqual(part.id, 'h100-sxm-80gb')
        self.assertEqual(part.get('peak_fp4', 0), 0)
        self.assertIn('confidence', part.provenance)
        self.assertIn('h100-sxm-80gb', catalog.accelerators)
        self.assertNotIn('h1000', catalog.accelerators)
        with self.assertRaises(InvalidValue):
            catalog.accelerators['h1000']
        with self.assertRaises(IndexError):
            catalog.nodes[10 ** 6]

    def test_queries(self):
        offers = Catalog().offers.query('accelerator=h100-sxm-80gb', by='price')
        prices = [offer.price for offer in offers]
        self.assertGreater(len(prices), 5)
        self.assertEqual(prices, sorted(prices))
        self.assertEqual({offer.accelerator for offer in offers}, {'h100-sxm-80gb'})
        self.assertEqual(Catalog().offers.query('term=never'), [])
        for bad in (('price',), ('prize=3',), ('price=3 price=4',)):
            with self.assertRaises(clustersize.Error):
                Catalog().offers.query(*bad)
        with self.assertRaises(UnknownField):
            Catalog().offers.query(by='prize')

    def test_overlays_and_hostile_names(self):
        catalog = Catalog({'accelerators': [{'id': 'x', 'name': '<script>"&', 'memory': '80GiB'}]})
        page = catalog.accelerators['x']._repr_html_()
        self.assertNotIn('<script>', page)
        self.assertIn('<script>"&', ''.join(Balanced(page).cells))
        before = catalog.accelerators.ids()
        for bad in ('{', '{"accelerators": [{"memory": 3}]}', {'accelerators': [{'id': 'y', 'memory': -1}]}, {'gpus': []}):
            with self.assertRaises(clustersize.Error):
                catalog.load(bad)
        self.assertEqual(catalog.accelerators.ids(), before)
        self.assertEqual(pickle.loads(pickle.dumps(catalog)).accelerators.ids(), before)

    def test_stacks(self):
        self.assertIn('megatron', clustersize.stacks())
        self.assertRegex(clustersize.facts_date(), r'^\d{4}-\d\d$')


class Sweeps(unittest.TestCase):
    questions = list(clustersize.grid(model=['llama-3-8b', 'llama-3-70b'], tokens='1T', accelerator='h100-sxm-80gb',
                                      accelerators=[8, 24, 64], tensor_parallel=(1, 8), global_batch=1536))

    def test_rows_are_those_of_single_estimates_in_order(self):
        rows = list(clustersize.sweep(self.questions, 'step', ['memory.total', 'memory.fit', 'step.time'], chunk=2, workers=4))
        self.assertEqual(len(rows), 12)
        for question, row in zip(self.questions, rows):
            self.assertEqual({name: row[name] for name in question}, question)
            estimate = clustersize.estimate(
                Workload(model=question['model'], tokens='1T', global_batch=1536),
                Cluster(accelerator=question['accelerator'], accelerators=question['accelerators']), Plan(tp=question['tensor_parallel']))
            self.assertEqual((row['memory.total'], row['memory.fit'], row['step.time']),
                             (estimate.memory.total, estimate.memory.fit, estimate.step.time))

    def test_processes_give_the_same(self):
        rows = list(clustersize.sweep(self.questions, 'fit', ['memory.total']))
        with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context('spawn')) as pool:
            self.assertEqual(list(clustersize.sweep(self.questions, 'fit', ['memory.total'], executor=pool, chunk=5)), rows)

    def test_what_cannot_be_is_a_row(self):
        rows = clustersize.answer_rows([dict(self.questions[0], tensor_parallel=3), dict(self.questions[0], accelerator='abacus'),
                                        {'hidden': 3, 'pipes': 2}, self.questions[0]])
        self.assertEqual(rows[0]['reason'], 'count')
        self.assertIn('abacus', rows[1]['error'])
        self.assertIn('pipes', rows[2]['error'])
        self.assertNotIn('error', rows[3])

    def test_plan_and_size(self):
        question = dict(model='llama-3-8b', tokens='1T', accelerator='h100-sxm-80gb', accelerators=64, deadline='30d')
        row = clustersize.answer_rows([question], 'plan')[0]
        best = clustersize.select(Workload(model='llama-3-8b', tokens='1T'), Cluster(CLUSTER), Goal(deadline='30d'))[0]
        self.assertEqual((row['plan.sharding'], row['run.time']), (best.plan.sharding, best.estimate.run.time))
        row = clustersize.answer_rows([question], 'size')[0]
        self.assertLessEqual(row['run.time'], 30 * 86400)
        self.assertEqual(clustersize.answer_rows([dict(question, accelerators=1, model='llama-3-70b')], 'plan')[0]['reason'], 'memory')

    def test_it_is_lazy(self):
        endless = ({'model': 'llama-3-8b', 'accelerator': 'h100-sxm-80gb', 'accelerators': 8 * i} for i in itertools.count(1))
        rows = list(itertools.islice(clustersize.sweep(endless, 'fit', chunk=4), 10))
        self.assertEqual(rows[9]['accelerators'], 80)

    def test_bad_arguments_are_said_at_once(self):
        for bad in (dict(ask='guess'), dict(figures=['memory.totl']), dict(chunk=0)):
            with self.assertRaises((ValueError, UnknownField)):
                clustersize.sweep([], **bad)

    def test_answer_raises(self):
        with self.assertRaises(PlanConflict) as caught:
            clustersize.answer('fit model=llama-3-8b accelerator=h100-sxm-80gb accelerators=64 tp=3')
        self.assertEqual((caught.exception.field, caught.exception.status), ('accelerators', Status.CONFLICT))
        with self.assertRaises(TypeError):
            clustersize.answer(3)

    def test_pandas(self):
        try:
            import pandas
        except ImportError:
            self.skipTest('no pandas: rows are plain dicts all the same')
        frame = pandas.DataFrame(clustersize.select(*job()[:2], Goal(rows=4)).rows())
        self.assertEqual(len(frame), 4)
        self.assertTrue(frame['step.time'].is_monotonic_increasing)
        self.assertEqual(frame['memory.total'].dtype.kind, 'f')


class Projections(unittest.TestCase):
    def test_the_run_and_its_money(self):
        workload, cluster, plan = job()
        projection = clustersize.project(workload, cluster, plan)
        estimate = clustersize.estimate(workload, cluster, plan)
        whole = json.loads(projection.to_json())
        self.assertEqual(projection.operation.time, estimate.run.time)
        self.assertLess(projection.own.cost.low, projection.own.cost)
        self.assertEqual(projection.get('rent.cost'), projection.rent.cost)
        self.assertEqual([each.rental_offer for each in projection.rentals], [each['rental_offer'] for each in whole['rentals']])
        self.assertEqual(len(projection.swings), len(whole['swings']))
        self.assertIn(projection.swings[0].swing_of, ('rent', 'own'))
        self.assertEqual(projection.row()['rent.hour'], projection.rent.hour)
        Balanced(projection._repr_html_())
        with self.assertRaises(Unset):
            projection.network.levels
        with self.assertRaises(TypeError):
            pickle.dumps(projection)
        with self.assertRaises(PlanConflict) as caught:
            projection.compute(workload, cluster, Plan('tp=7'))
        self.assertIsNotNone(caught.exception.reason)
        with self.assertRaises(InvalidValue):
            Cluster(CLUSTER + ' pue=0.9')

    def test_curves_and_networks(self):
        workload, cluster, plan = job()
        ranking = clustersize.curve(workload, cluster, Goal(maximum_accelerators=256))
        curve = Projection().compute_curve(ranking, cluster)
        self.assertEqual([point.point_accelerators for point in curve.points], [entry.plan.tensor_parallel * entry.plan.pipeline_parallel *
                         entry.plan.context_parallel * (entry.estimate.get('batch.data_parallel') or 1) for entry in ranking])
        self.assertIn(curve.curve.knee, [point.point_accelerators for point in curve.points])
        network = Projection().compute_network(workload, cluster, plan)
        self.assertGreater(len(network.fabrics), 1)
        self.assertGreater(network.network.ports, 0)
        # 64 in 10 days against 128 in 7.5 at $3 an hour: 10 / 15, (128 x 7.5 - 64 x 10) x 24, 3 x 7,680 / 2.5
        found = clustersize.arithmetic_scaling(64, 10 * 86400, 128, 7.5 * 86400, 3)
        for value, right in zip(found, (2 / 3, 7680, 9216)):
            self.assertAlmostEqual(value / right, 1)
        with self.assertRaises(InvalidValue):
            clustersize.arithmetic_scaling(64, 1, 32, 2, 3)

    def test_largest(self):
        workload, cluster, plan = Workload('model=llama-3-8b global_batch=512'), Cluster(CLUSTER), Plan('sharding=parameters')
        estimate = Estimate()
        batch = estimate.largest('micro_batch', workload, cluster, plan)
        for size, fits in ((batch, True), (batch * 2, False)):
            plan.micro_batch = size
            found = clustersize.estimate(workload, cluster, plan, depth='fit')
            self.assertEqual(found.memory.fit_probability >= 0.9, fits)
        self.assertIn(estimate.largest('model', workload, cluster, Plan('sharding=parameters')), clustersize.Catalog().models.ids())
        with self.assertRaises(InvalidValue):
            estimate.largest('tokens', workload, cluster)


class Launches(unittest.TestCase):
    def test_out_and_in_again(self):
        workload, cluster = Workload('model=llama-3-8b tokens=10B global_batch=512'), Cluster(CLUSTER)
        stacks = {'megatron': 'megatron', 'deepspeed': 'deepspeed', 'torchtitan': 'fsdp-compiled', 'accelerate': 'fsdp-compiled',
                  'nanotron': 'nanotron', 'nemo': 'megatron', 'maxtext': 'xla'}
        for software, stack in stacks.items():
            self.assertTrue(clustersize.launch_version(software).lower().replace('-', '').startswith(
                {'nemo': 'megatronbridge', 'megatron': 'megatronlm'}.get(software, software)), software)
            if stack == 'xla':
                cluster = Cluster('accelerator=tpu-v5p accelerators=64')
            plan = Plan('sharding=%s stack=%s' % ('parameters' if stack in ('fsdp-compiled', 'xla') else 'optimizer', stack))
            step = clustersize.estimate(workload, cluster, plan).step.time
            with tempfile.NamedTemporaryFile('w', suffix='.launch') as file:
                file.write(clustersize.to_launch(plan, workload, cluster, software))
                file.flush()
                back, again = clustersize.from_launch(file.name, software, workload.copy(), cluster)
                self.assertEqual(clustersize.launch_notes(file.name, software), [])
            self.assertEqual(clustersize.estimate(back, cluster, again).step.time, step, software)
        cluster, plan = Cluster(CLUSTER), Plan('sharding=parameters stack=fsdp-compiled')
        self.assertIn('#SBATCH', clustersize.to_launch(plan, workload, cluster, 'torchtitan', part='batch'))
        self.assertRegex(clustersize.launch_version('torchtitan'), r'^torchtitan v')
        with self.assertRaises(PlanConflict) as caught:
            clustersize.to_launch(Plan('pp=2 stack=deepspeed'), workload, cluster, 'deepspeed')
        self.assertEqual(caught.exception.field, 'pipeline_parallel')
        with self.assertRaises(InvalidValue):
            clustersize.to_launch(plan, workload, cluster, 'jax')
        with self.assertRaises(TypeError):
            clustersize.from_launch({'training': {}}, 'torchtitan', workload, cluster)
        with self.assertRaises(InvalidValue):
            clustersize.from_launch({'train_batch_size': 256, 'train_micro_batch_size_per_gpu': 1, 'gradient_accumulation_steps': 2}, 'deepspeed', workload, cluster)


if __name__ == '__main__':
    unittest.main()
