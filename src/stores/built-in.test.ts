import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryDatabase } from '../../test/support/store.ts'
import { Connection } from '../db/sqlite/connection.ts'
import { isBehind } from '../db/sqlite/text-index.ts'
import { builtInStores } from './built-in.ts'

test('search() by keyword waits until what an earlier version has indexed is taken over', async (t) => {
  const database = temporaryDatabase(t)
  const store = builtInStores(database).open('n')
  const run = await store.open('e')
  const chunk = { source: 'a', metadata: '{}', metadataHash: 'm' }
  const texts = ['the heron stands', 'the otter swims']
  await run.stage(
    texts.map((text) => ({ ...chunk, hash: text, text })),
    new Float32Array(2),
    1,
  )
  await run.publish({
    stagedCount: 2,
    removedChunkIds: [],
    files: [],
    updatedSources: [],
    invalidatedFiles: [],
  })
  await run.sweep()
  const writer = new Connection(database.file)
  writer.exec('DELETE FROM text_segments; DELETE FROM text_pages; INSERT INTO text_backlog VALUES (1, 0, 2)')
  writer.close()

  const search = async (text: string) =>
    (await store.search({ text, limit: 9 })).map(({ pageContent }) => pageContent)
  assert.deepEqual(await Promise.all([search('heron'), search('otters')]), [[texts[0]], [texts[1]]])
  assert.equal(isBehind(database.reader, 1), false)
})
