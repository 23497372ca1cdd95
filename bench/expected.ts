import type { Expected } from '../src/contract/expected.ts'
import { builtInEmbedder } from '../src/embed/builtin.ts'
import { fingerprint } from '../src/kit/hash.ts'
import { createRetriever } from '../src/retrieve/run.ts'
import { emptyStore } from './support/empty-store.ts'
import { naturalQuestion, naturalText } from './support/natural.ts'
import { random } from './support/prose.ts'
import { median, printTable, quantile } from './support/table.ts'

const QUESTIONS = 200
const BATCH = 2000
/** Characters of a chunk. */
const LENGTH = 700

/** The time of the processor, in milliseconds: on a busy machine it says more than the clock. */
const processorMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * What it takes to say what became of an expected document or chunk, beyond the query itself. `BENCH_ROWS`: how many chunks, 100,000
 * unless given; each ten are a document.
 */
export async function run(): Promise<void> {
  const rows = Number(process.env.BENCH_ROWS ?? 100_000)
  await using opened = emptyStore()
  const { store } = opened
  const embedder = builtInEmbedder()
  const ids = await fill(rows)
  const part = { store, embedder, loaders: [], retrieval: { topK: 4, searchType: 'similarity' as const } }
  const { retrieve } = createRetriever()
  const next = random(7)
  const questions = Array.from({ length: QUESTIONS }, () => naturalQuestion(next))
  for (const question of questions) await retrieve(part, [question])

  const figures: (string | number)[][] = [
    [
      'expected',
      'query p50 ms',
      'with expect p50',
      'beyond p50',
      'beyond p90',
      'beyond p99',
      'of the processor p50',
      'tries',
      'with a change',
    ],
  ]
  const kinds: [string, (at: number) => Promise<Expected> | Expected][] = [
    ['a document at random', () => ({ source: `${Math.floor(next() * (rows / 10))}` })],
    ['a document near the answer', async (at) => ({ source: await nearSource(questions[at]!) })],
    ['a chunk near the answer', async (at) => ({ chunk: await nearChunk(questions[at]!) })],
    ['a document that is not stored', () => ({ source: 'none' })],
    ['a chunk at random', () => ({ chunk: ids[Math.floor(next() * ids.length)]! })],
  ]
  for (const [name, expectedOf] of kinds) {
    const plain: number[] = []
    const whole: number[] = []
    const beyond: number[] = []
    const processor: number[] = []
    let [tries, changes] = [0, 0]
    for (const [at, question] of questions.entries()) {
      const chunks = await expectedOf(at)
      const cpuBegan = processorMs()
      const began = performance.now()
      await retrieve(part, [question])
      const middle = performance.now()
      const cpuMiddle = processorMs()
      await retrieve(
        part,
        [question],
        { expect: { chunks, otherConversations: true } },
        undefined,
        (report) => {
          tries += report.expected!.tries
          changes += Number(report.expected!.change !== null)
        },
      )
      const ended = performance.now()
      plain.push(middle - began)
      whole.push(ended - middle)
      beyond.push(ended - middle - (middle - began))
      processor.push(processorMs() - cpuMiddle - (cpuMiddle - cpuBegan))
    }
    figures.push([
      name,
      median(plain),
      median(whole),
      median(beyond),
      quantile(beyond, 0.9),
      quantile(beyond, 0.99),
      median(processor),
      tries / QUESTIONS,
      changes,
    ])
  }
  console.log(`${rows} chunks`)
  printTable(figures)

  async function wide(question: string) {
    const [hits] = await retrieve(part, [question], { topK: 50 })
    return hits![Math.floor(next() * hits!.length)]!
  }
  async function nearSource(question: string) {
    return String((await wide(question)).metadata.source)
  }
  async function nearChunk(question: string) {
    return (await wide(question)).id
  }

  /** Fills the store; returns the ids of some chunks. */
  async function fill(count: number): Promise<string[]> {
    const run = await store.open(embedder.id)
    for (let from = 0; from < count; from += BATCH) {
      const text = naturalText(BATCH * LENGTH, from + 1)
      const texts = Array.from(
        { length: BATCH },
        (_, at) => `${text.slice(at * LENGTH, (at + 1) * LENGTH)} ${from + at}`,
      )
      const vectors = await embedder.embed(texts)
      const all = new Float32Array(BATCH * vectors[0]!.length)
      for (const [at, vector] of vectors.entries()) all.set(vector, at * vector.length)
      const staged = texts.map((one, at) => {
        const metadata = JSON.stringify({ source: `${Math.floor((from + at) / 10)}` })
        const source = `${Math.floor((from + at) / 10)}`
        return { source, text: one, hash: fingerprint(one), metadata, metadataHash: fingerprint(metadata) }
      })
      await run.stage(staged, all, vectors[0]!.length)
    }
    await run.publish({
      stagedCount: count,
      removedChunkIds: [],
      files: [],
      updatedSources: [],
      invalidatedFiles: [],
    })
    await run.sweep()
    const { rows: some } = await store.chunks({ offset: 0, limit: 1000 })
    return some.map(({ id }) => id)
  }
}
