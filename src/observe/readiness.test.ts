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
  const ready = createReadiness([{ name: 'database', check: () => new Promise(() => {}) }], { patienceMs: 1 })
  // Its own timer does not keep the process.
  const process = setInterval(() => {}, 1000)
  const { dependencies, failure } = await ready()
  clearInterval(process)
  assert.equal(failure?.code, 'dependency_silent')
  assert.equal(failure.status, 503)
  assert.deepEqual(dependencies[0]!.state, 'away')
})

test('createReadiness() is ready without what is soft, and names it; not while it stops', async () => {
  let isStopping = false
  const away = new SluiceError('not_ready')
  const ready = createReadiness(
    [always('database', undefined), { ...always('blob store', away), isSoft: true as const }],
    { isStopping: () => isStopping },
  )
  const { failure, degraded, dependencies } = await ready()
  assert.deepEqual([failure, degraded, dependencies[1]!.state], [undefined, ['blob store'], 'away'])
  isStopping = true
  assert.equal((await ready()).failure?.code, 'stopping')
})

test('createReadiness() checks once for callers at the same time, and anew for later ones', async () => {
  let checks = 0
  const ready = createReadiness([
    {
      name: 'database',
      async check() {
        checks++
        return undefined
      },
    },
  ])
  await Promise.all([ready(), ready(), ready()])
  assert.equal(checks, 1)
  await ready()
  assert.equal(checks, 2)
})
