import { createHash } from 'node:crypto'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import type { StorePart } from '../src/contract/card.ts'
import type { Embedder } from '../src/contract/embedder.ts'
import type { UploadedFile } from '../src/contract/loader.ts'
import { openDatabase } from '../src/db/sqlite/database.ts'
import { NO_OTHER_STORES } from '../src/flow/document-stores/flow-stores.ts'
import { NO_CUSTOM_TOOLS } from '../src/flow/named-tools.ts'
import { createEgress } from '../src/kit/egress/client.ts'
import { createEgressRules } from '../src/kit/egress/rules.ts'
import { withPlainTextInProcess } from '../src/formats/plain-text.ts'
import { createFileParser } from '../src/formats/pool.ts'
import { sha256 } from '../src/kit/hash.ts'
import { quietLog } from '../src/kit/log.ts'
import { readConfig } from '../src/kit/config.ts'
import { createKeyedQueue } from '../src/kit/keyed-queue.ts'
import { catalog } from '../src/nodes/catalog.ts'
import { recursiveSplitter } from '../src/text/recursive.ts'
import { builtInStores } from '../src/stores/built-in.ts'
import { createUpsertEngine } from '../src/upsert/engine.ts'
import { builtInEmbedder } from '../src/embed/builtin.ts'
import { prose } from './support/prose.ts'
import { StageClock } from './support/stage-clock.ts'
import { printTable } from './support/table.ts'

const DIMENSIONS = 256
const FILES = 100

/** An embedder without cost: every text has the same vector, made once. */
function freeEmbedder(): Embedder & { embedded: number } {
  const vector = new Float32Array(DIMENSIONS).fill(1 / 16)
  return {
    id: 'free',
    dimensions: DIMENSIONS,
    limits: { texts: 1024, bytes: 4_000_000 },
    concurrency: 2,
    embedded: 0,
    async embed(texts) {
      this.embedded += texts.length
      return texts.map(() => vector)
    },
    embedQuery: async () => vector,
  }
}

/** The whole pipeline over the real store, durable writes, text index on. */
export async function run(): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  try {
    const megabytes = Number(process.env.BENCH_MB ?? 10)
    const texts = Array.from({ length: FILES }, (_, i) => prose((megabytes * 1e6) / FILES, i + 1))
    await measure(directory, 'an embedder that costs nothing', freeEmbedder(), texts)
    if (megabytes <= 10) await measure(directory, 'the built-in model', builtInEmbedder(), texts)
    raw(directory, texts)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function measure(directory: string, title: string, embedder: Embedder, texts: string[]): Promise<void> {
  const folder = mkdtempSync(path.join(directory, 'run-'))
  const database = openDatabase(path.join(folder, 'data'))
  const parser = withPlainTextInProcess(createFileParser({ readable: [folder] }), [realpathSync(folder)])
  const engine = createUpsertEngine({ namespaceQueue: createKeyedQueue(), log: quietLog })
  const stores = builtInStores(database)
  const clock = new StageClock()
  const stages: [run: string, Map<string, number>][] = []
  const part = (namespace: string): StorePart => {
    const context = {
      flowId: 'bench',
      nodeId: 'x',
      parser: clock.parser(parser),
      scratch: folder,
      folders: { allowed: [], never: [] },
      egress: createEgress({ rules: createEgressRules({}) }),
      credential: async () => ({}),
      settings: readConfig(),
      openStore: stores.open,
      openSeparateStore: stores.openSeparate,
      customTools: NO_CUSTOM_TOOLS,
      flowStores: NO_OTHER_STORES,
      retrieve: async () => [],
    }
    const loader = catalog.get('textFile')!.build(
      {
        values: { metadata: {}, omitMetadataKeys: '' },
        parts: { textSplitter: clock.splitter(recursiveSplitter({ chunkSize: 1000, chunkOverlap: 200 })) },
      },
      context,
    ) as StorePart['loaders'][number]
    return {
      store: clock.store(stores.open(namespace)),
      embedder: clock.embedder(embedder),
      loaders: [loader],
      recordManager: { cleanup: 'incremental', sourceIdKey: 'source' },
      retrieval: { topK: 4, searchType: 'similarity' },
    }
  }
  const upload = (text: string, i: number): UploadedFile => {
    const file = path.join(folder, `${i}.txt`)
    writeFileSync(file, text)
    return { name: `${i}.txt`, path: file, size: Buffer.byteLength(text), sha256: sha256(text) }
  }
  const uploads = texts.map(upload)
  const bytes = uploads.reduce((sum, file) => sum + file.size, 0)
  const options = {
    strict: false,
    dryRun: false,
    confirmFullCleanup: false,
    returnSourceDocuments: false,
    addMetadata: {},
  }
  const rows: (string | number)[][] = [
    [
      'run',
      'chunks',
      'added',
      'updated',
      'skipped',
      'deleted',
      'seconds',
      'chunks/s',
      'MB/s',
      'longest block ms',
      'RSS MB',
      // On a machine with other work these vary less than the seconds.
      'CPU µs a chunk',
      'main thread',
    ],
  ]
  // The parser's child starts once for a server's life.
  await engine.upsert(
    { part: part('bench'), uploads: [upload('warm', 10_000)], options, warnings: [] },
    AbortSignal.timeout(60_000),
  )

  const time = async (name: string, files: UploadedFile[], addMetadata = {}, namespace = 'bench') => {
    clock.reset()
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const began = performance.now()
    const all = process.cpuUsage()
    const main = process.threadCpuUsage()
    const result = await engine.upsert(
      { part: part(namespace), uploads: files, options: { ...options, addMetadata }, warnings: [] },
      AbortSignal.timeout(600_000),
    )
    const seconds = (performance.now() - began) / 1000
    delay.disable()
    const processor = sum(process.cpuUsage(all))
    const ofMain = sum(process.threadCpuUsage(main))
    const chunks = result.numAdded + result.numUpdated + result.numSkipped
    const size = files.reduce((sum, file) => sum + file.size, 0)
    rows.push([
      name,
      chunks,
      result.numAdded,
      result.numUpdated,
      result.numSkipped,
      result.numDeleted,
      seconds,
      chunks / seconds,
      size / 1e6 / seconds,
      delay.max / 1e6,
      process.memoryUsage.rss() / 2 ** 20,
      processor / chunks,
      ofMain / chunks,
    ])
    await engine.idle()
    stages.push([name, clock.read()])
  }
  await time('first', uploads)
  await time('unchanged bytes', uploads)
  forgetFiles(database.file)
  await time('unchanged, cut again', uploads)
  const changed = uploads.with(
    50,
    upload(texts[50]!.replace(/\n\n[^\n]+\n\n/, '\n\nA paragraph that was not there before.\n\n'), 50),
  )
  await time('one paragraph changed', changed)
  await time('all metadata changed', uploads, { team: 'ops' })
  const whole = [upload(texts.join('\n\n'), texts.length)]
  await time('the same in one file', whole)
  forgetFiles(database.file)
  await time('one file, cut again', whole)
  // V8 has compiled the code by now: in 10 MB the first run spends a quarter of its time on that.
  await time('first, compiled', uploads, {}, 'another')
  console.log(`${title}: ${FILES} files, ${(bytes / 1e6).toFixed(1)} MB`)
  printTable(rows)
  printStages(stages)
  console.log()
  await engine.idle()
  await parser.close()
  await database.close()
}

/** How long each stage had work under way, in milliseconds; stages overlap. */
function printStages(stages: [run: string, Map<string, number>][]): void {
  const names = [...new Set(stages.flatMap(([, ms]) => [...ms.keys()]))]
  console.log()
  printTable([
    ['ms with work under way', ...names],
    ...stages.map(([run, ms]) => [run, ...names.map((name) => ms.get(name) ?? 0)]),
  ])
}

const sum = ({ user, system }: NodeJS.CpuUsage): number => user + system

/** Makes files be read and split although their bytes are known. */
function forgetFiles(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA busy_timeout = 10000; DELETE FROM files')
  database.close()
}

/** The limits of this machine: the ratios of the figures above to these hold on other machines too. */
function raw(directory: string, texts: string[]): void {
  const all = texts.join('')
  const bytes = Buffer.from(all)
  let began = performance.now()
  for (let i = 0; i < 10; i++) createHash('sha256').update(bytes).digest()
  const sha = (10 * bytes.length) / 1e6 / ((performance.now() - began) / 1000)
  const database = new DatabaseSync(path.join(directory, 'raw.db'))
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b BLOB)',
  )
  const insert = database.prepare('INSERT INTO t (a, b) VALUES (?, ?)')
  const blob = new Uint8Array(DIMENSIONS * 4)
  began = performance.now()
  let rows = 0
  for (let at = 0; at + 1000 <= all.length; at += 1000) {
    if (rows % 256 === 0) database.exec(rows > 0 ? 'COMMIT; BEGIN' : 'BEGIN')
    insert.run(all.slice(at, at + 1000), blob)
    rows++
  }
  database.exec('COMMIT')
  const inserts = rows / ((performance.now() - began) / 1000)
  database.close()
  printTable([
    ['the raw operations in the same run', ''],
    ['SHA-256 of the same bytes, MB/s', sha],
    ['bare inserts of 1,000 characters and a vector, rows/s', inserts],
  ])
}

if (import.meta.main) await run()
