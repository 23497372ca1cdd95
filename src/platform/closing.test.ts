import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LogFacts, quietLog } from '../kit/log.ts'
import { createClosing } from './closing.ts'

test('createClosing() ends what was opened in reverse order, once, and names in the log what fails', async () => {
  const ended: string[] = []
  const logged: LogFacts[] = []
  const closing = createClosing(() => ({
    ...quietLog,
    warn: (event, facts = {}) => void logged.push({ event, ...facts }),
  }))
  closing.add('database', async () => void ended.push('database'))
  closing.add('files', () => Promise.reject(new Error('is away')))
  closing.add('jobs', async () => void ended.push('jobs'))
  assert.deepEqual(await closing.end(), [{ part: 'files', reason: 'is away' }])
  assert.deepEqual(ended, ['jobs', 'database'])
  assert.deepEqual(logged, [{ event: 'part-not-finished', part: 'files', reason: 'is away' }])
  assert.deepEqual(await closing.end(), [])
  assert.deepEqual(ended, ['jobs', 'database'])
})
