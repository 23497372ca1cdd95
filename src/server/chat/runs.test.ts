import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { SluiceError } from '../../kit/errors.ts'
import { createChatRuns } from './runs.ts'

/** Work that does nothing but wait for its end. */
const endless = async (signal: AbortSignal): Promise<never> => {
  await once(signal, 'abort')
  throw signal.reason
}

const codeIs = (code: string) => (error: unknown) => error instanceof SluiceError && error.code === code
const never = new AbortController().signal
const mine = { flowId: 'flow', chatId: 'chat', owner: 'me' }

test('abort() stops every run of a chat and no other', async () => {
  const runs = createChatRuns(never)
  const stopped = [runs.run(mine, never, endless), runs.run(mine, never, endless)]
  const gone = new AbortController()
  const others = [
    { ...mine, chatId: 'another' },
    { ...mine, owner: 'you' },
    { ...mine, flowId: 'other' },
  ].map((of) => runs.run(of, gone.signal, endless))
  assert.equal(runs.abort(mine), 2)
  for (const run of stopped) await assert.rejects(run, codeIs('cancelled'))
  assert.equal(runs.abort(mine), 0)
  assert.equal(runs.abort(mine, { anyOwner: true }), 1)
  await assert.rejects(others[1]!, codeIs('cancelled'))
  gone.abort(new SluiceError('cancelled'))
  await Promise.allSettled(others)
  await runs.idle()
})

test('run() ends with its client, and the other run of the same chat goes on', async () => {
  const runs = createChatRuns(never)
  const gone = new AbortController()
  const first = runs.run(mine, gone.signal, endless)
  const finish = Promise.withResolvers<string>()
  const second = runs.run(mine, never, () => finish.promise)
  gone.abort(new Error('left'))
  await assert.rejects(first, /left/)
  finish.resolve('done')
  assert.equal(await second, 'done')
})

test('run() goes on for a while when the server stops, and then says stopping', async () => {
  const stop = new AbortController()
  const runs = createChatRuns(stop.signal, 20)
  const finish = Promise.withResolvers<string>()
  const quick = runs.run(mine, never, () => finish.promise)
  const slow = runs.run(mine, never, endless)
  stop.abort()
  finish.resolve('in time')
  assert.equal(await quick, 'in time')
  await assert.rejects(slow, codeIs('stopping'))
  await runs.idle()
})
