import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { SluiceError } from '../../kit/errors.ts'
import { createChatRuns } from './runs.ts'

/** Work that waits until it is aborted. */
const endless = async (signal: AbortSignal): Promise<never> => {
  await once(signal, 'abort')
  throw signal.reason
}

const codeIs = (code: string) => (error: unknown) => error instanceof SluiceError && error.code === code
const never = new AbortController().signal
const mine = { flowId: 'flow', chatId: 'chat', owner: 'me' }

test('abort() stops all runs of one conversation and no others', async () => {
  const runs = createChatRuns(never)
  const stopped = [runs.run(mine, never, endless), runs.run(mine, never, endless)]
  const gone = new AbortController()
  const others = [
    { ...mine, chatId: 'another' },
    { ...mine, owner: 'you' },
    { ...mine, flowId: 'other' },
  ].map((key) => runs.run(key, gone.signal, endless))
  const ended: number[] = []
  for (const [at, run] of others.entries()) run.catch(() => ended.push(at))
  await runs.abort(mine)
  for (const run of stopped) await assert.rejects(run, codeIs('cancelled'))
  assert.deepEqual(ended, [])
  await runs.abort(mine, { anyOwner: true })
  await assert.rejects(others[1]!, codeIs('cancelled'))
  assert.deepEqual(ended, [1])
  gone.abort(new SluiceError('cancelled'))
  await Promise.allSettled(others)
  await runs.idle()
})

test('run() ends when its client leaves; another run of the conversation continues', async () => {
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

test('run() continues for some time while the server stops, then ends with stopping', async () => {
  const stop = new AbortController()
  const runs = createChatRuns(stop.signal, { graceMs: 20 })
  const finish = Promise.withResolvers<string>()
  const quick = runs.run(mine, never, () => finish.promise)
  const slow = runs.run(mine, never, endless)
  stop.abort()
  finish.resolve('in time')
  assert.equal(await quick, 'in time')
  await assert.rejects(slow, codeIs('stopping'))
  await runs.idle()
})
