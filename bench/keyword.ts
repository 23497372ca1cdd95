import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Connection } from '../src/db/sqlite/connection.ts'
import { openDatabase } from '../src/db/sqlite/database.ts'
import { openRun } from '../src/db/sqlite/indexes.ts'
import { sweepIndex } from '../src/db/sqlite/sweep.ts'
import { textIndex } from '../src/db/sqlite/text-index.ts'
import { searchText } from '../src/db/sqlite/text-search.ts'
import { textSegmentsOf } from '../src/db/sqlite/text-segments.ts'
import { questionTerms } from '../src/text/terms/question.ts'
import { naturalQuestion, naturalText } from './support/natural.ts'
import { random } from './support/prose.ts'
import { printTable, quantile } from './support/table.ts'

const CHARACTERS = 1000
const BATCH = 256
const QUERIES = 500
/** The number that a hybrid query takes of each side. */
const HITS = 100

/**
 * The text index alone, without chunks and vectors: what writing a passage costs and how long others wait for it, what a
 * question of eight words costs, and the same where a filter keeps one passage in a hundred. `BENCH_ROWS=1000000` sets
 * another number of passages.
 */
export async function run(): Promise<void> {
  const rows = Number(process.env.BENCH_ROWS ?? 100_000)
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  const database = openDatabase(folder)
  const { index } = await database.write(openRun, {
    namespace: 'bench',
    embedder: 'none',
    engine: 'built-in',
    now: 1,
  })
  await database.close()
  const connection = new Connection(path.join(folder, 'sluice.db'))
  connection.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000')
  try {
    const { writing, merging } = write(connection, index.id, rows)
    for (let more = true; more; ) more = sweepIndex.run(connection, { indexId: index.id, limit: 1 }).more
    const segments = textSegmentsOf(connection, index.id).length
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    const bytes = statSync(path.join(folder, 'sluice.db')).size
    const kept = new Set(Array.from({ length: rows / 100 }, (_, i) => 1 + i * 100))
    const all = ask(connection, index.id)
    const filtered = ask(connection, index.id, kept)
    const sum = (times: readonly number[]) => times.reduce((total, one) => total + one, 0)
    printTable([
      [`${rows.toLocaleString('en')} passages of ${CHARACTERS.toLocaleString('en')} characters`, ''],
      ['write, µs a passage', ((sum(writing) + sum(merging)) / rows) * 1000],
      ['  of which merging', (sum(merging) / rows) * 1000],
      ['longest write of a batch, ms', Math.max(...writing)],
      ['longest merge, ms', Math.max(0, ...merging)],
      ['bytes a passage', bytes / rows],
      ['segments', segments],
      ['query p50, ms', quantile(all, 0.5)],
      ['query p99, ms', quantile(all, 0.99)],
      ['query that keeps 1 %, p50, ms', quantile(filtered, 0.5)],
      ['query that keeps 1 %, p99, ms', quantile(filtered, 0.99)],
    ])
  } finally {
    connection.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How many milliseconds each batch and each merge took. */
function write(connection: Connection, indexId: number, rows: number) {
  const writing: number[] = []
  const merging: number[] = []
  for (let from = 0; from < rows; from += BATCH) {
    const text = naturalText((BATCH + 1) * CHARACTERS, from + 1)
    const passages = Array.from({ length: Math.min(BATCH, rows - from) }, (_, i) =>
      // A vector from another thread comes in one buffer.
      Buffer.from(text.slice(i * CHARACTERS, (i + 1) * CHARACTERS)).toString(),
    )
    const began = performance.now()
    connection.transaction(() => {
      const writer = textIndex.writer(connection, indexId)
      for (const [i, passage] of passages.entries()) writer.add(from + i + 1, passage)
      writer.end()
    })
    const written = performance.now()
    writing.push(written - began)
    if (connection.transaction(() => textIndex.tend(connection, indexId)))
      merging.push(performance.now() - written)
  }
  return { writing, merging }
}

function ask(connection: Connection, indexId: number, allowed?: ReadonlySet<number>): number[] {
  const next = random(7)
  return Array.from({ length: QUERIES }, () => {
    const question = naturalQuestion(next)
    const began = performance.now()
    let hits = 0
    for (const _ of searchText(connection, indexId, questionTerms(question), allowed))
      if (++hits === HITS) break
    return performance.now() - began
  })
}

if (import.meta.main) await run()
