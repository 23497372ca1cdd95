import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { playEvents } from '../../src/cli/demo/event-script.ts'
import { startScriptedModel } from '../../src/cli/demo/scripted-model.ts'
import { launch, PACKAGE_FILE, room, run, start } from '../support/program.ts'

const SAMPLES = fileURLToPath(new URL('../../examples/documents', import.meta.url))
const QUESTIONS = JSON.parse(
  readFileSync(new URL('../../examples/questions.json', import.meta.url), 'utf8'),
) as { question: string; file: string; answer: string }[]

test('sluice start, upsert, query: documents go in and answers come out, and SIGTERM ends it with 0', async (t) => {
  const directory = room(t)
  const platform = await start(t, ['start'], { directory })
  assert.equal(statSync(path.join(directory, 'sluice-data')).mode & 0o777, 0o700)
  const sluice = (...argv: string[]) => run([...argv, '--url', platform.url], { directory })

  const loaded = await sluice('upsert', 'quickstart', SAMPLES)
  assert.deepEqual([loaded.code, loaded.stderr], [0, ''])
  for (const name of readdirSync(SAMPLES))
    assert.match(loaded.stdout, new RegExp(`^${name.replace('.', '\\.')} +indexed `, 'm'))

  const again = await sluice('upsert', 'quickstart', SAMPLES, '--json')
  const { numAdded, numDeleted, numFailed } = JSON.parse(again.stdout)
  assert.deepEqual({ numAdded, numDeleted, numFailed }, { numAdded: 0, numDeleted: 0, numFailed: 0 })

  const found = await sluice('query', 'quickstart', 'radio code word for a suspected fire', '--top-k', '3')
  assert.equal(found.code, 0)
  assert.match(found.stdout, /^1\. +0\.\d{3} +confidence [01]\.\d\d +safety-manual\.pdf +page 2/m)
  const filtered = await sluice(
    'query',
    'quickstart',
    'fire',
    '--filter',
    '{"source": "handbook.txt"}',
    '--json',
  )
  const sources = (JSON.parse(filtered.stdout) as { docs: { metadata: { source: string } }[] }).docs.map(
    ({ metadata }) => metadata.source,
  )
  assert.deepEqual(new Set(sources), new Set(['handbook.txt']))

  for (const file of [
    'booking-mail.eml',
    'ticket-sales.ipynb',
    'house-tour.srt',
    'duties.ics',
    'volunteers.odt',
  ]) {
    const { question, answer } = QUESTIONS.find((one) => one.file === file)!
    const { docs } = JSON.parse((await sluice('query', 'quickstart', question, '--json')).stdout) as {
      docs: { pageContent: string; metadata: { source: string } }[]
    }
    assert.equal(docs[0]!.metadata.source, file, question)
    assert.ok(docs[0]!.pageContent.replace(/\s+/g, ' ').includes(answer), question)
  }

  platform.kill('SIGTERM')
  assert.equal(await platform.ended, 0)
  assert.match(platform.log.join('\n'), /management-key-missing.* key new --scope manage/)
})

test('sluice upsert loads the good files, names the bad one, and ends with 1; strict writes nothing', async (t) => {
  const directory = room(t)
  mkdirSync(path.join(directory, 'docs/sub'), { recursive: true })
  writeFileSync(path.join(directory, 'docs/good.md'), '# Title\n\nThe ferry leaves at noon.')
  writeFileSync(path.join(directory, 'docs/sub/bad.pdf'), 'this is no PDF')
  const { url } = await start(t, ['start'], { directory })
  const sluice = (...argv: string[]) => run([...argv, '--url', url], { directory, input: 'A tide table.' })

  const strict = await sluice('upsert', 'quickstart', 'docs', '--strict')
  assert.deepEqual([strict.code, strict.stdout], [1, ''])
  assert.match(strict.stderr, /^sluice: sub\/bad\.pdf /)
  assert.match((await sluice('query', 'quickstart', 'ferry')).stderr, /No chunk was found/)

  const dry = await sluice('upsert', 'quickstart', 'docs/good.md', '--dry-run')
  assert.match(dry.stdout, /^1 added, 0 updated, .*\nThis was a dry run: nothing was written\.$/m)
  assert.match((await sluice('query', 'quickstart', 'ferry')).stderr, /No chunk was found/)

  const mixed = await sluice('upsert', 'quickstart', 'docs')
  assert.deepEqual([mixed.code, mixed.stderr], [1, 'sluice: 1 file failed: sub/bad.pdf\n'])
  assert.match(mixed.stdout, /^good\.md +indexed +1 +1 /m)
  assert.match((await sluice('query', 'quickstart', 'ferry')).stdout, /good\.md/)

  const piped = await sluice(
    'upsert',
    'quickstart',
    '-',
    '--name',
    'tide.txt',
    '--metadata',
    '{"team": "sea"}',
  )
  assert.equal(piped.code, 0)
  const byTeam = await sluice('query', 'quickstart', 'tide', '--filter', '{"team": "sea"}')
  assert.match(byTeam.stdout, /tide\.txt/)
})

test('sluice takes paths as relative to where the person stands, also as a script that npm runs', async (t) => {
  const directory = room(t)
  const stands = path.join(directory, 'stands')
  mkdirSync(path.join(stands, 'docs'), { recursive: true })
  writeFileSync(path.join(stands, 'docs/a.txt'), 'Words.')
  const { url } = await start(t, ['start'], { directory })
  const npm = (script: string) => ({ INIT_CWD: stands, npm_package_json: script })
  const upsert = (script: string) =>
    run(['upsert', 'quickstart', 'docs', '--url', url], { directory, environment: npm(script) })
  const ours = await upsert(PACKAGE_FILE)
  assert.deepEqual([ours.code, ours.stderr], [0, ''])
  // A script of another package that calls the program has paths of its own.
  const theirs = await upsert(path.join(stands, 'package.json'))
  assert.deepEqual([theirs.code, theirs.stderr], [1, 'sluice: There is no file or directory docs\n'])
})

test('sluice key new opens the management of a running server, from its data directory', async (t) => {
  const directory = room(t)
  const { url } = await start(t, ['start'], { directory })
  const made = await run(['key', 'new', 'me', '--scope', 'manage'], { directory })
  assert.match(made.stdout, /^sl_[\w-]{43}\n$/)
  const key = made.stdout.trim()
  const manage = (...argv: string[]) =>
    run([...argv, '--url', url], { directory, environment: { SLUICE_KEY: key } })

  assert.match((await manage('flow', 'list')).stdout, /^quickstart +\S.* open /m)
  assert.match((await manage('flow', 'show', 'quickstart')).stdout, /sluiceTextSplitter/)
  const drawing = JSON.parse((await manage('flow', 'export', 'quickstart')).stdout) as { nodes: unknown[] }
  assert.equal(drawing.nodes.length, 5)

  const website = await manage('key', 'new', 'website', '--scope', 'query', '--flow', 'quickstart')
  assert.match(website.stdout, /^sl_/)
  assert.match((await manage('key', 'list')).stdout, /^website +query /m)
  assert.match((await run(['key', 'list'], { directory })).stdout, /^website +query /m)

  assert.equal((await manage('flow', 'rm', 'quickstart')).code, 0)
  const gone = await manage('flow', 'show', 'quickstart')
  assert.deepEqual([gone.code, gone.stderr], [1, 'sluice: Chatflow quickstart not found\n'])

  assert.equal((await manage('key', 'rm', 'me')).code, 0)
  const closed = await manage('flow', 'list')
  assert.equal(closed.code, 1)
  assert.match(closed.stderr, /^sluice: Unauthorized/)
})

/** Begins a JSON request and leaves its body unfinished; `end` sends the rest. */
async function halfRequest(url: string) {
  const request = httpRequest(`${url}/api/v1/vector/query/quickstart`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': 14, expect: '100-continue' },
  })
  const status = once(request, 'response').then(([response]) => response.statusCode as number)
  // A server that answers "continue" has the head: the request is under way.
  request.flushHeaders()
  await once(request, 'continue')
  request.write('{"query"')
  return { status, end: () => request.end(':"ab"}') }
}

/** Waits until no process takes new connections there. */
async function closed(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  for (;;) {
    const socket = connect(Number(port), hostname)
    const refused = await once(socket, 'connect').then(
      () => false,
      () => true,
    )
    socket.destroy()
    if (refused) return
    await sleep(20)
  }
}

test('sluice start lets a request under way finish before it stops', async (t) => {
  const { url, kill, ended } = await start(t, ['start'], { directory: room(t) })
  const request = await halfRequest(url)
  kill('SIGTERM')
  await closed(url)
  request.end()
  assert.equal(await request.status, 200)
  assert.equal(await ended, 0)
})

test('sluice start ends at once with 130 at the second signal', async (t) => {
  const { url, kill, ended } = await start(t, ['start'], { directory: room(t) })
  const request = await halfRequest(url)
  request.status.catch(() => {})
  kill('SIGINT')
  await closed(url)
  // A second signal right behind the first is taken for npm's echo of it: it is sent until it counts.
  let code: number | null | undefined
  const end = ended.then((ended) => {
    code = ended
  })
  while (code === undefined) {
    kill('SIGINT')
    await Promise.race([end, sleep(50)])
  }
  assert.equal(code, 130)
})

test('sluice start reports a used port in one line, and ends with 1', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const { port } = other.address() as AddressInfo
  const directory = room(t)
  for (const name of ['start', 'events']) {
    const { code, stdout, stderr } = await run([name, '--port', `${port}`], { directory })
    assert.deepEqual([name, code, stdout], [name, 1, ''])
    assert.match(stderr, new RegExp(`^sluice: The port ${port} on 127\\.0\\.0\\.1 is taken: [^\\n]*\\n$`))
  }
})

test('sluice events serves events until SIGINT', async (t) => {
  const { url, kill, ended } = await start(t, ['events'], { directory: room(t) })
  const answer = await fetch(`${url}/events`)
  assert.equal(answer.status, 200)
  kill('SIGINT')
  assert.equal(await ended, 0)
})

test('sluice config ends quietly when its reader goes away', async (t) => {
  const child = launch(['config', '--json'], { directory: room(t) })
  child.stdout!.destroy()
  const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
  assert.deepEqual([code, stderr], [0, ''])
})

test('sluice demo --once loads the samples, answers its questions, and leaves nothing behind', async (t) => {
  const directory = room(t)
  const { code, stdout, stderr } = await run(['demo', '--once'], {
    directory,
    environment: { TMPDIR: directory },
  })
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /"Mr\. Tern is at the door"/)
  assert.equal(stdout.match(/^1\. +\d\.\d{3} /gm)?.length, 3)
  // The agent learns that there is no PUT, and finds another way.
  assert.match(stdout, /^ {4}update_event, which failed\n {4}change_event\n {4}A plain update was not found/m)
  assert.match(stdout, /^ {4}delete_event\n {4}Event [0-9a-f-]{36} is gone\.$/m)
  assert.match(stdout, /^curl -F 'files=@.*' http:\S+\/upsert\/quickstart$/m)
  assert.deepEqual(readdirSync(directory), [])
})

test('sluice demo thinks with a model of one’s own where OPENAI_BASE_URL leads to one, key or not', async (t) => {
  const directory = room(t)
  const model = await startScriptedModel(playEvents)
  t.after(() => model.close())
  const { code, stdout, stderr } = await run(['demo', '--once', '--model', 'mine'], {
    directory,
    environment: { TMPDIR: directory, OPENAI_BASE_URL: model.baseUrl },
  })
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(
    stdout,
    new RegExp(`^An agent over the event service  the model is mine at ${model.baseUrl}$`, 'm'),
  )
  assert.match(stdout, /^ {4}delete_event\n {4}Event [0-9a-f-]{36} is gone\.$/m)
})
