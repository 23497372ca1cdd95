import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { bodyOf, serve, Signals, sluice, temporaryDirectory } from '../../../test/support/command-line.ts'
import { flowAnswer, predictionAnswer, usedTool } from '../../../test/support/flow-answer.ts'
import type { Config } from '../../kit/config.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { World } from '../world.ts'

const COUNTS = { chunks: 2, added: 2, updated: 0, skipped: 0, deleted: 0 }
const UPSERTED = { numAdded: 2, files: [{ name: 'a.md', status: 'indexed', ...COUNTS }] }
const FOUND = { docs: [{ pageContent: 'The code word is Tern', metadata: { source: 'a.md' }, score: 0.9 }] }

/** A package with one sample and a question about it. */
function packageWithExamples(t: TestContext): URL {
  const directory = temporaryDirectory(t)
  mkdirSync(path.join(directory, 'examples/documents'), { recursive: true })
  writeFileSync(path.join(directory, 'examples/documents/a.md'), 'The code word is Tern')
  const questions = [
    { question: "What's the code word?", file: 'a.md', answer: 'Tern', demo: true },
    { question: 'Who cares?', file: 'a.md', answer: 'code' },
  ]
  writeFileSync(path.join(directory, 'examples/questions.json'), JSON.stringify(questions))
  return pathToFileURL(`${directory}/`)
}

type Answers = { upserted?: object; found?: object; taken?: boolean; onUpsert?: () => void }

/** Runs the demo against a server with these answers. @returns what was started and closed, in order */
async function runDemo(t: TestContext, argv: string[], answers: Answers = {}, given: Partial<World> = {}) {
  const { upserted = UPSERTED, found = FOUND, taken = false, onUpsert = () => {} } = answers
  const asked: unknown[] = []
  const url = await serve(t, async (request, response) => {
    const body = await bodyOf(request)
    const path = request.url!.replace('/api/v1/', '')
    if (path === 'vector/upsert/quickstart') onUpsert()
    if (path === 'vector/query/quickstart') asked.push(JSON.parse(body.toString()))
    const answers: Record<string, object> = {
      'vector/upsert/quickstart': upserted,
      'vector/query/quickstart': found,
      chatflows: flowAnswer({ slug: 'events' }),
      'prediction/events': predictionAnswer({ text: 'It is done.', usedTools: [usedTool('get_events')] }),
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[path]))
  })
  const done: string[] = []
  const configs: Config[] = []
  const service = (name: string) => async (config: Config) => {
    configs.push(config)
    if (taken && config.PORT === undefined) throw new SluiceError('port_taken', { port: 3000 })
    done.push(`${name} on ${config.PORT}`)
    return {
      url,
      openFlows: [],
      newSignInCode: async () => 'code',
      drain: () => {},
      close: async () => void done.push(`${name} closed`),
    }
  }
  const run = await sluice(['demo', ...argv], {
    packageRoot: packageWithExamples(t),
    startPlatform: service('platform'),
    startEvents: service('events'),
    ...given,
  })
  return { ...run, url, asked, done, configs, directory: configs[0]!.DATA_DIR }
}

test('sluice demo --once loads the samples, runs the queries, closes everything and ends with 0', async (t) => {
  const { code, stdout, done, asked, directory } = await runDemo(t, ['--once'])
  assert.equal(code, 0)
  assert.match(stdout, /^a\.md +indexed +2 +2/m)
  assert.match(stdout, /^What's the code word\?\n1\. +0\.900 +a\.md\n +The code word is Tern$/m)
  assert.deepEqual(asked, [{ query: "What's the code word?", topK: 2 }])
  assert.deepEqual(done, ['events on undefined', 'platform on undefined', 'platform closed', 'events closed'])
  assert.match(path.basename(directory), /^sluice-demo-/)
  assert.equal(existsSync(directory), false)
})

test('sluice demo runs an agent, and says that a script takes the place of its model', async (t) => {
  const { stdout } = await runDemo(t, ['--once'])
  assert.match(stdout, /^An agent over the event service .*a script takes its place/m)
  assert.match(stdout, /^Which events are there\?\n {4}get_events\n {4}It is done\.$/m)
})

test('sluice demo prints the addresses, and two commands that work in a shell', async (t) => {
  const { stdout, url } = await runDemo(t, ['--once'])
  assert.match(stdout, new RegExp(`^Platform +${url}`, 'm'))
  assert.match(stdout, new RegExp(`^Event service +${url}$`, 'm'))
  assert.match(stdout, /^curl -F 'files=@.*examples\/documents\/a\.md' http.*\/vector\/upsert\/quickstart$/m)
  assert.ok(stdout.includes(`--data-urlencode 'q=What'\\''s the code word?' ${url}/api/v1/vector/query/`))
})

test('sluice demo uses free ports where the usual ones are in use, but does not replace a given port', async (t) => {
  const { code, done } = await runDemo(t, ['--once'], { taken: true })
  assert.equal(code, 0)
  assert.deepEqual(done.slice(0, 2), ['events on 0', 'platform on 0'])
  const insisting = await runDemo(t, ['--once', '--port', '3111'])
  assert.deepEqual(insisting.done.slice(0, 2), ['events on undefined', 'platform on 3111'])
})

test('sluice demo lets its flows call the event service, and nothing else of this machine', async (t) => {
  const { configs, url } = await runDemo(t, ['--once', '--egress-allow', '10.0.0.7'])
  const platform = configs.at(-1)!
  assert.deepEqual(platform.EGRESS_ALLOW, ['10.0.0.7', new URL(url).host])
})

test('sluice demo keeps a given data directory', async (t) => {
  const given = path.join(temporaryDirectory(t), 'kept')
  mkdirSync(given)
  const { directory } = await runDemo(t, ['--once', '--data-dir', given])
  assert.equal(directory, given)
  assert.equal(existsSync(given), true)
})

test('sluice demo fails where a file failed or a query found nothing, and closes everything', async (t) => {
  const upserted = { ...UPSERTED, files: [{ name: 'a.md', status: 'failed', message: 'no', ...COUNTS }] }
  const failed = await runDemo(t, ['--once'], { upserted })
  assert.deepEqual([failed.code, failed.stderr], [1, 'sluice: 1 file failed: a.md\n'])
  const silent = await runDemo(t, ['--once'], { found: { docs: [] } })
  assert.deepEqual(
    [silent.code, silent.stderr],
    [1, 'sluice: No chunk was found for "What\'s the code word?"\n'],
  )
  for (const { done, directory } of [failed, silent]) {
    assert.deepEqual(done.slice(2), ['platform closed', 'events closed'])
    assert.equal(existsSync(directory), false)
  }
})

test('sluice demo runs until Ctrl-C, which ends it with 0, or with 130 while it is working', async (t) => {
  const waiting = new Signals()
  const stderr = {
    write: (text: string) => /Ctrl-C/.test(text) && setImmediate(() => waiting.emit('SIGINT')),
  }
  const process = (signals: Signals) => signals as unknown as World['process']
  const waited = await runDemo(t, [], {}, { stderr, process: process(waiting) })
  assert.equal(waited.code, 0)
  // A link of a server that has ended would lead nowhere.
  assert.doesNotMatch((await runDemo(t, ['--once'])).stdout, /sign-in/)
  const { stdout, url, directory } = waited
  assert.match(
    stdout,
    new RegExp(
      `^Open the studio:\n${url}/#sign-in=code\n\\(.*sluice -- sign-in --data-dir ${directory}\\)$`,
      'm',
    ),
  )
  assert.match(stdout, new RegExp(`^Data {2}${directory} \\(removed at the end\\)$`, 'm'))

  const working = new Signals()
  const onUpsert = () => working.emit('SIGINT')
  const interrupted = await runDemo(t, [], { onUpsert }, { process: process(working) })
  assert.equal(interrupted.code, 130)
  assert.deepEqual(interrupted.done.slice(2), ['platform closed', 'events closed'])
})
