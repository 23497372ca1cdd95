import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createFileParser } from '../../src/formats/pool.ts'
import { type Mode, MODES } from '../../src/contract/retrieval.ts'
import { createRetriever } from '../../src/retrieve/run.ts'
import { hashEmbedder } from '../support/hash-embedder.ts'
import { load, uploadsOf } from '../support/loading.ts'
import { makePlatform } from '../support/platform.ts'
import { sharedStores } from '../support/store.ts'

const SOURCES = ['one.txt', 'two.txt']
const PARAGRAPHS = 10

const platform = await makePlatform()

/** A file with the number of its version in every paragraph, and so in every chunk. */
const fileOf = (source: string, version: number): string =>
  Array.from(
    { length: PARAGRAPHS },
    (_, n) =>
      `version ${version} has paragraph ${n} of ${source}, ${'in which nothing else stands, '.repeat(5)}`,
  ).join('\n\n')

/** The version that an answer shows, after a look at whether it is one, and all of it. */
function versionOf(texts: readonly string[]): number {
  const version = Number(/^version (\d+)/.exec(texts[0] ?? '')?.[1])
  const whole = SOURCES.flatMap((source) => fileOf(source, version).split('\n\n'))
  assert.deepEqual(texts.toSorted(), whole.map((text) => text.trim()).toSorted())
  return version
}

test('while a source is replaced again and again every answer has one version of it, and all of that [upsert:independent, upsert:atomic]', async (t) => {
  const flow = await platform.flow({
    splitter: { chunkSize: 250, chunkOverlap: 0 },
    recordManager: { cleanup: 'incremental' },
  })
  const upsert = async (version: number) => {
    const files = Object.fromEntries(SOURCES.map((source) => [source, fileOf(source, version)]))
    const { status, text } = await platform.upload(flow, files)
    assert.equal(status, 200, text)
  }
  await upsert(0)

  const answers = { hybrid: 0, vector: 0, keyword: 0 }
  const seen = new Set<number>()
  let over = false
  async function read(mode: Mode): Promise<void> {
    for (let last = 0; !over; answers[mode]++) {
      const { body, text, status } = await platform.query(flow, { query: 'paragraph', mode, topK: 100 })
      assert.equal(status, 200, text)
      const version = versionOf(body.docs.map((doc) => doc.pageContent))
      assert.ok(version >= last, `version ${version} after ${last}`)
      last = version
      seen.add(version)
    }
  }
  const readers = Promise.all([...MODES, ...MODES].map(read))
  const broken = readers.then(
    () => false,
    () => true,
  )
  let version = 0
  while (version < 10 || Object.values(answers).some((count) => count < 100)) {
    await upsert(++version)
    if (await Promise.race([broken, false])) break
  }
  over = true
  await readers
  t.diagnostic(`${version} versions, of which readers saw ${seen.size}; answers ${JSON.stringify(answers)}`)
})

test('queries are answered while an upsert waits for its embedder, and an upsert ends while a query waits for it [upsert:independent]', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-readers-'))
  const parser = createFileParser({ readable: [folder], size: 1 })
  t.after(async () => {
    await parser.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const store = sharedStores().stores.open('readers')
  const free = hashEmbedder()
  const write = (text: string) => writeFileSync(path.join(folder, 'a.txt'), text)
  const upsert = (embedder = free) =>
    load({ store, embedder, parser, uploads: uploadsOf(folder), cleanup: 'incremental' })
  const ask = async (mode: Mode, embedder = free) => {
    const part = { store, embedder, loaders: [], retrieval: { topK: 4, searchType: 'similarity' as const } }
    const [docs] = await createRetriever().retrieve(part, ['word'], { mode })
    return docs!.map((doc) => doc.pageContent)
  }
  write('old word')
  await upsert()

  const gate = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const held = hashEmbedder({
    before() {
      reached.resolve()
      return gate.promise
    },
  })
  write('new word')
  const waiting = upsert(held)
  await reached.promise
  for (const mode of MODES) assert.deepEqual(await ask(mode), ['old word'], mode)
  gate.resolve()
  await waiting
  for (const mode of MODES) assert.deepEqual(await ask(mode), ['new word'], mode)

  const question = Promise.withResolvers<void>()
  const asking = ask('vector', {
    ...free,
    async embedQuery(text) {
      await question.promise
      return free.embedQuery(text)
    },
  })
  write('newer word')
  await upsert()
  question.resolve()
  assert.deepEqual(await asking, ['newer word'])
})
