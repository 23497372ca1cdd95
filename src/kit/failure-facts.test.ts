import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SluiceError } from './errors.ts'
import { failureFacts } from './failure-facts.ts'
import { flowFacts } from './flow-facts.ts'

test('failureFacts() has the message of a provider, bounded, and of other failures the code alone', () => {
  const reason = 'The model m does not exist'
  assert.deepEqual(failureFacts(new SluiceError('provider_failed', { provider: 'a.test', reason })), {
    ...{ code: 'provider_failed', provider: 'a.test', reason },
  })
  const long = failureFacts(new SluiceError('provider_failed', { reason: 'x'.repeat(9000) }))
  assert.equal(String(long.reason).length, 501)
  assert.deepEqual(failureFacts(new SluiceError('file_unreadable', { file: 'a', reason: 'text of a' })), {
    code: 'file_unreadable',
  })
})

test('flowFacts() names a flow by its slug and its id', () => {
  assert.deepEqual(flowFacts({ id: 'f', slug: 's' }), { flow: 's', flowId: 'f' })
  assert.deepEqual(flowFacts({ id: 'f' }), { flowId: 'f' })
  assert.deepEqual(flowFacts(undefined), {})
})
