import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stopInTime } from './stop-in-time.ts'

const never = () => new Promise<never>(() => {})

test('stopInTime() ends parts one after the other', async () => {
  const ended: string[] = []
  const part = (name: string) => [name, async () => void ended.push(await Promise.resolve(name))] as const
  assert.deepEqual(await stopInTime([part('one'), part('two')], 60_000), [])
  assert.deepEqual(ended, ['one', 'two'])
})

test('stopInTime() goes on behind a part that fails, and names it', async () => {
  const ended: string[] = []
  const unfinished = await stopInTime(
    [
      ['first', () => Promise.reject(new Error('no answer'))],
      [
        'second',
        () => {
          throw new Error('at once')
        },
      ],
      ['third', () => void ended.push('third')],
    ],
    60_000,
  )
  assert.deepEqual(unfinished, [
    { part: 'first', reason: 'no answer' },
    { part: 'second', reason: 'at once' },
  ])
  assert.deepEqual(ended, ['third'])
})

test('stopInTime() waits for no part once the time is over, and tells the others to end', async () => {
  const told: string[] = []
  const unfinished = await stopInTime(
    [
      ['first', never],
      ['second', never],
      ['third', () => void told.push('third')],
    ],
    1,
  )
  assert.deepEqual(
    unfinished.map(({ part }) => part),
    ['first', 'second'],
    'the third ended at once',
  )
  assert.deepEqual(told, ['third'])
})
