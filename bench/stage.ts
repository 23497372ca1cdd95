import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Connection } from '../src/db/sqlite/connection.ts'
import { openDatabase } from '../src/db/sqlite/database.ts'
import { openRun } from '../src/db/ledger/indexes.ts'
import { stageChunks } from '../src/db/sqlite/run-writes.ts'
import { fingerprint } from '../src/kit/hash.ts'
import { languageText } from './support/language.ts'
import { printTable } from './support/table.ts'

const BATCH = 1024
const STEPS = 10
const SIZED_ROWS = 20 * BATCH
const SHAPES = [
  { dimensions: 256, characters: 800 },
  { dimensions: 256, characters: 400 },
  { dimensions: 768, characters: 800 },
  { dimensions: 1536, characters: 800 },
]

/**
 * What the writing thread takes for a chunk while the index grows to `BENCH_ROWS` chunks (102,400 unless given), in CPU time,
 * which other work on the machine changes little; and how many bytes a chunk has in each table, by dimensions.
 */
export async function run(): Promise<void> {
  const rows = Number(process.env.BENCH_ROWS ?? 100 * BATCH)
  const growth: (string | number)[][] = [
    ['chunks in the index', 'CPU µs a chunk', 'wall µs', 'longest batch ms'],
  ]
  const step = Math.ceil(rows / STEPS / BATCH) * BATCH
  await withIndex(async (stage) => {
    for (let first = 0; first < rows; first += step) {
      const processor = { micros: 0, wall: 0, longest: 0 }
      for (let from = first; from < first + step; from += BATCH) {
        const { micros, milliseconds } = stage({ from, ...SHAPES[0]! })
        processor.micros += micros
        processor.wall += milliseconds * 1000
        processor.longest = Math.max(processor.longest, milliseconds)
      }
      const { micros, wall, longest } = processor
      growth.push([`up to ${(first + step).toLocaleString('en')}`, micros / step, wall / step, longest])
    }
  })
  printTable(growth)
  for (const shape of SHAPES)
    await withIndex(async (stage, file, connection) => {
      let bytes = 0
      for (let from = 0; from < SIZED_ROWS; from += BATCH) bytes += stage({ from, ...shape }).bytes
      connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      const tables = connection.all<{ name: string; bytes: number }>(
        `SELECT name, sum(pgsize) / ${SIZED_ROWS}.0 AS bytes FROM dbstat GROUP BY name HAVING bytes > 3 ORDER BY bytes DESC`,
      )
      console.log()
      printTable([
        [`${shape.dimensions} dimensions, ${Math.round(bytes / SIZED_ROWS)} bytes of text`, 'bytes a chunk'],
        ...tables.map((table) => [table.name, table.bytes]),
        ['the file', statSync(file).size / SIZED_ROWS],
      ])
    })
}

type Batch = { from: number; dimensions: number; characters: number }
type Staged = { micros: number; milliseconds: number; bytes: number }

/** Calls `work` with an empty index in a database of its own. */
async function withIndex(
  work: (stage: (batch: Batch) => Staged, file: string, connection: Connection) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  const database = openDatabase(folder)
  const { index, run } = await database.sql.write(openRun, {
    ...{ namespace: 'bench', embedder: 'none', engine: 'built-in', now: 1 },
  })
  await database.close()
  const file = path.join(folder, 'sluice.db')
  const connection = new Connection(file)
  connection.exec('PRAGMA wal_autocheckpoint = 4000; PRAGMA synchronous = NORMAL')
  const stage = ({ from, dimensions, characters }: Batch): Staged => {
    let bytes = 0
    const chunks = Array.from({ length: BATCH }, (_, at) => {
      const text = languageText(from + at, characters)
      bytes += Buffer.byteLength(text)
      const source = `file-${Math.floor((from + at) / 5000)}.txt`
      const metadata = JSON.stringify({ loc: { lines: { from: at, to: at + 4 } }, source })
      const range = { start: at * characters, end: (at + 1) * characters }
      return { source, text, hash: fingerprint(text), metadata, metadataHash: fingerprint(metadata), range }
    })
    const vectors = new Float32Array(BATCH * dimensions).fill(1 / 16)
    const request = { indexId: index.id, run, chunks, dimensions, vectors, now: 1 }
    const before = process.cpuUsage()
    const began = performance.now()
    connection.transaction(() => stageChunks.run(connection, request))
    const { user, system } = process.cpuUsage(before)
    return { micros: user + system, milliseconds: performance.now() - began, bytes }
  }
  try {
    await work(stage, file, connection)
  } finally {
    connection.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await run()
