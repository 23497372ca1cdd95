import assert from 'node:assert/strict'
import { get } from 'node:http'
import { test, type TestContext } from 'node:test'
import Fastify from 'fastify'
import { SluiceError } from '../../kit/errors.ts'
import type { Log } from '../../kit/log.ts'
import { createSecretMask } from '../../kit/secret-mask.ts'
import { clientGone } from '../route.ts'
import { type SendText, sendStream } from './stream.ts'

const mask = createSecretMask()
const log: Log = { error() {}, warn() {}, info() {}, debug() {} }

/** The text that a client receives from this stream. */
async function received(t: TestContext, produce: (send: SendText) => Promise<void>): Promise<string> {
  const app = Fastify()
  t.after(() => app.close())
  const format = { heartbeat: ':heartbeat\n\n', failed: ({ code }: SluiceError) => `failed: ${code}` }
  app.get('/', (_request, reply) =>
    sendStream({ reply, gone: clientGone(reply), log, mask }, format, produce),
  )
  return (await fetch(await app.listen())).text()
}

test('sendStream() sends a comment every 30 seconds without events', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const text = await received(t, async (send) => {
    t.mock.timers.tick(60_000)
    await send('done')
  })
  assert.equal(text, ':heartbeat\n\n:heartbeat\n\ndone')
})

test('sendStream() ends with the failure, without internal details', async (t) => {
  const failing = (error: Error) => async (send: SendText) => {
    await send('begun ')
    throw error
  }
  assert.equal(await received(t, failing(new SluiceError('stopping'))), 'begun failed: stopping')
  assert.equal(await received(t, failing(new Error('secret'))), 'begun failed: internal')
})

test('sendStream() closes the connection of a client that reads nothing', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const app = Fastify()
  t.after(() => app.close())
  const format = { heartbeat: ':heartbeat\n\n', failed: () => '' }
  const ended = Promise.withResolvers<number>()
  app.get('/', (_request, reply) => {
    const gone = clientGone(reply)
    return sendStream({ reply, gone, log, mask }, format, async (send) => {
      let count = 0
      for (; !gone.aborted; count++) {
        const sent = send('x'.repeat(2 ** 20))
        t.mock.timers.tick(120_000)
        await sent
      }
      ended.resolve(count)
    })
  })
  // The server closes the connection: that is no failure of the test.
  const request = get(await app.listen(), (response) => response.pause()).on('error', () => {})
  assert.ok((await ended.promise) < 100)
  request.destroy()
})
