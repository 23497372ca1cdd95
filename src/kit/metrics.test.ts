import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from './metrics.ts'

const lines = async (metrics: { text(): Promise<string> }) => (await metrics.text()).trim().split('\n')

test('a counter adds by label values, and shows its initial values with 0', async () => {
  const metrics = createMetrics()
  const chunks = metrics.counter({
    name: 'chunks_total',
    help: 'Chunks',
    labels: ['outcome'],
    initial: [['added'], ['skipped']],
  })
  chunks.add(2, 'added')
  chunks.add(3, 'added')
  chunks.add(1, 'a "b" \\ \n')
  assert.deepEqual(await lines(metrics), [
    '# HELP chunks_total Chunks',
    '# TYPE chunks_total counter',
    'chunks_total{outcome="added"} 5',
    'chunks_total{outcome="skipped"} 0',
    'chunks_total{outcome="a \\"b\\" \\\\ \\n"} 1',
  ])
})

test('a histogram counts a value in its class and in all larger ones', async () => {
  const metrics = createMetrics()
  const seconds = metrics.histogram({ name: 's', help: 'Seconds', labels: ['kind'] }, [0.5, 1])
  for (const value of [0.5, 0.75, 8]) seconds.observe(value, 'a')
  assert.deepEqual((await lines(metrics)).slice(2), [
    's_bucket{kind="a",le="0.5"} 1',
    's_bucket{kind="a",le="1"} 2',
    's_bucket{kind="a",le="+Inf"} 3',
    's_sum{kind="a"} 9.25',
    's_count{kind="a"} 3',
  ])
})

test('a read metric calls its function at each scrape, and shows type and help without samples too', async () => {
  const metrics = createMetrics()
  let value = 1
  metrics.read({ name: 'g', help: 'G', type: 'gauge' }, () => [{ value: value++ }])
  metrics.read({ name: 'none', help: 'None', type: 'gauge' }, async () => [])
  const none = ['# HELP none None', '# TYPE none gauge']
  assert.deepEqual(await lines(metrics), ['# HELP g G', '# TYPE g gauge', 'g 1', ...none])
  assert.deepEqual(await lines(metrics), ['# HELP g G', '# TYPE g gauge', 'g 2', ...none])
})

test('metrics refuse a name that is taken, and a wrong number of labels', () => {
  const metrics = createMetrics()
  const one = metrics.counter({ name: 'c', help: 'C', labels: ['a'] })
  assert.throws(() => metrics.counter({ name: 'c', help: 'C' }), /two metrics are called c/)
  assert.throws(() => one.add(1), /c has 1 labels/)
})
