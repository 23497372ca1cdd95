import assert from 'node:assert/strict'
import { get } from 'node:http'
import { test, type TestContext } from 'node:test'
import Fastify from 'fastify'
import { SluiceError } from '../../kit/errors.ts'
import type { Log } from '../../kit/log.ts'
import { HEARTBEAT } from './frames.ts'
import { clientGone } from '../route.ts'
import { type SendText, sendStream } from './stream.ts'

const log: Log = { error() {}, warn() {}, info() {}, debug() {} }

/** What a client reads of a stream that is told like this. */
async function streamed(t: TestContext, tell: (say: SendText) => Promise<void>): Promise<string> {
  const app = Fastify()
  t.after(() => app.close())
  const form = { heartbeat: HEARTBEAT, failed: ({ code }: SluiceError) => `failed: ${code}` }
  app.get('/', (_request, reply) => sendStream({ reply, gone: clientGone(reply), log }, form, tell))
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
  const failing = (error: Error) => async (say: SendText) => {
    await say('begun ')
    throw error
  }
  assert.equal(await streamed(t, failing(new SluiceError('stopping'))), 'begun failed: stopping')
  assert.equal(await streamed(t, failing(new Error('secret'))), 'begun failed: internal')
})

test('sendStream() takes a client for gone that holds the line and reads nothing', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const app = Fastify()
  t.after(() => app.close())
  const form = { heartbeat: HEARTBEAT, failed: () => '' }
  const ended = Promise.withResolvers<number>()
  app.get('/', (_request, reply) => {
    const gone = clientGone(reply)
    return sendStream({ reply, gone, log }, form, async (say) => {
      let said = 0
      for (; !gone.aborted; said++) {
        const heard = say('x'.repeat(2 ** 20))
        t.mock.timers.tick(120_000)
        await heard
      }
      ended.resolve(said)
    })
  })
  // The line is cut in the end: that is no failure of the test.
  const request = get(await app.listen(), (response) => response.pause()).on('error', () => {})
  assert.ok((await ended.promise) < 100)
  request.destroy()
})
