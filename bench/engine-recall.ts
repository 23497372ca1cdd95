import path from 'node:path'
import { builtInEmbedder } from '../src/embed/builtin.ts'
import { createEgress } from '../src/kit/egress/client.ts'
import { createEgressRules } from '../src/kit/egress/rules.ts'
import { engineServer } from '../src/stores/remote/engine-server.ts'
import { searchServerEngine } from '../src/stores/remote/search-server.ts'
import { bareClient } from './engines/bare-client.ts'
import { openProduct } from './engines/product.ts'
import { readChunks, readQuestions, recallOf } from './pgvector.ts'
import { median, printTable } from './support/table.ts'

const BATCH = 500
const K = 10
const CHUNKS = 10_000
/** How many candidates a side gives: few, and those of the default settings, with one side and with two. */
const LIMITS = [10, 50, 100]

/** Which indexes are measured: `BENCH_VECTORS_AS` is one of both, or absent. */
const KINDS = (['full', 'int8'] as const).filter((kind) =>
  [undefined, kind].includes(process.env.BENCH_VECTORS_AS as typeof kind | undefined),
)

/** Files of Lucene: the graph, vectors as they are, and by whole numbers. A search reads the graph and one of the others at every hop. */
const FILES = { graph: 'vex', full: 'vec', int8: 'veq' }

/**
 * Recall@10 beside the exact scan, p50 and bytes of the files that a search reads, of indexes with full and with int8 vectors, on
 * windows of real text below SLUICE_CORPUS/retrieval and on 200 real questions. `BENCH_ROWS` chunks, 10,000 unless given. Elasticsearch puts the files of a small
 * segment into one: then their bytes are told as 0.
 */
export async function run(): Promise<void> {
  const corpus = process.env.SLUICE_CORPUS
  if (corpus === undefined) throw new Error('SLUICE_CORPUS is not set')
  const folder = path.join(corpus, 'retrieval')
  const embedder = builtInEmbedder()
  const chunks = readChunks(folder, Number(process.env.BENCH_ROWS ?? CHUNKS))
  const vectors: Float32Array[] = []
  for (let at = 0; at < chunks.length; at += BATCH)
    vectors.push(...(await embedder.embed(chunks.slice(at, at + BATCH).map(({ text }) => text))))
  const questions = await Promise.all(readQuestions(folder).map(({ text }) => embedder.embedQuery(text)))
  const { name, url } = await openProduct()
  const egress = createEgress({ rules: createEgressRules({ loopback: true }) })
  const bare = bareClient(url)
  const server = engineServer({
    ...{ egress, provider: 'The engine', keyHint: 'Check the address' },
    open: async () => ({ baseURL: url, headers: {} }),
  })
  const rows: (string | number)[][] = [
    [
      'vectors',
      'candidates',
      'recall@10',
      'least',
      'p50 ms',
      'graph, bytes a chunk',
      'compared vectors',
      'all vectors',
    ],
  ]
  try {
    for (const kind of KINDS) {
      const index = { vectors: kind }
      const engine = searchServerEngine({
        ...{ server, name, indexPrefix: `bench-${kind}`, metric: 'cosine', index },
      })
      await engine.drop('recall')
      for (let at = 0; at < chunks.length; at += BATCH) {
        const points = chunks.slice(at, at + BATCH).map(({ text, collection }, n) => ({
          ...{ id: String(at + n), text, vector: vectors[at + n]!, metadata: { collection } },
        }))
        await engine.upsert('recall', points, { later: true })
      }
      await engine.refresh!('recall')
      const files = await filesOf(bare, `bench-${kind}-recall`)
      const bytes = (file: string) => (files[file] ?? 0) / chunks.length
      for (const limit of LIMITS) {
        const times: number[] = []
        const recalls: number[] = []
        for (const vector of questions) {
          const began = performance.now()
          const found = await engine.search('recall', { vector, metric: 'cosine', limit })
          times.push(performance.now() - began)
          const best = found.toSorted((one, other) => other.vectorScore! - one.vectorScore!).slice(0, K)
          const ids = best.map(({ id }) => Number(id))
          recalls.push(recallOf(ids, { chunks, vectors, vector, filter: undefined }))
        }
        const mean = recalls.reduce((sum, one) => sum + one, 0) / recalls.length
        rows.push([
          ...[kind, limit, mean.toFixed(4), Math.min(...recalls).toFixed(1), median(times).toFixed(1)],
          ...[bytes(FILES.graph), bytes(FILES[kind]), bytes(FILES.full) + bytes(FILES.int8)],
        ])
      }
      await engine.drop('recall')
    }
  } finally {
    await egress.close()
  }
  console.log(
    `${name}, ${chunks.length} chunks of ${vectors[0]!.length} dimensions, ${questions.length} questions\n`,
  )
  printTable(rows)
}

/** Bytes of the files of an index by their endings, once it is one segment. */
async function filesOf(bare: ReturnType<typeof bareClient>, index: string): Promise<Record<string, number>> {
  await bare.call('POST', `/${index}/_forcemerge?max_num_segments=1`)
  await bare.call('POST', `/${index}/_refresh`)
  const { _all } = (await bare.call(
    ...(['GET', `/${index}/_stats/segments?include_segment_file_sizes=true`] as const),
  )) as { _all: { primaries: { segments: { file_sizes: Record<string, { size_in_bytes: number }> } } } }
  return Object.fromEntries(
    Object.entries(_all.primaries.segments.file_sizes).map(([file, { size_in_bytes }]) => [
      file,
      size_in_bytes,
    ]),
  )
}
