import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { SourceAnswer } from '../../src/api/source.ts'
import { blobDirectory } from '../../src/blobs/directory.ts'
import { originalShelf } from '../../src/upsert/original-shelf.ts'
import { createOriginals } from '../../src/upsert/originals.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'
import { until } from '../support/until.ts'

const platform = await makePlatform({}, { servers: 1 })
const small = await makePlatform({ MAX_ORIGINALS_MB: '0' }, { servers: 1 })

const keeping = async (server: typeof platform, name: string) => {
  const flow = await server.flow({ name, overridable: ['files'], recordManager: { cleanup: 'incremental' } })
  const set = await server.manage('PATCH', `/api/v1/chatflows/${flow}/settings`, { set: { originals: 'on' } })
  assert.equal(set.status, 200, set.text)
  return flow
}
const flow = await keeping(platform, 'Keeping')
const without = await platform.flow({ name: 'Not keeping', overridable: ['files'] })
const full = await keeping(small, 'Full')

const folder = path.join(platform.dataDirectory, 'originals')
const kept = () => (existsSync(folder) ? readdirSync(folder) : [])
const original = (id: string, source: string) =>
  fetch(`${platform.url}/api/v1/vector/sources/${id}/original?source=${encodeURIComponent(source)}`, {
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
  })
const HOSTILE = '<html><body><p>Words of a page.</p><script>alert(document.domain)</script></body></html>'

test('a kept file comes back byte for byte, and nothing in it can run here [sources:original]', async () => {
  const bytes = new TextEncoder().encode(HOSTILE)
  const { status } = await platform.upload(flow, { "dir/ü'1.html": bytes, 'a.txt': 'Words.' })
  assert.equal(status, 200)
  const answer = await original(flow, "dir/ü'1.html")
  assert.equal(answer.status, 200)
  assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), bytes)
  assert.equal(answer.headers.get('content-type'), 'text/html')
  assert.equal(answer.headers.get('content-disposition'), "attachment; filename*=UTF-8''%C3%BC%271.html")
  assert.equal(answer.headers.get('content-security-policy'), "sandbox; default-src 'none'")
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  const { body } = await platform.manage<{ data: SourceAnswer[] }>('GET', `/api/v1/vector/sources/${flow}`)
  assert.deepEqual(
    body.data.map(({ source, originalType }) => [source, originalType]),
    [
      ['a.txt', 'text'],
      ["dir/ü'1.html", 'html'],
    ],
  )
  assert.equal(kept().length, 2)
})

test('files are kept once, replaced with their documents, and deleted with them for good [sources:original]', async () => {
  await platform.upload(flow, { 'a.txt': 'Words.' })
  assert.equal(kept().length, 2)
  await platform.upload(flow, { 'a.txt': 'Other words.' })
  assert.equal(await (await original(flow, 'a.txt')).text(), 'Other words.')
  await until(() => kept().length === 2)

  const upsert = `/api/v1/vector/upsert/${flow}`
  await platform.manage('DELETE', upsert, { source: 'a.txt' })
  assert.equal((await original(flow, 'a.txt')).status, 404)
  await platform.manage('POST', `/api/v1/vector/sources/${flow}/restore`, { sources: ['a.txt'] })
  assert.equal(await (await original(flow, 'a.txt')).text(), 'Other words.')
  await platform.manage('POST', `/api/v1/vector/reindex/${flow}`)
  assert.equal(await (await original(flow, 'a.txt')).text(), 'Other words.')
  await platform.manage('DELETE', upsert, { source: 'a.txt', permanent: true })
  await until(() => kept().length === 1)
})

test('a flow without the setting keeps no file, and one that turns it on keeps it with the next upsert [sources:original]', async () => {
  const before = kept().length
  await platform.upload(without, { 'b.txt': 'Words of b.' })
  assert.equal((await original(without, 'b.txt')).status, 404)
  assert.equal(kept().length, before)
  await platform.manage('PATCH', `/api/v1/chatflows/${without}/settings`, { set: { originals: 'on' } })
  await platform.upload(without, { 'b.txt': 'Words of b.' })
  assert.equal(await (await original(without, 'b.txt')).text(), 'Words of b.')
})

test('files beyond MAX_ORIGINALS_MB are not kept, with a warning, and their documents are loaded [sources:original]', async () => {
  const { body } = await small.upload(full, { 'c.txt': 'Words of c.' })
  assert.deepEqual([body.numAdded, body.warnings?.map(({ key }) => key)], [1, ['c.txt']])
})

test('sweepLeftovers() deletes files that a crash has left, and none that a document names or that came later', async () => {
  const here = path.join(platform.dataDirectory, 'swept')
  const shelf = originalShelf(blobDirectory(here))
  const file = path.join(platform.dataDirectory, 'upload')
  writeFileSync(file, 'bytes')
  for (const id of ['named', 'left']) await shelf.put(id, file)
  const store = {
    bytes: async () => 0,
    gone: async () => [],
    remove: async () => {},
    named: async (ids: readonly string[]) => new Set(ids.filter((id) => id === 'named')),
  }
  const originals = createOriginals(shelf, store, 1000)
  await originals.sweepLeftovers(0)
  assert.deepEqual(readdirSync(path.join(here, 'originals')).sort(), ['left', 'named'])
  await originals.sweepLeftovers(Date.now() + 60_000)
  assert.deepEqual(readdirSync(path.join(here, 'originals')), ['named'])
})
