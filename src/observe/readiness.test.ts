import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SluiceError } from '../kit/errors.ts'
import { createReadiness } from './readiness.ts'

const always = (name: string, result: SluiceError | 'checking' | undefined) => ({
  name,
  check: async () => result,
})

test('createReadiness() names the state of each dependency, and the failure of the first that is away', async () => {
  const full = new SluiceError('read_only', { hint: 'free some space' })
  const ready = createReadiness([
    always('database', undefined),
    always('blob store', 'checking'),
    always('disk', full),
    always('engine', new SluiceError('not_ready')),
  ])
  const { dependencies, failure } = await ready()
  assert.equal(failure, full)
  assert.deepEqual(dependencies, [
    { name: 'database', state: 'ok' },
    { name: 'blob store', state: 'checking' },
    { name: 'disk', state: 'away', reason: full.message },
    { name: 'engine', state: 'away', reason: new SluiceError('not_ready').message },
  ])
})

test('createReadiness() counts a dependency without an answer as away', async () => {
  const ready = createReadiness([{ name: 'database', check: () => new Promise(() => {}) }], 1)
  // Its own timer does not keep the process.
  const process = setInterval(() => {}, 1000)
  const { dependencies, failure } = await ready()
  clearInterval(process)
  assert.equal(failure?.code, 'dependency_silent')
  assert.equal(failure.status, 503)
  assert.deepEqual(dependencies[0]!.state, 'away')
})
