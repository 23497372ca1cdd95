import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { contentOf, temporaryDatabase } from '../../../test/support/store.ts'
import { fingerprint } from '../../kit/hash.ts'
import { PassageTermsReader } from '../../keyword/passage-terms.ts'
import type { NewChunk } from '../../contract/ledger.ts'
import { openRun } from './indexes.ts'
import { sqliteLedger } from './ledger.ts'
import { stageChunks } from './stage.ts'

/** A chunk that brings a text. */
const chunkOf = (source: string, text: string): NewChunk & { text: string } => ({
  ...{ source, text, hash: fingerprint(text), metadata: '{}', metadataHash: fingerprint('{}') },
})

/** The content of a database in which two batches are staged. @param known of how many texts of each batch the terms are given */
async function staged(t: TestContext, batches: readonly string[][], known: number): Promise<string> {
  const database = temporaryDatabase(t)
  const opened = { namespace: 'n', embedder: 'e', engine: 'built-in', now: 1 }
  const { run, index } = await database.write(openRun, opened)
  for (const texts of batches) {
    const reader = new PassageTermsReader()
    for (const text of texts.slice(0, known)) reader.read(text)
    await database.write(stageChunks, {
      ...{ indexId: index.id, run, chunks: texts.map((text) => chunkOf('a', text)), dimensions: 1, now: 1 },
      vectors: Float32Array.from(texts, (_, at) => at),
      ...(known < 0 ? {} : { terms: reader.end() }),
    })
  }
  const tables = ['text_segments', 'text_segment_bodies', 'text_pages']
  const words = tables.map((table) => database.reader.all(`SELECT * FROM ${table} ORDER BY 1`))
  return contentOf(database) + JSON.stringify(words)
}

test('stageChunks writes the same whether the terms of all, some or none of the texts were read before', async (t) => {
  const texts = Array.from(
    { length: 300 },
    (_, at) => `Heron ${at % 90} meets heron ${at} of reed-bed v${at}.2`,
  )
  // Texts that come twice, in a batch and in two, are written once.
  const batches = [
    [...texts.slice(0, 200), texts[3]!, texts[150]!, 'a last one'],
    [texts[7]!, ...texts.slice(190)],
  ]
  const alone = await staged(t, batches, -1)
  for (const known of [0, 1, 5, 201, 300]) assert.equal(await staged(t, batches, known), alone, `${known}`)
})

test('stage() writes batches in the order of the calls, however long their texts are', async (t) => {
  const database = temporaryDatabase(t)
  const run = await sqliteLedger(database).open({ namespace: 'n', embedder: 'e', engine: 'built-in' })
  const batches = [900, 400, 1, 40, 2].map((count, batch) =>
    Array.from({ length: count }, (_, at) =>
      chunkOf('a', `batch ${batch} text ${at} ${'heron '.repeat(99)}`),
    ),
  )
  const stage = (chunks: NewChunk[]) => run.stage(chunks, 1, new Float32Array(chunks.length))
  const first = stage(batches[0]!)
  // While the first batch is written, terms of the others are read here.
  await setImmediate()
  await Promise.all([first, ...batches.slice(1).map(stage)])
  const stored = database.reader.all<{ content: string }>(
    'SELECT content FROM chunks JOIN passages ON passages.id = passage_id ORDER BY chunks.id',
  )
  assert.deepEqual(
    stored.map(({ content }) => content),
    batches.flat().map(({ text }) => text),
  )
})
