import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { paper, Signals, sluice, temporaryDirectory } from '../../../test/support/command-line.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { World } from '../world.ts'

/** Runs `sluice start` and stops it as soon as it runs. @returns its output and what was called */
async function startAndStop(
  t: TestContext,
  argv: string[],
  given: Partial<World> = {},
  openFlows = ['quickstart'],
  signal: 'SIGINT' | 'SIGTERM' = 'SIGTERM',
) {
  const signals = new Signals()
  const done: string[] = []
  const stderr = paper(true)
  const { code, stdout } = await sluice(
    ['start', '--data-dir', path.join(temporaryDirectory(t), 'data'), ...argv],
    {
      stderr,
      process: signals as unknown as World['process'],
      async startPlatform({ HOST, PORT }) {
        done.push(`started on ${HOST}:${PORT}`)
        setImmediate(() => signals.emit(signal))
        return {
          url: 'http://127.0.0.1:3000',
          openFlows,
          newSignInCode: async () => 'the-code',
          drain: () => void done.push('drains'),
          close: async () => void done.push('closed'),
        }
      },
      ...given,
    },
  )
  assert.equal(signals.listenerCount('SIGTERM'), 0)
  return { code, stdout, stderr: stderr.text, done }
}

test('sluice start runs until SIGTERM, closes the platform, and ends with 0', async (t) => {
  const { code, stdout, stderr, done } = await startAndStop(t, ['--port', '8080'])
  assert.deepEqual(done, ['started on 127.0.0.1:8080', 'closed'])
  assert.deepEqual([code, stdout], [0, ''])
  assert.match(stderr, /^Sluice listens at http:\/\/127\.0\.0\.1:3000, /m)
})

test('sluice start goes on for DRAIN_SECONDS after SIGTERM, and not after Ctrl-C [server:drain]', async (t) => {
  const drained = await startAndStop(t, ['--port', '1', '--drain-seconds', '1'])
  assert.deepEqual([drained.code, drained.done], [0, ['started on 127.0.0.1:1', 'drains', 'closed']])
  assert.match(drained.stderr, /^Taking requests for 1 second more, not ready/m)
  const { done } = await startAndStop(t, ['--port', '1', '--drain-seconds', '3600'], {}, [], 'SIGINT')
  assert.deepEqual(done, ['started on 127.0.0.1:1', 'closed'])
})

test('sluice start explains at the first start only how to make a management key', async (t) => {
  const hint = /to make a management key: npm run -s sluice -- key new --scope manage --data-dir \//
  assert.match((await startAndStop(t, [])).stderr, hint)
  assert.doesNotMatch(
    (await startAndStop(t, [], { environment: { ADMIN_KEY: 'x'.repeat(16) } })).stderr,
    /management/,
  )
  const directory = temporaryDirectory(t)
  writeFileSync(path.join(directory, 'sluice.db'), '')
  assert.doesNotMatch((await startAndStop(t, ['--data-dir', directory])).stderr, /management/)
})

test('sluice start prints a sign-in link at a terminal of this machine only, and elsewhere the command that makes one [studio:session]', async (t) => {
  const link = /^Studio: http:\/\/127\.0\.0\.1:3000\/#sign-in=the-code \(works once, for five minutes\)$/m
  assert.match((await startAndStop(t, [])).stderr, link)
  const command = /studio-link.*for a link that opens the studio: npm run -s sluice -- sign-in --data-dir \//
  const { stderr } = await startAndStop(t, ['--host', '0.0.0.0'])
  assert.doesNotMatch(stderr, /the-code/)
  assert.match(stderr, command)
  const log = paper(false)
  await startAndStop(t, [], { stderr: log })
  assert.doesNotMatch(log.text, /the-code/)
  assert.match(log.text, command)
})

test('sluice start names the open flows when other machines can reach them', async (t) => {
  assert.match(
    (await startAndStop(t, ['--host', '0.0.0.0'])).stderr,
    /open-flows.*answer without an API key \(they take no documents\)\. To require a key: npm run -s sluice -- key new NAME --bind quickstart --data-dir \/.*quickstart/,
  )
  assert.match(
    (await startAndStop(t, ['--host', '0.0.0.0', '--allow-open-upsert'])).stderr,
    /answer without an API key and take documents without one/,
  )
  assert.doesNotMatch((await startAndStop(t, [])).stderr, /open-flows/)
  assert.doesNotMatch((await startAndStop(t, ['--host', '0.0.0.0'], {}, [])).stderr, /open-flows/)
})

test('sluice start logs only JSON lines without a terminal', async (t) => {
  const stderr = paper()
  await startAndStop(t, [], { stderr })
  const events = stderr.text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { event: string }).event)
  assert.deepEqual(events, ['studio-link', 'management-key-missing'])
})

test('sluice start and events report a port in use in one line', async () => {
  const taken = () => Promise.reject(new SluiceError('port_taken', { host: '127.0.0.1', port: 3000 }))
  const stderr =
    'sluice: The port 3000 on 127.0.0.1 is taken: stop the other program, or choose another with PORT\n'
  for (const name of ['start', 'events'])
    assert.deepEqual(await sluice([name], { startPlatform: taken, startEvents: taken }), {
      code: 1,
      stdout: '',
      stderr,
    })
})

test('sluice events runs until SIGINT and takes only its own settings', async () => {
  const signals = new Signals()
  const done: string[] = []
  const { code } = await sluice(['events', '--port', '0'], {
    process: signals as unknown as World['process'],
    async startEvents({ PORT }) {
      assert.equal(PORT, 0)
      setImmediate(() => signals.emit('SIGINT'))
      return { url: 'http://127.0.0.1:1234', close: async () => void done.push('closed') }
    },
  })
  assert.deepEqual([code, done], [0, ['closed']])
  assert.equal((await sluice(['events', '--data-dir', 'x'])).code, 2)
})
