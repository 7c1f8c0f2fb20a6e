"""Inputs: attributes from the tables, setting, readers, copies."""
import copy
import io
import json
import math
import os
import pickle
import tempfile
import unittest

import clustersize
from clustersize import Catalog, Cluster, Goal, InvalidValue, Plan, Status, UnknownField, Workload, WrongType, _fields

CLASSES = {'workload': Workload, 'cluster': Cluster, 'plan': Plan, 'goal': Goal}
CONFIG = {'model_type': 'llama', 'hidden_size': 4096, 'intermediate_size': 14336, 'num_attention_heads': 32,
          'num_hidden_layers': 32, 'num_key_value_heads': 8, 'vocab_size': 128256, 'tie_word_embeddings': False}
# 2 x 128256 x 4096 + 32 layers x (2 x 4096 x 4096 + 2 x 4096 x 1024 + 3 x 4096 x 14336 + 2 x 4096) + 4096
PARAMETERS = 8030261248


class Attributes(unittest.TestCase):
    def test_every_input_field_is_an_attribute_that_holds_both_bounds(self):
        seen = 0
        for field in clustersize.fields:
            if field.object not in CLASSES or field.lower is None:
                continue
            for bound in (field.lower, field.upper):
                made = CLASSES[field.object]()
                value = int(bound) if field.type in ('integer', 'choice', 'boolean') else bound
                setattr(made, field.name, value)
                if field.by_number:
                    value = {'no': False, 'yes': True}.get(field.by_number[value], field.by_number[value]) \
                        if field.type == 'boolean' else field.by_number[value]
                self.assertEqual(getattr(made, field.name), value, field.name)
                seen += 1
        self.assertGreater(seen, 300)

    def test_just_outside_a_bound_is_refused_by_name_and_changes_nothing(self):
        for field in clustersize.fields:
            if field.object not in CLASSES or field.lower is None:
                continue
            step = 1 if field.type != 'number' else max(abs(field.upper) * 1e-6, 1e-6)
            for value in (field.lower - step, field.upper + step):
                made = CLASSES[field.object]()
                before = made.to_dict()
                with self.assertRaises(clustersize.Error) as caught:
                    setattr(made, field.name, value)
                self.assertIn(field.name, caught.exception.message)
                self.assertEqual(caught.exception.field, field.name)
                self.assertEqual(made.to_dict(), before)

    def test_defaults_are_those_of_the_table(self):
        for name, cls in CLASSES.items():
            made = cls()
            for field in _fields.BY_OBJECT[name]:
                value = getattr(made, field.name)
                if field.default is None:
                    self.assertIsNone(value, field.name)
                elif field.type == 'choice':
                    self.assertEqual(field.choices[value], field.default)
                else:
                    self.assertEqual(value, field.default, field.name)

    def test_docstrings_have_meaning_unit_bounds_and_version(self):
        text = Cluster.memory_bandwidth.__doc__
        for part in ('Rate of its memory', 'byte/second', 'from', 'since 0.1.0'):
            self.assertIn(part, text)
        self.assertIn('one of rms, layer', Workload.norm.__doc__)

    def test_a_misspelt_attribute_is_refused(self):
        with self.assertRaises(AttributeError):
            Plan().tensor_paralel = 8
        with self.assertRaises(AttributeError):
            Plan().tensor_paralel
        with self.assertRaises(UnknownField) as caught:
            Plan(tensor_paralel=8)
        self.assertIn('tensor_paralel', str(caught.exception))

    def test_unset(self):
        plan = Plan(tp=8, data_parallel=2)
        self.assertTrue(plan.is_set('data_parallel'))
        del plan.data_parallel
        plan.tensor_parallel = None
        self.assertFalse(plan.is_set('data_parallel'))
        self.assertEqual((plan.data_parallel, plan.tensor_parallel), (None, 1))
        self.assertEqual(plan.get('data_parallel', 7), 7)
        self.assertEqual(plan.get('tp'), 1)


class Values(unittest.TestCase):
    def test_text_takes_units_and_names(self):
        workload = Workload()
        workload.tokens = '1T'
        workload.optimizer = 'muon'
        workload.tied_embeddings = 'yes'
        self.assertEqual((workload.tokens, workload.optimizer, workload.tied_embeddings), (10 ** 12, 'muon', True))
        goal = Goal(deadline='14d')
        self.assertEqual(goal.deadline, 14 * 86400.0)
        plan = Plan()
        plan.sharding = 3
        self.assertEqual(plan.sharding, 'parameters')

    def test_numbers_of_other_packages(self):
        class Whole:
            def __index__(self):
                return 16

        class Real:
            def __float__(self):
                return 0.5
        plan, goal = Plan(), Goal()
        plan.tensor_parallel = Whole()
        goal.fit_confidence = Real()
        self.assertEqual((plan.tensor_parallel, goal.fit_confidence), (16, 0.5))
        plan.set(pp=Whole())
        self.assertEqual(plan.pipeline_parallel, 16)

    def test_a_value_of_the_wrong_type_is_a_type_error(self):
        plan = Plan(tp=2)
        for value in ([8], (8,), {}, b'8', 8j, object(), True, 2.5):
            with self.assertRaises(TypeError, msg=repr(value)):
                plan.tensor_parallel = value
        for value in ([8], b'8', object(), None):
            with self.assertRaises(TypeError, msg=repr(value)):
                plan.set(tp=value)
        with self.assertRaises(WrongType):
            plan.stack = 3
        for text in (b'tp=8', 8, ['tp=8']):
            with self.assertRaises(TypeError):
                plan.set(text)
        self.assertEqual(plan.to_dict(), {'tensor_parallel': 2})

    def test_numbers_that_are_none_are_refused(self):
        plan, goal = Plan(tp=2), Goal()
        for value in (math.nan, math.inf, -math.inf, 2 ** 53 + 1, 2 ** 63, 2 ** 64 + 8, -2 ** 63 - 1, 1e300):
            with self.assertRaises(clustersize.Error, msg=repr(value)):
                plan.tensor_parallel = value
        for value in (math.nan, math.inf, -1.0):
            with self.assertRaises(InvalidValue):
                goal.deadline = value
        with self.assertRaises(OverflowError):
            plan.tensor_parallel = 10 ** 400
        self.assertEqual(plan.tensor_parallel, 2)

    def test_text_cannot_bring_further_fields(self):
        plan = Plan(tp=2)
        for text in ('megatron tp=4', 'megatron\ttp=4', '', ' ', 'megatron\n', 'megatron\0tp=4'):
            with self.assertRaises(ValueError, msg=repr(text)):
                plan.stack = text
            with self.assertRaises(ValueError, msg=repr(text)):
                plan.set(stack=text)
        with self.assertRaises(ValueError):
            plan.set('tp=4\0')
        self.assertEqual(plan.to_dict(), {'tensor_parallel': 2})

    def test_set_is_all_or_nothing(self):
        plan = Plan(tp=2)
        with self.assertRaises(InvalidValue) as caught:
            plan.set('tp=8 pp=0')
        self.assertEqual((caught.exception.status, caught.exception.field), (Status.RANGE, 'pipeline_parallel'))
        self.assertEqual(plan.to_dict(), {'tensor_parallel': 2})

    def test_errors_pickle(self):
        with self.assertRaises(clustersize.PlanConflict) as caught:
            clustersize.estimate(Workload(model='llama-3-8b'), Cluster(accelerator='h100-sxm-80gb', accelerators=64), Plan(tp=3))
        error = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((type(error), error.status, error.reason, error.field, str(error)),
                         (clustersize.PlanConflict, Status.CONFLICT, 'count', 'accelerators', str(caught.exception)))

    def test_units(self):
        self.assertEqual(clustersize.parse_unit('80GiB', 'byte'), 80 * 2 ** 30)
        self.assertEqual(clustersize.format_unit(1209600, 'second'), '14 d')
        self.assertEqual(clustersize.format_unit(1e12, 'flop/byte')[-6:], 'FLOP/B')
        for text, unit in (('80GiX', 'byte'), ('', 'second'), ('1', 'parsec')):
            with self.assertRaises(InvalidValue):
                clustersize.parse_unit(text, unit)

    def test_arithmetic(self):
        # 6 x 70e9 x 1e12 FLOP at 40% of 1e15 FLOP/s in 1e6 s
        self.assertAlmostEqual(clustersize.arithmetic_accelerators(4.2e23, 1e15, 0.4, 1e6), 1050.0)
        self.assertAlmostEqual(clustersize.arithmetic_seconds(4.2e23, 1050, 1e15, 0.4), 1e6)
        with self.assertRaises(InvalidValue):
            clustersize.arithmetic_seconds(1, 0, 1, 1)


class Lists(unittest.TestCase):
    def test_phases(self):
        workload = Workload(model='llama-3-8b', tokens='1T', global_batch=512)
        workload.phases.append(tokens='100B', sequence_length=65536, global_batch=64)
        self.assertEqual([phase.tokens for phase in workload.phases], [10 ** 12, 10 ** 11])
        self.assertEqual(workload.phases[-1].sequence_length, 65536)
        self.assertEqual(workload.phases[0].tokens, workload.tokens)
        workload.phases[1].tokens = 5
        self.assertEqual([phase.tokens for phase in workload.phases[1:]], [5])
        self.assertEqual(workload.phases.rows()[1]['global_batch'], 64)
        self.assertEqual(len(workload.phases), 2)

    def test_kinds(self):
        workload = Workload('hidden=64 layers=2 heads=4 vocab=10 kinds[1].attention=latent runs[1].layers=1 runs[1].layer_kind=1')
        workload.kinds[1].kv_rank = 8
        self.assertEqual([kind.attention for kind in workload.kinds], ['grouped', 'latent'])
        workload.kinds[1].attention = 'mamba'
        self.assertEqual(workload.kinds[1].attention, 'mamba')
        self.assertIsNone(workload.kinds[0].kv_heads)

    def test_bad_elements(self):
        workload = Workload(tokens=1)
        before = workload.to_dict()
        for bad in (lambda: workload.phases[7], lambda: workload.phases[-9]):
            with self.assertRaises(IndexError):
                bad()
        for bad in (lambda: workload.phases['0'], lambda: workload.phases.append(), lambda: workload.phases.append(tokens=None)):
            with self.assertRaises(TypeError):
                bad()
        with self.assertRaises(clustersize.Error):
            workload.phases.append(tokens=5, sequence_length=-1)
        with self.assertRaises(TypeError):
            workload.phases[0].tokens = None
        with self.assertRaises(InvalidValue):
            workload.phases[0].tokens = '5 hidden=3'
        self.assertEqual(workload.to_dict(), before)


class Readers(unittest.TestCase):
    def test_hugging_face(self):
        class Configuration:
            def to_dict(self):
                return CONFIG
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'config.json')
            with open(path, 'w') as file:
                json.dump(CONFIG, file)
            with open(path, 'rb') as file:
                made = [Workload.from_hf(source) for source in (path, file, CONFIG, io.StringIO(json.dumps(CONFIG)), Configuration())]
        for workload in made:
            self.assertEqual(clustersize.estimate(workload).parameters.total, PARAMETERS)
        self.assertEqual(Workload.from_hf(CONFIG, tokens='2T').tokens, 2 * 10 ** 12)

    def test_megatron_and_deepspeed(self):
        words = ('--num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336 --num-attention-heads 32 --group-query-attention '
                 '--num-query-groups 8 --swiglu --normalization RMSNorm --disable-bias-linear --seq-length 8192 '
                 '--untie-embeddings-and-output-weights --position-embedding-type rope --vocab-size 128256 '
                 '--make-vocab-size-divisible-by 1 --max-position-embeddings 8192 --micro-batch-size 2 --global-batch-size 64 '
                 '--tensor-model-parallel-size 4 --pipeline-model-parallel-size 2 --use-distributed-optimizer').split()
        workload, plan = Workload.from_megatron(words), Plan.from_megatron(words)
        self.assertEqual(clustersize.estimate(workload).parameters.total, PARAMETERS)
        self.assertEqual((workload.global_batch, plan.tensor_parallel, plan.pipeline_parallel, plan.micro_batch, plan.sharding),
                         (64, 4, 2, 2, 'optimizer'))
        deepspeed = {'train_batch_size': 64, 'train_micro_batch_size_per_gpu': 2, 'zero_optimization': {'stage': 3}}
        self.assertEqual(Workload.from_deepspeed(deepspeed).global_batch, 64)
        plan = Plan.from_deepspeed(deepspeed)
        self.assertEqual((plan.sharding, plan.micro_batch, plan.stack), ('parameters', 2, 'deepspeed'))

    def test_hostile_documents(self):
        for text in ('', '{', '[]', '{"model_type": "llama"}', '{"a": ' * 100, '\0', '{"model_type": 3}', '{"hidden_size": 1e999}'):
            workload = Workload(tokens=7)
            with self.assertRaises(clustersize.Error, msg=text[:20]):
                workload.load(text, 'hugging_face')
            self.assertEqual(workload.to_dict(), Workload(tokens=7).to_dict())
        with self.assertRaises(clustersize.Error) as caught:
            Workload().load('{"hiden": 3}')
        self.assertIn('line 1', str(caught.exception))
        with self.assertRaises(FileNotFoundError):
            Workload.from_hf('/no/such/config.json')
        with self.assertRaises(InvalidValue):
            Plan().load('{}', 'yaml')
        for source in (3, None, b'{}', [1]):
            with self.assertRaises(TypeError):
                Workload.from_hf(source)

    def test_job_file(self):
        job = {'workload': {'model': 'llama-3-8b', 'phases': [{'tokens': 7}]}, 'plan': {'tensor_parallel': 2},
               'cluster': {'accelerator': 'h100-sxm-80gb', 'accelerators': 8}, 'goal': {'rows': 3}}
        self.assertEqual((Workload.from_json(job).tokens, Plan.from_json(job).tensor_parallel,
                          Cluster.from_json(job).accelerators, Goal.from_json(job).rows), (7, 2, 8, 3))


class Copies(unittest.TestCase):
    def inputs(self):
        return [Workload(model='deepseek-v3', tokens='1T'), Cluster(node='dgx-h100', accelerators=64), Plan('tp=8 pp=2 stack=megatron'),
                Goal(deadline='14d', rows=3).limit('tensor_parallel', 1, 8).limit('recompute', 'none').stack('megatron')]

    def test_copies_are_equal_and_independent(self):
        for made in self.inputs():
            before = made.to_dict()
            for other in (made.copy(), copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
                self.assertEqual(other.to_dict(), before)
                other.unset(next(iter(k for k in before if k in _fields.BY_NAME[made._object])))
                self.assertNotEqual(other.to_dict(), before)
            self.assertEqual(made.to_dict(), before)

    def test_repr_can_be_evaluated(self):
        for made in self.inputs()[:3]:
            again = eval(repr(made), {'Workload': Workload, 'Cluster': Cluster, 'Plan': Plan})
            self.assertEqual(again.to_dict(), made.to_dict())

    def test_an_own_catalog_goes_along(self):
        catalog = Catalog({'accelerators': [{'id': 'my-part', 'memory': '80GiB', 'peak_bf16': '1P', 'memory_bandwidth': '3TB/s'}]})
        cluster = Cluster(catalog=catalog, accelerator='my-part', accelerators=8)
        self.assertEqual(cluster.memory, 80 * 2 ** 30)
        for other in (cluster.copy(), pickle.loads(pickle.dumps(cluster))):
            self.assertEqual(other.to_dict(), cluster.to_dict())
            self.assertIn('my-part', other.catalog.accelerators)
        with self.assertRaises(InvalidValue):
            Cluster(accelerator='my-part')
        with self.assertRaises(TypeError):
            Cluster(catalog='my-part')

    def test_looks(self):
        for made in self.inputs():
            self.assertTrue(made._repr_html_().startswith('<table><tr><th'))
            self.assertIn('  ', str(made))
            for name, value in made.row().items():
                self.assertIsInstance(value, (int, float, str, bool, list, type(None)), name)
        self.assertEqual(Plan('tp=8').row(), {'tensor_parallel': 8})


if __name__ == '__main__':
    unittest.main()
