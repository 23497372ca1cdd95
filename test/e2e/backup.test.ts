import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestContext, test } from 'node:test'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { serve } from '../support/command-line.ts'
import { room, run, start } from '../support/program.ts'

/** A server with documents, a closed flow, a credential, and the keys to look at them. */
async function filled(t: TestContext) {
  const directory = room(t)
  const environment = { SLUICE_VAR_x: '1' }
  const server = await start(t, ['start'], { directory, environment })
  const sluice = (...argv: string[]) => run(argv, { directory })
  const manage = (await sluice('key', 'new', 'ops', '--scope', 'manage')).stdout.trim()
  mkdirSync(path.join(directory, 'docs'))
  writeFileSync(path.join(directory, 'docs/ferry.md'), '# Ferry\n\nThe ferry leaves at noon.')
  writeFileSync(path.join(directory, 'docs/tide.md'), '# Tide\n\nHigh water is at four in the morning.')
  const loaded = await sluice('upsert', 'quickstart', 'docs', '--url', server.url)
  assert.equal(loaded.code, 0, loaded.stderr)
  return { directory, server, sluice, manage }
}

async function call(url: string, key: string, method: string, at: string, body?: object) {
  const response = await fetch(`${url}/api/v1/${at}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: (await response.json()) as never }
}

/** Where an OpenAI would be: remembers the keys that calls bring, and holds them until it is let go. */
async function provider(t: TestContext) {
  const keys: string[] = []
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const url = await serve(t, async (request, response) => {
    keys.push(String(request.headers.authorization))
    const { input } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { input: string[] }
    await gate
    response.setHeader('content-type', 'application/json')
    const data = input.map((_, index) => ({ object: 'embedding', index, embedding: [1, 0, 0.5] }))
    response.end(
      JSON.stringify({ object: 'list', model: 'm', data, usage: { prompt_tokens: 1, total_tokens: 1 } }),
    )
  })
  return { url, keys, open: () => open() }
}

/** The quickstart flow with an embedder that needs a credential. */
function withCredential(flowData: string, credential: string, basepath: string): object {
  const drawing = JSON.parse(flowData) as {
    nodes: { id: string; data: Record<string, unknown> }[]
    edges: unknown[]
  }
  const text = JSON.stringify(drawing).replaceAll('builtInEmbeddings', 'openAIEmbeddings')
  const changed = JSON.parse(text) as typeof drawing
  const node = changed.nodes.find(({ data }) => data.name === 'openAIEmbeddings')!
  node.data.credential = credential
  node.data.inputs = { modelName: 'text-embedding-3-small', basepath }
  return changed
}

test('sluice backup copies a running server with a job under way, and restore brings all of it back elsewhere [server:backup]', async (t) => {
  const { directory, server, sluice, manage } = await filled(t)
  const openAI = await provider(t)
  const secret = { openAIApiKey: 'sk-the-key-of-the-test' }
  const credential = await call(server.url, manage, 'POST', 'credentials', {
    name: 'mine',
    credentialName: 'openAIApi',
    plainDataObj: secret,
  })
  assert.equal(credential.status, 200)
  const { flowData, apiConfig } = (await call(server.url, manage, 'GET', 'chatflows/quickstart')).body as {
    flowData: string
    apiConfig: string
  }
  const made = await call(server.url, manage, 'POST', 'chatflows', {
    name: 'Waiting',
    flowData: withCredential(flowData, (credential.body as { id: string }).id, openAI.url),
    apiConfig,
  })
  assert.equal(made.status, 200, JSON.stringify(made.body))
  const { apiKey, id: keyId } = (await call(server.url, manage, 'POST', 'apikey', { keyName: 'closed' }))
    .body as { apiKey: string; id: string }
  await call(server.url, manage, 'PUT', 'chatflows/waiting', { apikeyid: keyId })

  // The job waits for its provider while the backup is made.
  const form = new FormData()
  form.append('files', new File(['The anchor weighs two tons.'], 'anchor.txt'))
  const upserted = await fetch(`${server.url}/api/v1/vector/upsert/waiting`, {
    method: 'POST',
    body: form,
    headers: { prefer: 'respond-async', authorization: `Bearer ${apiKey}` },
  })
  assert.equal(upserted.status, 202)
  const { jobId } = (await upserted.json()) as { jobId: string }
  while (openAI.keys.length === 0) await sleep(10)

  const saved = await sluice('backup', 'saved.sluice', '--json')
  assert.equal(saved.code, 0, saved.stderr)
  const report = JSON.parse(saved.stdout)
  assert.deepEqual(
    [report.flows, report.chunks, report.credentials, report.keys, report.jobs, report.secret],
    [2, 2, 1, 2, 1, 'included'],
  )
  assert.equal(statSync(path.join(directory, 'saved.sluice')).mode & 0o777, 0o600)
  // What comes after the backup is not in it, and the server goes on.
  assert.equal((await sluice('upsert', 'quickstart', 'docs', '--url', server.url)).code, 0)
  server.kill('SIGKILL')
  await server.ended

  const restored = await sluice('restore', 'saved.sluice', '--data-dir', 'elsewhere')
  assert.equal(restored.code, 0, restored.stderr)
  openAI.keys.length = 0
  openAI.open()
  const second = await start(t, ['start', '--data-dir', 'elsewhere'], { directory })
  const found = await sluice('query', 'quickstart', 'when does the ferry leave', '--url', second.url)
  assert.match(found.stdout, /ferry\.md/)
  // The job goes on with its upload, and the credential opens.
  let state = ''
  while (state !== 'done') {
    const job = (await call(second.url, manage, 'GET', `jobs/${jobId}`)).body as {
      state: string
      error: unknown
    }
    assert.notEqual(job.state, 'failed', JSON.stringify(job.error))
    state = job.state
    await sleep(20)
  }
  assert.deepEqual(new Set(openAI.keys), new Set(['Bearer sk-the-key-of-the-test']))
  const sources = await call(second.url, apiKey, 'GET', 'vector/sources/waiting')
  assert.deepEqual(
    (sources.body as { data: { source: string }[] }).data.map(({ source }) => source),
    ['anchor.txt'],
  )
  const anonymous = await fetch(`${second.url}/api/v1/vector/sources/waiting`)
  assert.equal(anonymous.status, 401)
  second.kill('SIGTERM')
  assert.equal(await second.ended, 0)
  // After the restore nothing of the backup's own tables is left.
  const database = new Connection(path.join(directory, 'elsewhere/sluice.db'), { readOnly: true })
  assert.equal(database.get(`SELECT 1 FROM sqlite_schema WHERE name LIKE 'backup_%'`), undefined)
  database.close()
})

test('sluice backup replaces no file, and reports a directory without a database', async (t) => {
  const directory = room(t)
  const none = await run(['backup', 'x.sluice'], { directory })
  assert.equal(none.code, 1)
  assert.match(none.stderr, /There is no database in/)
  await run(['key', 'new', 'a'], { directory })
  writeFileSync(path.join(directory, 'x.sluice'), 'precious')
  const taken = await run(['backup', 'x.sluice'], { directory })
  assert.equal(taken.code, 1)
  assert.match(taken.stderr, /x\.sluice exists already/)
  assert.equal(readFileSync(path.join(directory, 'x.sluice'), 'utf8'), 'precious')
  const inside = await run(['backup', 'sluice-data/y'], { directory })
  assert.match(inside.stderr, /be inside the data directory/)
})

test('sluice restore refuses a used directory, one with a server, a damaged backup, and what is none [server:backup]', async (t) => {
  const { directory, sluice, server } = await filled(t)
  assert.equal((await sluice('backup', 'good')).code, 0)
  const refused = async (...argv: string[]) => {
    const { code, stderr } = await sluice('restore', ...argv)
    assert.equal(code, 1)
    return stderr
  }
  assert.match(await refused('good'), /Another server is using/)
  server.kill('SIGTERM')
  await server.ended
  assert.match(await refused('good'), /only be restored into an empty data directory/)
  writeFileSync(path.join(directory, 'text'), 'no backup at all, whatever it is called '.repeat(100))
  assert.match(await refused('text', '--data-dir', 'new'), /cannot be used/)
  assert.match(await refused('missing', '--data-dir', 'new'), /there is no such file/)
  const bytes = readFileSync(path.join(directory, 'good'))
  writeFileSync(path.join(directory, 'short'), bytes.subarray(0, bytes.length - 3 * 8192))
  assert.match(await refused('short', '--data-dir', 'new'), /cannot be used/)
  // A plain copy of a database is no backup: it was perhaps made in the middle of a write.
  assert.match(await refused('sluice-data/sluice.db', '--data-dir', 'new'), /not made by sluice backup/)
  assert.equal(existsSync(path.join(directory, 'new/sluice.db')), false)
  // After all refusals the directory takes a good one.
  assert.equal((await sluice('restore', 'good', '--data-dir', 'new')).code, 0)
})
