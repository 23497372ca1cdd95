import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Connection } from '../src/db/sqlite/connection.ts'
import { openDatabase } from '../src/db/sqlite/database.ts'
import { abandonOpenRuns, openRun } from '../src/db/ledger/indexes.ts'
import { sweepIndex } from '../src/db/sqlite/run-writes.ts'
import { textIndex } from '../src/db/sqlite/text-index.ts'
import { holdersOf, searchText } from '../src/db/sqlite/text-search.ts'
import { textSegmentsOf } from '../src/db/sqlite/text-segments.ts'
import { questionTerms } from '../src/text/terms/question.ts'
import { naturalText, words, wordsOfRanks } from './support/natural.ts'
import { random } from './support/prose.ts'
import { printTable, quantile } from './support/table.ts'

const CHARACTERS = 1000
const BATCH = 256
const QUERIES = 300
/** FTS5 takes seconds for common words at a million passages. */
const PEER_QUERIES = 20
/** The number that a hybrid query takes of each side. */
const HITS = 100

type Kind = { name: string; question(next: () => number): string; filtered?: true }

/** Ranks of words: the first 20 are in most passages, those after 20,000 in one of 2,000. */
const KINDS: readonly Kind[] = [
  { name: '8 words, as frequent as in a text', question: (next) => words(next, 8) },
  { name: '50 words, as frequent as in a text', question: (next) => words(next, 50) },
  { name: '1 rare word', question: (next) => wordsOfRanks(next, 1, [20_000, 30_000]) },
  { name: '3 rare words', question: (next) => wordsOfRanks(next, 3, [20_000, 30_000]) },
  { name: '1 common word', question: (next) => wordsOfRanks(next, 1, [0, 20]) },
  { name: '5 common words', question: (next) => wordsOfRanks(next, 5, [0, 20]) },
  { name: '8 words, 1 % allowed', question: (next) => words(next, 8), filtered: true },
]

/**
 * The text index alone, without chunks and vectors, beside SQLite's FTS5: what writing a passage costs and how long others
 * wait for it, and what questions of several kinds cost. `BENCH_ROWS=1000000` sets another number of passages,
 * `BENCH_PEERS=0` leaves FTS5 out.
 */
export async function run(): Promise<void> {
  const rows = Number(process.env.BENCH_ROWS ?? 100_000)
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  try {
    const { writing, merging, connection, indexId } = await loaded(folder, rows)
    const steps: number[] = []
    for (let more = true; more; ) {
      const begun = performance.now()
      const step = await connection.awaitedTransaction(() =>
        sweepIndex.run(connection, { indexId, limit: 1 }),
      )
      steps.push(performance.now() - begun)
      more = step.more
    }
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    const sum = (times: readonly number[]) => times.reduce((total, one) => total + one, 0)
    printTable([
      [`${rows.toLocaleString('en')} passages of ${CHARACTERS.toLocaleString('en')} characters`, ''],
      ['write, µs a passage', ((sum(writing) + sum(merging) + sum(steps)) / rows) * 1000],
      ['  of which merging while writing', (sum(merging) / rows) * 1000],
      ['  of which merging after it', (sum(steps) / rows) * 1000],
      ['longest write of a batch, ms', Math.max(...writing)],
      ['longest merge while writing, ms', Math.max(0, ...merging)],
      ['longest step of a merge after it, ms', Math.max(0, ...steps)],
      ['bytes a passage', statSync(path.join(folder, 'sluice.db')).size / rows],
      ['segments', textSegmentsOf(connection, indexId).length],
    ])
    const kept = new Set(Array.from({ length: rows / 100 }, (_, i) => 1 + i * 100))
    const peer = process.env.BENCH_PEERS === '0' ? undefined : fullText(folder, rows)
    printTable([
      ['milliseconds a question', 'p50, p99'],
      ...KINDS.flatMap((kind) => {
        const ask = (question: string) => {
          let hits = 0
          for (const _ of searchText(connection, indexId, questionTerms(question), kind.filtered && kept))
            if (++hits === HITS) break
        }
        const rows: [string, string][] = [[kind.name, both(kind, QUERIES, ask)]]
        if (peer && !kind.filtered) rows.push(['  FTS5', both(kind, PEER_QUERIES, peer)])
        return rows
      }),
      ['holders of 700 words, most unknown', holders(connection, indexId)],
    ])
    connection.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Writes the passages; how many milliseconds each batch and each merge took. */
async function loaded(folder: string, rows: number) {
  const database = openDatabase(folder)
  const run = { namespace: 'bench', embedder: 'none', engine: 'built-in', now: 1 }
  const { index } = await database.sql.write(openRun, run)
  // Segments of an open run are not searched.
  await database.sql.write(abandonOpenRuns, undefined)
  await database.close()
  const connection = new Connection(path.join(folder, 'sluice.db'))
  connection.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000')
  const writing: number[] = []
  const merging: number[] = []
  for (let from = 0; from < rows; from += BATCH) {
    const passages = passagesFrom(from, rows)
    writing.push(
      timed(() =>
        connection.transaction(() => {
          const writer = textIndex.writer(connection, index.id)
          for (const [i, passage] of passages.entries()) writer.add(from + i + 1, passage)
          writer.end()
        }),
      ),
    )
    let merged = false
    const time = timed(
      () => (merged = connection.transaction(() => textIndex.mergeSmall(connection, index.id))),
    )
    if (merged) merging.push(time)
  }
  return { writing, merging, connection, indexId: index.id }
}

function passagesFrom(from: number, rows: number): string[] {
  const text = naturalText((BATCH + 1) * CHARACTERS, from + 1)
  return Array.from({ length: Math.min(BATCH, rows - from) }, (_, i) =>
    // A vector from another thread comes in one buffer.
    Buffer.from(text.slice(i * CHARACTERS, (i + 1) * CHARACTERS)).toString(),
  )
}

/** The same passages in FTS5; answers a question with the best passages that have any of its words. */
function fullText(folder: string, rows: number): (question: string) => void {
  const connection = new Connection(path.join(folder, 'fts5.db'))
  connection.exec("CREATE VIRTUAL TABLE passages USING fts5 (text, content = '', tokenize = 'unicode61')")
  for (let from = 0; from < rows; from += 40 * BATCH)
    connection.transaction(() => {
      for (let batch = from; batch < Math.min(rows, from + 40 * BATCH); batch += BATCH)
        for (const [i, passage] of passagesFrom(batch, rows).entries())
          connection.run('INSERT INTO passages (rowid, text) VALUES (?, ?)', batch + i + 1, passage)
    })
  return (question) =>
    void connection.all(
      `SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT ${HITS}`,
      [...new Set(question.split(' '))].join(' OR '),
    )
}

function both(kind: Kind, queries: number, ask: (question: string) => void): string {
  const next = random(7)
  const times = Array.from({ length: queries }, () => {
    const question = kind.question(next)
    return timed(() => ask(question))
  })
  return `${quantile(times, 0.5).toFixed(2)}, ${quantile(times, 0.99).toFixed(2)}`
}

/** Terms as the correction of spelling asks for them: one in fourteen is in the index. */
function holders(connection: Connection, indexId: number): string {
  const next = random(5)
  const times = Array.from({ length: 50 }, () => {
    const known = [...questionTerms(words(next, 50)).keys()]
    const unknown = Array.from({ length: 650 }, () => Math.floor(next() * 2 ** 48))
    return timed(() => holdersOf(connection, indexId, [...known, ...unknown]))
  })
  return `${quantile(times, 0.5).toFixed(2)}, ${quantile(times, 0.99).toFixed(2)}`
}

function timed(work: () => unknown): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

if (import.meta.main) await run()
