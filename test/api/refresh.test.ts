import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { LoadComparisonAnswer } from '../../src/api/refresh.ts'
import type { SourceAnswer } from '../../src/api/source.ts'
import type { UpsertAnswer } from '../../src/api/upsert.ts'
import { sluice } from '../support/command-line.ts'
import { drawFlow } from '../support/flow-drawing.ts'
import { heldFlow } from '../support/held-flow.ts'
import { ADMIN_KEY, form, makePlatform } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { until } from '../support/until.ts'

const library = mkdtempSync(path.join(tmpdir(), 'sluice-refresh-'))
const provider = await startProviderServer()
const platform = await makePlatform({ FOLDER_ALLOW: library }, { servers: 1 })
after(() => {
  provider.close()
  rmSync(library, { recursive: true, force: true })
})

const text = (words: string) =>
  Array.from({ length: 20 }, (_, i) => `${words} ${i} of the text.`).join('\n\n')
const set = async (flow: string, settings: object) => {
  const { status, text } = await platform.manage('PATCH', `/api/v1/chatflows/${flow}/settings`, {
    set: settings,
  })
  assert.equal(status, 200, text)
}
const made = async (name: string, more: object = {}) =>
  platform.flow({
    name,
    overridable: ['files', 'chunkSize'],
    splitter: { chunkSize: 200, chunkOverlap: 0 },
    ...more,
  })
const keeping = async (name: string, more: object = {}) => {
  const flow = await made(name, more)
  await set(flow, { originals: 'on' })
  return flow
}
const compare = async (flow: string) =>
  (await platform.call<LoadComparisonAnswer>('GET', `/api/v1/vector/refresh/${flow}`)).body
const refresh = async (flow: string, query = '', headers: Record<string, string> = {}) =>
  platform.call<UpsertAnswer & { code?: string; message?: string; state?: string }>(
    'POST',
    `/api/v1/vector/refresh/${flow}${query}`,
    { body: {}, headers },
  )
const sourcesOf = async (flow: string) =>
  (await platform.manage<{ data: SourceAnswer[] }>('GET', `/api/v1/vector/sources/${flow}`)).body.data
const chunksOf = async (flow: string, source: string) => {
  const { body } = await platform.manage<{ total: number; data: { pageContent: string }[] }>(
    'GET',
    `/api/v1/vector/chunks/${flow}?source=${encodeURIComponent(source)}&limit=1000`,
  )
  return body
}

test('a changed chunk size is told until a refresh cuts the kept files again, whatever the cleanup [upsert:refresh]', async () => {
  const flow = await keeping('Sizes')
  await platform.upload(flow, { 'a.txt': text('Apples'), 'b.txt': text('Pears') })
  assert.partialDeepStrictEqual(await compare(flow), { next: null, differing: 0, unknownSettings: 0 })
  const before = await chunksOf(flow, 'a.txt')

  await set(flow, { chunkSize: 60, topK: 7 })
  const told = await compare(flow)
  assert.partialDeepStrictEqual(told, {
    next: 'refresh',
    differing: 2,
    fromKept: 2,
    filesNeeded: { count: 0 },
  })
  assert.equal(told.differences.length, 1)
  assert.deepEqual(
    (await sourcesOf(flow)).map(({ changedSettings }) => changedSettings),
    [['Chunk Size 200 → 60'], ['Chunk Size 200 → 60']],
  )
  const [{ differing, changes }] = told.differences as [LoadComparisonAnswer['differences'][number]]
  assert.deepEqual(
    [differing, changes.map(({ label, from, to }) => [label, from, to])],
    [2, [['Chunk Size', 200, 60]]],
  )

  const { status, body, text: raw } = await refresh(flow)
  assert.equal(status, 200, raw)
  assert.partialDeepStrictEqual(body, {
    numFailed: 0,
    files: [{ status: 'indexed' }, { status: 'indexed' }],
    filesNeeded: { count: 0, names: [] },
  })
  assert.ok(body.numDeleted! > 0)
  const after = await chunksOf(flow, 'a.txt')
  assert.ok(after.total > before.total)
  assert.ok(after.data.every(({ pageContent }) => pageContent.length <= 60))
  assert.partialDeepStrictEqual(await compare(flow), { next: null, differing: 0 })
  assert.deepEqual(
    (await sourcesOf(flow)).flatMap(({ changedSettings }) => changedSettings),
    [],
  )
  assert.partialDeepStrictEqual((await refresh(flow)).body, { files: [], numAdded: 0, numDeleted: 0 })

  // An upload with the same settings finds what the refresh has made.
  const again = await platform.upload(flow, { 'a.txt': text('Apples') })
  assert.partialDeepStrictEqual(again.body, { files: [{ name: 'a.txt', status: 'unchanged' }] })
  // The kept files are still there: the settings can be taken back.
  await set(flow, { chunkSize: 200 })
  await refresh(flow)
  assert.deepEqual(
    (await chunksOf(flow, 'a.txt')).data.map((one) => one.pageContent),
    before.data.map((one) => one.pageContent),
  )
})

test('a setting that a request has overridden is no difference, and a refresh keeps it [upsert:refresh]', async () => {
  const flow = await keeping('Overridden')
  await platform.upload(flow, { 'own.txt': text('Own') }, { chunkSize: '100' })
  await platform.upload(flow, { 'plain.txt': text('Plain') })
  await set(flow, { chunkSize: 60 })
  assert.partialDeepStrictEqual(await compare(flow), { differing: 1 })
  await set(flow, { chunkOverlap: 20 })
  assert.partialDeepStrictEqual(await compare(flow), { differing: 2 })
  await refresh(flow)
  const longest = async (source: string) =>
    Math.max(...(await chunksOf(flow, source)).data.map(({ pageContent }) => pageContent.length))
  assert.ok((await longest('own.txt')) > 60)
  assert.ok((await longest('plain.txt')) <= 60)
  assert.partialDeepStrictEqual(await compare(flow), { next: null, differing: 0 })
})

test('a refresh names the files that are not kept, and loads the others [upsert:refresh]', async () => {
  const flow = await made('Half kept')
  await platform.upload(flow, { 'lost.txt': text('Lost') })
  await set(flow, { originals: 'on' })
  await platform.upload(flow, { 'kept.txt': text('Kept') })
  await set(flow, { chunkSize: 60 })
  assert.partialDeepStrictEqual(await compare(flow), {
    ...{ next: 'refresh', differing: 2, fromKept: 1, filesNeeded: { count: 1, names: ['lost.txt'] } },
  })
  const { body } = await refresh(flow)
  assert.partialDeepStrictEqual(body, {
    files: [{ name: 'kept.txt', status: 'indexed' }],
    filesNeeded: { count: 1, names: ['lost.txt'] },
  })
  assert.partialDeepStrictEqual(await compare(flow), { next: 'send', differing: 1, fromKept: 0 })
})

test('a kept file that is gone, damaged or locked is a failed row, its chunks stay, and the others go on [upsert:refresh]', async () => {
  const flow = await keeping('Broken')
  const folder = path.join(platform.dataDirectory, 'originals')
  const known = new Set(readdirSync(folder))
  const names = ['damaged.txt', 'fine.txt', 'gone.txt', 'locked.txt']
  const ids = new Map<string, string>()
  for (const name of names) {
    await platform.upload(flow, { [name]: text(name) })
    const id = readdirSync(folder).find((one) => !known.has(one))!
    known.add(id)
    ids.set(name, path.join(folder, id))
  }
  const before = await chunksOf(flow, 'gone.txt')
  await set(flow, { chunkSize: 60 })
  rmSync(ids.get('gone.txt')!)
  writeFileSync(ids.get('damaged.txt')!, 'half')
  assert.ok(statSync(ids.get('locked.txt')!).isFile())
  rmSync(ids.get('locked.txt')!)
  mkdirSync(ids.get('locked.txt')!)

  const { status, body, text: raw } = await refresh(flow)
  assert.equal(status, 200, raw)
  const rows = body.files!.map(({ name, status, code }) => [name, status, code])
  assert.deepEqual(rows, [
    ['damaged.txt', 'failed', 'original_damaged'],
    ['fine.txt', 'indexed', undefined],
    ['gone.txt', 'failed', 'original_gone'],
    ['locked.txt', 'failed', 'original_unreadable'],
  ])
  for (const { name, status, message } of body.files!)
    if (status === 'failed') {
      assert.ok(message!.includes(name), message)
      assert.ok(!message!.includes(platform.dataDirectory), message)
    }
  assert.deepEqual(await chunksOf(flow, 'gone.txt'), before)
  assert.partialDeepStrictEqual(await compare(flow), { differing: 3 })
})

test('loaders that find their documents run again; what they do not find any more stays, and is named [upsert:refresh]', async () => {
  const folder = mkdtempSync(path.join(library, 'found-'))
  for (const name of ['stays.txt', 'vanishes.txt']) writeFileSync(path.join(folder, name), text(name))
  const flow = await platform.flow({
    name: 'Mixed',
    loaders: { folderFiles: { folderPath: folder }, fileLoader: {} },
    splitter: { chunkSize: 200, chunkOverlap: 0 },
    recordManager: { cleanup: 'full' },
  })
  await set(flow, { originals: 'on' })
  const load = await platform.manage('POST', `/api/v1/vector/upsert/${flow}`, {})
  assert.equal(load.status, 200, load.text)
  await set(flow, { 'recursiveCharacterTextSplitter_0.chunkSize': 60 })
  rmSync(path.join(folder, 'vanishes.txt'))
  writeFileSync(path.join(folder, 'new.txt'), text('new'))
  assert.partialDeepStrictEqual(await compare(flow), { next: 'refresh', differing: 2, fromLoaders: 2 })
  const { status, body, text: raw } = await refresh(flow)
  assert.equal(status, 200, raw)
  assert.deepEqual(
    body.files!.map(({ name, status }) => [name, status]),
    [
      ['new.txt', 'indexed'],
      ['stays.txt', 'indexed'],
    ],
  )
  assert.deepEqual(body.warnings, [
    { key: 'vanishes.txt', reason: 'its loader did not find it again, so it stays as it is' },
  ])
  assert.equal((await chunksOf(flow, 'vanishes.txt')).total > 0, true)
  assert.partialDeepStrictEqual(await compare(flow), { differing: 1 })
})

test('a change of settings during a load is told afterwards; a cancelled refresh changes nothing, and two at once do it once [upsert:refresh]', async () => {
  const flow = await heldFlow(platform.manage, provider, 'Held')
  await set(flow, { originals: 'on', uploads: 'on' })
  const size = (chunkSize: number) => set(flow, { 'recursiveCharacterTextSplitter_0.chunkSize': chunkSize })
  provider.hold(0)
  const loading = platform.upload(flow, { 'a.txt': text('A') })
  await until(() => provider.calls.length > 0)
  await size(100)
  provider.release()
  const loaded = await loading
  assert.equal(loaded.status, 200, loaded.text)
  assert.partialDeepStrictEqual(await compare(flow), {
    differences: [{ differing: 1, changes: [{ label: 'Chunk Size', from: 60, to: 100 }] }],
  })

  const before = await chunksOf(flow, 'a.txt')
  const calls = provider.calls.length
  provider.hold(0)
  const { jobId } = (await refresh(flow, '?async=true')).body as { jobId: string }
  await until(() => provider.calls.length > calls)
  await platform.manage('POST', `/api/v1/jobs/${jobId}/cancel`)
  provider.release()
  const stateOf = async (id: string) =>
    (await platform.manage<{ state: string }>('GET', `/api/v1/jobs/${id}`)).body.state
  await until(async () => (await stateOf(jobId)) === 'cancelled')
  assert.deepEqual(await chunksOf(flow, 'a.txt'), before)
  assert.deepEqual(
    readdirSync(path.join(platform.dataDirectory, 'scratch')).filter((one) => one.startsWith('refresh-')),
    [],
  )

  const both = await Promise.all([refresh(flow), refresh(flow)])
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual(both.map(({ body }) => body.files!.length).toSorted(), [0, 1])
  assert.partialDeepStrictEqual(await compare(flow), { next: null, differing: 0 })
})

test('a refresh of an empty flow does nothing, and one of a flow whose upserts cannot run gets their refusal [upsert:refresh]', async () => {
  const empty = await made('Empty')
  assert.partialDeepStrictEqual(await compare(empty), { next: null, differing: 0, unknownSettings: 0 })
  assert.partialDeepStrictEqual(await refresh(empty), { status: 200, body: { files: [], numAdded: 0 } })

  const flow = await keeping('Cannot run')
  await platform.upload(flow, { 'a.txt': text('A') })
  const body = drawFlow({ name: 'Cannot run', splitter: { chunkSize: 12, chunkOverlap: 80 } })
  await platform.manage('PUT', `/api/v1/chatflows/${flow}`, { flowData: body.flowData })
  const refused = await refresh(flow)
  const upsert = await platform.upload(flow, { 'a.txt': text('A') })
  assert.deepEqual(
    [refused.status, refused.body.code],
    [upsert.status, (upsert.body as unknown as { code: string }).code],
  )
  assert.equal(refused.status, 422)
  assert.equal((await refresh('no-such-flow')).status, 404)
})

test('documents from before are unknown and no difference; a refresh finds out what they are [upsert:refresh]', async () => {
  const flow = await keeping('From before')
  await platform.upload(flow, { 'a.txt': text('A'), 'b.txt': text('B') })
  await platform.sql("UPDATE sources SET settings = NULL, request = NULL WHERE name IN ('a.txt', 'b.txt')")
  await set(flow, { topK: 9 })
  assert.partialDeepStrictEqual(await compare(flow), { next: null, differing: 0, unknownSettings: 2 })
  const { body } = await refresh(flow)
  assert.deepEqual(
    body.files!.map(({ status }) => status),
    ['unchanged', 'unchanged'],
  )
  assert.partialDeepStrictEqual(await compare(flow), { next: null, unknownSettings: 0 })
})

test('after a change of the embedder the one action is a reindex, which keeps what is known of the settings [upsert:refresh]', async () => {
  const flow = await keeping('Embedder')
  await platform.upload(flow, { 'a.txt': text('A') })
  const body = drawFlow({ name: 'Embedder', splitter: { chunkSize: 100, chunkOverlap: 0 } })
  const { nodes } = body.flowData as unknown as { nodes: { data: { name: string } }[] }
  const inputs = { modelName: 'mine', basePath: `${provider.url}/v1` }
  Object.assign(nodes.find(({ data }) => data.name === 'builtInEmbeddings')!.data, {
    name: 'localAIEmbeddings',
    inputs,
  })
  await platform.manage('PUT', `/api/v1/chatflows/${flow}`, { flowData: body.flowData })
  const told = await compare(flow)
  assert.partialDeepStrictEqual(told, { next: 'reindex', differing: 1 })
  assert.match(told.embedders!.to, /mine/)
  assert.partialDeepStrictEqual((await refresh(flow)).body, { code: 'embedder_changed' })
  const reindexed = await platform.manage('POST', `/api/v1/vector/reindex/${flow}`, {})
  assert.equal(reindexed.status, 200, reindexed.text)
  assert.partialDeepStrictEqual(await compare(flow), { next: 'refresh', differing: 1, embedders: null })
})

test('a key with pins sees and loads again only its own documents [upsert:refresh]', async () => {
  const flow = await keeping('Pinned')
  const keyOf = async (pins: object) =>
    (
      await platform.manage<{ apiKey: string }>('POST', '/api/v1/apikey', {
        keyName: 'pinned',
        flows: [flow],
        pins,
      })
    ).body.apiKey
  const [acme, beta] = await Promise.all([keyOf({ tenant: 'acme' }), keyOf({ tenant: 'beta' })])
  for (const key of [undefined, acme, beta])
    await platform.call('POST', `/api/v1/vector/upsert/${flow}`, {
      body: form({
        'rent.txt': text(`Rent of ${key === undefined ? 'all' : key === acme ? 'Acme' : 'Beta'}`),
      }),
      ...(key === undefined ? {} : { key }),
    })
  await set(flow, { chunkSize: 60 })
  const url = `/api/v1/vector/refresh/${flow}`
  const seenBy = async (key?: string) =>
    (await platform.call<LoadComparisonAnswer>('GET', url, key === undefined ? {} : { key })).body.differing
  assert.deepEqual([await seenBy(), await seenBy(acme), await seenBy(beta)], [1, 1, 1])
  const { status, body, text: raw } = await platform.call<UpsertAnswer>('POST', url, { key: acme, body: {} })
  assert.equal(status, 200, raw)
  assert.partialDeepStrictEqual(body, { files: [{ name: 'rent.txt', status: 'indexed' }] })
  assert.deepEqual([await seenBy(), await seenBy(acme), await seenBy(beta)], [1, 0, 1])
})

test('sluice refresh, source list and flow set say what differs and load it again [upsert:refresh]', async () => {
  const flow = await made('Commands')
  const run = (...args: string[]) => sluice([...args, '--url', platform.url, '--key', ADMIN_KEY])
  await platform.upload(flow, { 'lost.txt': text('Lost') })
  await set(flow, { originals: 'on' })
  await platform.upload(flow, { 'kept.txt': text('Kept') })
  const changed = await run('flow', 'set', flow, 'chunkSize=60')
  assert.equal(changed.code, 0)
  assert.match(changed.stderr, /2 documents loaded with other settings: Chunk Size 200 → 60/)
  assert.match(changed.stderr, new RegExp(`sluice refresh ${flow}`))
  assert.match(
    (await run('source', 'list', flow)).stderr,
    /2 documents loaded with other settings[\s\S]*lost\.txt/,
  )
  const refreshed = await run('refresh', flow)
  assert.equal(refreshed.code, 1)
  assert.match(refreshed.stdout, /kept\.txt\s+indexed[\s\S]*1 file not kept[\s\S]*lost\.txt/)
  await platform.upload(flow, { 'lost.txt': text('Lost') })
  const again = await run('refresh', flow)
  assert.deepEqual(
    [again.code, again.stdout],
    [0, 'Nothing to load: all documents have the settings of the flow.\n'],
  )
  const json = await run('refresh', flow, '--json')
  assert.partialDeepStrictEqual(JSON.parse(json.stdout), { files: [], filesNeeded: { count: 0 } })
  assert.match((await run('refresh', '--help')).stdout, /sluice reindex/)
})
