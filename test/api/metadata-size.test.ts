import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { makePlatform } from '../support/platform.ts'

const [platform, generous] = await Promise.all([
  makePlatform({}, { embedded: true }),
  makePlatform({ MAX_METADATA_KB: '64' }),
])
const overridable = ['files', 'addMetadata', 'splitter_0.chunkSize', 'chunkSize']
const flow = await platform.flow({ name: 'Bounded', overridable })
const metadata = (length: number) => ({ addMetadata: JSON.stringify({ note: 'x'.repeat(length) }) })
const many = Array.from(
  { length: 200 },
  (_, i) => `Paragraph ${i} says something of its own. ${'word '.repeat(150)}`,
)

test('metadata of more than 16 kB are refused with the file and the size, and nothing is stored [upsert:metadata]', async () => {
  const before = statSync(path.join(platform.dataDirectory, 'sluice.db')).size
  const { status, body } = await platform.upload(flow, { 'a.txt': many.join('\n\n') }, metadata(1_100_000))
  assert.equal(status, 422)
  assert.partialDeepStrictEqual(body, { code: 'metadata_too_large' })
  assert.match((body as unknown as { message: string }).message, /a\.txt.* 1100\d\d\d bytes .*16384/)
  assert.deepEqual((await platform.query(flow, { query: 'paragraph' })).body.docs, [])
  assert.ok(statSync(path.join(platform.dataDirectory, 'sluice.db')).size - before < 1_000_000)
})

test('metadata within the bound are kept, and MAX_METADATA_KB moves it [upsert:metadata]', async () => {
  assert.equal((await platform.upload(flow, { 'b.txt': 'Short.' }, metadata(15_000))).status, 200)
  assert.equal((await platform.upload(flow, { 'c.txt': 'Short.' }, metadata(17_000))).status, 422)
  // The bound is of bytes.
  const wide = { addMetadata: JSON.stringify({ note: 'é'.repeat(9000) }) }
  assert.equal((await platform.upload(flow, { 'd.txt': 'Short.' }, wide)).status, 422)
  const other = await generous.flow({ name: 'Generous', overridable })
  assert.equal((await generous.upload(other, { 'c.txt': 'Short.' }, metadata(60_000))).status, 200)
})
