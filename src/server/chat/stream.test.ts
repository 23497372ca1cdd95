import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import Fastify from 'fastify'
import { SluiceError } from '../../kit/errors.ts'
import type { Log } from '../../kit/log.ts'
import { HEARTBEAT } from './frames.ts'
import { goneSignal, type Say, sendStream } from './stream.ts'

const log: Log = { error() {}, warn() {}, info() {}, debug() {} }

/** What a client reads of a stream that is told like this. */
async function streamed(t: TestContext, tell: (say: Say) => Promise<void>): Promise<string> {
  const app = Fastify()
  t.after(() => app.close())
  const form = { heartbeat: HEARTBEAT, failed: ({ code }: SluiceError) => `failed: ${code}` }
  app.get('/', (_request, reply) => sendStream({ reply, gone: goneSignal(reply), log }, form, tell))
  return (await fetch(await app.listen())).text()
}

test('sendStream() shows every 30 seconds that a silent stream is alive', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const text = await streamed(t, async (say) => {
    t.mock.timers.tick(60_000)
    await say('done')
  })
  assert.equal(text, ':heartbeat\n\n:heartbeat\n\ndone')
})

test('sendStream() ends with what failed, and never says what went wrong inside', async (t) => {
  const failing = (error: Error) => async (say: Say) => {
    await say('begun ')
    throw error
  }
  assert.equal(await streamed(t, failing(new SluiceError('stopping'))), 'begun failed: stopping')
  assert.equal(await streamed(t, failing(new Error('secret'))), 'begun failed: internal')
})
