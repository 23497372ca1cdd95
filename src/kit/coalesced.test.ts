import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coalesced } from './coalesced.ts'

test('coalesced() answers the calls during a run with one run after it', async () => {
  const gates: PromiseWithResolvers<void>[] = []
  const call = coalesced(() => {
    gates.push(Promise.withResolvers<void>())
    return gates.at(-1)!.promise
  })
  const answered: string[] = []
  const noted = (name: string) => call().then(() => void answered.push(name))
  const first = noted('first')
  const others = [noted('second'), noted('third')]
  assert.equal(gates.length, 1)
  gates[0]!.resolve()
  await first
  await new Promise(setImmediate)
  assert.deepEqual([gates.length, answered], [2, ['first']])
  const late = noted('late')
  gates[1]!.resolve()
  await Promise.all(others)
  await new Promise(setImmediate)
  gates[2]!.resolve()
  await late
  assert.deepEqual(answered, ['first', 'second', 'third', 'late'])
})

test('coalesced() runs again after a failed run, which only its own calls get', async () => {
  const failures = [new Error('once')]
  const call = coalesced(async () => {
    const failure = failures.pop()
    if (failure) throw failure
  })
  const first = call()
  const second = call()
  await assert.rejects(first, /once/)
  await second
})
