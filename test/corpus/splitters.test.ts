import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { inThread } from '../support/in-thread.ts'

const corpus = process.env.SLUICE_CORPUS
const COMPARISON = new URL('../support/splitter-comparison.ts', import.meta.url).href

/** Of a large collection so many texts are enough: the rest has the same kind of text. */
const MOST_TEXTS = 2

/** As a file that a person uploads, in characters. */
const TEXT_LENGTH = 100_000

/** The first texts of a test collection. */
function* collectionTexts(folder: string): Generator<string> {
  let gathered = ''
  let made = 0
  for (const line of readFileSync(path.join(folder, 'corpus.jsonl'), 'utf8').split('\n')) {
    if (line === '') continue
    const { title, text } = JSON.parse(line) as { title?: string; text: string }
    gathered += `${title ?? ''}\n\n${text}\n\n`
    if (gathered.length < TEXT_LENGTH) continue
    yield gathered.slice(0, TEXT_LENGTH)
    gathered = ''
    made++
    if (made === MOST_TEXTS) return
  }
  yield gathered
}

if (corpus === undefined)
  test('the splitters give the chunks of the originals for real texts', { skip: 'SLUICE_CORPUS is not set' })
else {
  const collections = path.join(corpus, 'retrieval')
  const textsOf = (name: string) => [...collectionTexts(path.join(collections, name))]
  for (const name of readdirSync(collections))
    test(`the splitters give the chunks of the originals for the collection ${name}`, async (t) => {
      const texts = textsOf(name).map((text) => ({ name, text }))
      t.diagnostic(`${await inThread<number>(COMPARISON, 'compareTexts', texts)} chunks`)
    })
  for (const encodingName of ['gpt2', 'cl100k_base'] as const)
    test(`the token splitter gives the chunks of the original for all collections with ${encodingName}`, async () => {
      const texts = readdirSync(collections).map((name) => ({
        name,
        text: textsOf(name)[0]!.slice(0, 20_000),
      }))
      await inThread(COMPARISON, 'compareTokens', encodingName, texts)
    })
  test('the splitters give the chunks of the originals for text files', async () => {
    const folder = path.join(corpus, 'docs', 'txt')
    const texts = readdirSync(folder).map((name) => ({
      name,
      text: readFileSync(path.join(folder, name), 'utf8'),
    }))
    await inThread(COMPARISON, 'compareTexts', texts)
  })
}
