import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { builtInEmbedder } from '../src/embed/builtin.ts'
import { tenthBest } from './scale/exact.ts'
import { type Part, partOf, sendPart } from './scale/parts.ts'
import { folderBytes } from './support/folder-bytes.ts'
import { callJson } from './support/http-client.ts'
import { languageQuestion } from './support/language.ts'
import { processorSeconds, residentOf } from './support/process-tree.ts'
import { type Server, startServer } from './support/server.ts'
import { median, printTable, quantile } from './support/table.ts'

/** The load has so many upserts, each with one percent of the chunks; a filter on the files of one keeps that percent. */
const PARTS = 100
const FILES = 20
const QUERIES = 300
const EXACT_QUERIES = 20
/** Scores that differ by less are equal: sums of float32 in another order. */
const SCORE_ERROR = 1e-6
const STARTS = 3
const WRITING_MS = 15_000
const KILL_LEAST = 5000

/**
 * How much one process with one file carries: `BENCH_ROWS` chunks with 256 dimensions, 20,000 unless given, loaded through the
 * upsert of the real server with the built-in model. Then memory, disk, queries, recall, queries while chunks are written and
 * deleted, starts, and kills in the middle of a load and of a publication.
 */
export async function run(): Promise<void> {
  const rows = Number(process.env.BENCH_ROWS ?? 20_000)
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  const data = path.join(folder, 'data')
  // The texts are read once, before anything is measured.
  languageQuestion(0)
  let server = await startServer(data)
  try {
    await load(server, rows)
    printTable([
      ['after the load', ''],
      ['memory of the server at rest, MB', await memoryAtRest(server.pid)],
      ['disk bytes a chunk', folderBytes(data) / rows],
    ])
    await queriesAtRest(server.url)
    console.log()
    printTable([
      ['after queries of all kinds', ''],
      ['memory of the server at rest, MB', await memoryAtRest(server.pid)],
    ])
    await recall(server.url, data)
    await whileWriting(server.url, rows)
    await server.stop()
    server = await starts(data)
    server = await killInLoad(server, data, rows)
    server = await killInPublication(server, data, rows)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const partName = (part: number) => `part-${part}`

/** Prints a row for each tenth of the load: a load that slows down shows it here. */
async function load(server: Server, rows: number): Promise<void> {
  const table: (string | number)[][] = [
    [
      `${rows.toLocaleString('en')} chunks loaded`,
      'seconds',
      'chunks/s',
      'CPU seconds',
      'slowest upsert s',
      'MB',
    ],
  ]
  const tenth = { seconds: 0, processor: 0, slowest: 0, chunks: 0 }
  let total = 0
  let first = 0
  for (let part = 0; part < PARTS; part++) {
    const end = Math.floor(((part + 1) * rows) / PARTS)
    const texts = partOf(partName(part), first, end - first, FILES)
    first = end
    const processor = processorSeconds(server.pid)
    const began = performance.now()
    const { numAdded } = await sendPart(server.url, texts)
    const seconds = (performance.now() - began) / 1000
    if (numAdded !== texts.chunks) throw new Error(`${numAdded} chunks were added of ${texts.chunks}`)
    total += seconds
    tenth.seconds += seconds
    tenth.processor += processorSeconds(server.pid) - processor
    tenth.chunks += numAdded
    tenth.slowest = Math.max(tenth.slowest, seconds)
    if ((part + 1) % (PARTS / 10) !== 0) continue
    const row = [
      `up to ${end.toLocaleString('en')}`,
      tenth.seconds,
      tenth.chunks / tenth.seconds,
      tenth.processor,
      tenth.slowest,
      residentOf(server.pid).own,
    ]
    table.push(row)
    // A load of hours shows how far it is.
    console.error(row.join('  '))
    Object.assign(tenth, { seconds: 0, processor: 0, slowest: 0, chunks: 0 })
  }
  table.push(['all', total, rows / total, processorSeconds(server.pid), '', residentOf(server.pid).own])
  printTable(table)
  console.log()
}

/** Megabytes, once they no longer become less. */
async function memoryAtRest(pid: number): Promise<number> {
  let before = Infinity
  for (let now = residentOf(pid).own; now < before * 0.99; now = residentOf(pid).own) {
    before = now
    await pause(3000)
  }
  return residentOf(pid).own
}

type QueryAnswer = { docs: { scores: { vector: number } }[] }
type Query = { query: string; mode: string; filter?: object }

const query = async (url: string, body: Query): Promise<QueryAnswer> =>
  (await callJson('POST', `${url}/api/v1/vector/query/quickstart`, {
    ...body,
    topK: 10,
    nearDuplicates: false,
  })) as QueryAnswer

/** Keeps one percent: the files of one upsert. */
const filterOf = (at: number) => ({
  source: { $in: Array.from({ length: FILES }, (_, file) => `${partName(at % PARTS)}-${file}.txt`) },
})

const KINDS: [name: string, body: (at: number) => Query][] = [
  ['vector', (at) => ({ mode: 'vector', query: languageQuestion(at) })],
  ['keyword', (at) => ({ mode: 'keyword', query: languageQuestion(at) })],
  ['hybrid', (at) => ({ mode: 'hybrid', query: languageQuestion(at) })],
  ['vector in 1 %', (at) => ({ mode: 'vector', query: languageQuestion(at), filter: filterOf(at) })],
  ['hybrid in 1 %', (at) => ({ mode: 'hybrid', query: languageQuestion(at), filter: filterOf(at) })],
]

async function queriesAtRest(url: string): Promise<void> {
  const table: (string | number)[][] = [
    ['queries over HTTP, texts included', 'first ms', 'p50 ms', 'p99 ms', 'longest ms'],
  ]
  for (const [name, body] of KINDS) {
    const first = await timeOf(() => query(url, body(QUERIES)))
    const times: number[] = []
    for (let at = 0; at < QUERIES; at++) times.push(await timeOf(() => query(url, body(at))))
    table.push([name, first, quantile(times, 0.5), quantile(times, 0.99), Math.max(...times)])
  }
  console.log()
  printTable(table)
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** How many of the ten best by an exact scan are in an answer. Chunks with equal scores may take each other's place. */
async function recall(url: string, data: string): Promise<void> {
  const embedder = builtInEmbedder()
  const texts = Array.from({ length: EXACT_QUERIES }, (_, at) => languageQuestion(5000 + at))
  const vectors: Float32Array[] = []
  for (const text of texts) vectors.push(await embedder.embedQuery(text))
  const least = tenthBest(data, vectors)
  // The scan takes minutes without a turn of the event loop: connections that the server has closed meanwhile are noticed now.
  await pause(1000)
  let found = 0
  for (const [at, text] of texts.entries()) {
    const { docs } = await query(url, { mode: 'vector', query: text })
    found += docs.filter(({ scores }) => scores.vector >= least[at]! - SCORE_ERROR).length
  }
  console.log()
  printTable([
    [`recall@10 of ${EXACT_QUERIES} queries, against a scan of all vectors`, found / (EXACT_QUERIES * 10)],
  ])
}

const remove = (url: string, source: string) =>
  callJson('DELETE', `${url}/api/v1/vector/upsert/quickstart`, { source, permanent: true })

/** Hybrid queries while files of 500 chunks are upserted and removed, one after another. */
async function whileWriting(url: string, rows: number): Promise<void> {
  let over = false
  let writes = 0
  const writer = (async () => {
    while (!over) {
      await sendPart(url, partOf(`live-${writes}`, rows + writes * 500, 500, 1))
      if (writes > 0) await remove(url, `live-${writes - 1}-0.txt`)
      writes++
    }
    await remove(url, `live-${writes - 1}-0.txt`)
  })()
  const began = performance.now()
  const times: number[] = []
  for (let at = 0; performance.now() - began < WRITING_MS; at++)
    times.push(await timeOf(() => query(url, { mode: 'hybrid', query: languageQuestion(10_000 + at) })))
  over = true
  await writer
  console.log()
  printTable([
    ['hybrid queries while 500 chunks are upserted and 500 removed, again and again', ''],
    ['queries', times.length],
    ['upserts and removals', writes],
    ['p50, ms', quantile(times, 0.5)],
    ['p99, ms', quantile(times, 0.99)],
    ['longest, ms', Math.max(...times)],
    ['chunks then, of those that are right', `${await chunksOf(url)} of ${rows}`],
  ])
}

async function chunksOf(url: string): Promise<number> {
  const page = await callJson('GET', `${url}/api/v1/vector/chunks/quickstart?limit=1`)
  return (page as { total: number }).total
}

/** From the begin of the process to the first answers. Leaves the last server running. */
async function starts(data: string): Promise<Server> {
  const vector: number[] = []
  const hybrid: number[] = []
  let server: Server | undefined
  for (let start = 0; start < STARTS; start++) {
    await server?.stop()
    const began = performance.now()
    server = await startServer(data)
    await query(server.url, { mode: 'vector', query: languageQuestion(start) })
    vector.push(performance.now() - began)
    await query(server.url, { mode: 'hybrid', query: languageQuestion(start) })
    hybrid.push(performance.now() - began)
  }
  console.log()
  printTable([
    [`${STARTS} starts`, 'median ms', 'longest ms'],
    ['to the first vector answer', median(vector), Math.max(...vector)],
    ['to a hybrid answer too', median(hybrid), Math.max(...hybrid)],
    ['memory after them, MB', residentOf(server!.pid).own, ''],
  ])
  return server!
}

type Job = { state: string; stage: string | null; chunks: { written: number } }

async function killInLoad(server: Server, data: string, rows: number): Promise<Server> {
  const chunks = Math.max(KILL_LEAST, Math.ceil(rows / PARTS))
  const part = partOf('killed', 2 * rows, chunks, FILES)
  const name = `killed when ${chunks} chunks were loaded in part`
  return killed(server, data, {
    name,
    part,
    when: (job) => job.chunks.written * 2 > chunks,
    counts: [rows, rows + chunks],
  })
}

async function killInPublication(server: Server, data: string, rows: number): Promise<Server> {
  const before = Math.max(KILL_LEAST, Math.ceil(rows / PARTS))
  const chunks = Math.floor(before / 2)
  const part = partOf('killed', 3 * rows, chunks, FILES)
  const name = `killed when ${chunks} chunks replaced ${before} and were being published`
  const when = ({ stage, state }: Job) => stage === 'publish' || state === 'done'
  return killed(server, data, { name, part, when, counts: [rows + before, rows + chunks] })
}

type Kill = { name: string; part: Part; when: (job: Job) => boolean; counts: [before: number, after: number] }

/** Kills the server in the middle of an upsert; the job goes on after the next start. */
async function killed(server: Server, data: string, { name, part, when, counts }: Kill): Promise<Server> {
  const { jobId } = await sendPart(server.url, part, false)
  let job: Job
  do job = (await callJson('GET', `${server.url}/api/v1/jobs/${jobId}`)) as Job
  while (!when(job))
  process.kill(server.pid, 'SIGKILL')
  await server.stop()
  const began = performance.now()
  const next = await startServer(data)
  await query(next.url, { mode: 'vector', query: languageQuestion(1) })
  const answered = performance.now() - began
  const reopened = await chunksOf(next.url)
  let state = 'running'
  while (state === 'running' || state === 'queued') {
    await pause(50)
    state = ((await callJson('GET', `${next.url}/api/v1/jobs/${jobId}`)) as Job).state
  }
  const end = await chunksOf(next.url)
  const right = counts.includes(reopened) && end === counts[1] && state === 'done'
  console.log()
  printTable([
    [name, right ? 'counts right' : 'COUNTS WRONG'],
    ['the job when it was killed', `${job.state}, ${job.stage}, ${job.chunks.written} written`],
    ['start to the first answer, ms', answered],
    ['chunks then', reopened],
    ['chunks when its job had ended', `${end} of ${counts[1]}, ${state}`],
  ])
  return next
}

if (import.meta.main) await run()
