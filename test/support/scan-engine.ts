import { DatabaseSync } from 'node:sqlite'
import type { Metadata } from '../../src/contract/document.ts'
import { METRICS } from '../../src/contract/retrieval.ts'
import type { EngineCandidate, Point, SeparateEngine } from '../../src/contract/vector-engine.ts'
import { canonicalJson } from '../../src/kit/json.ts'
import { questionTerms, termsOf } from '../../src/text/terms/question.ts'
import { matches } from '../../src/vector/matches.ts'
import { comparePoints } from '../../src/stores/compare-points.ts'
import { vectorCheck } from '../../src/stores/vector-check.ts'
import { closeness } from '../../src/vector/metric.ts'

type PointRow = {
  id: string
  vector: Uint8Array
  text: string
  metadata: string
  run: number | null
  own_check: string | null
}

/**
 * A vector engine apart from the ledger: its points are in an SQLite file of its own, in transactions of its own, and
 * every search compares all of them. With a file it outlives its process.
 *
 * @param can what it declares; both unless given
 */
export function scanEngine(
  file = ':memory:',
  can: { keywords?: boolean; filters?: boolean } = {},
): SeparateEngine & { close(): void } {
  const { keywords = true, filters = true } = can
  const database = new DatabaseSync(file)
  database.exec(`CREATE TABLE IF NOT EXISTS points (
    collection TEXT NOT NULL, id TEXT NOT NULL, vector BLOB NOT NULL, text TEXT NOT NULL, metadata TEXT NOT NULL,
    run INTEGER, own_check TEXT, PRIMARY KEY (collection, id)) STRICT, WITHOUT ROWID`)
  const insert = database.prepare('INSERT OR REPLACE INTO points VALUES (?, ?, ?, ?, ?, ?, ?)')
  const remove = database.prepare('DELETE FROM points WHERE collection = ? AND id = ?')
  const select = database.prepare(
    'SELECT id, vector, text, metadata, run, own_check FROM points WHERE collection = ?',
  )

  const all = (collection: string): (Omit<Point, 'check'> & { check: string | null })[] =>
    (select.all(collection) as PointRow[]).map(({ id, vector, text, metadata, run, own_check: check }) => ({
      ...{ id, check },
      vector: new Float32Array(Uint8Array.from(vector).buffer),
      text,
      metadata: JSON.parse(metadata) as Metadata,
      ...(run === null ? {} : { run }),
    }))

  function inTransaction(work: () => void): void {
    database.exec('BEGIN')
    try {
      work()
      database.exec('COMMIT')
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
  }

  return {
    name: 'scan',
    capabilities: { keywords, filters, metrics: METRICS, ranksEarly: false, commitsWithLedger: false },

    async upsert(collection, points) {
      inTransaction(() => {
        for (const { id, vector, text, metadata, run, check = vectorCheck(vector) } of points) {
          const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
          insert.run(collection, id, bytes, text, canonicalJson(metadata), run ?? null, check)
        }
      })
    },

    // A collection is nothing but its points.
    fault: async () => undefined,

    async delete(collection, ids) {
      inTransaction(() => {
        for (const id of ids) remove.run(collection, id)
      })
    },

    async vectors(collection, ids) {
      const wanted = new Set(ids)
      return new Map(
        all(collection)
          .filter(({ id }) => wanted.has(id))
          .map(({ id, vector }) => [id, vector]),
      )
    },

    async search(collection, { vector, text, metric, limit, filter, withoutRuns = [], vectors }) {
      const terms = text === undefined ? new Map<number, number>() : questionTerms(text)
      const most = [...terms.values()].reduce((sum, weight) => sum + weight, 0)
      const scored = all(collection)
        .filter(({ run }) => run === undefined || !withoutRuns.includes(run))
        .filter(({ metadata }) => !filter || matches(filter, metadata))
        .map((point): EngineCandidate => {
          const own = termsOf(point.text)
          const score = [...terms].reduce((sum, [term, weight]) => sum + (own.has(term) ? weight : 0), 0)
          return {
            id: point.id,
            vectorScore: vector ? closeness(metric, vector, point.vector) : null,
            keywordScore: score > 0 ? score : null,
            matched: score > 0 ? score / most : null,
            ...(vectors ? { vector: point.vector } : {}),
          }
        })
      const best = (['vectorScore', 'keywordScore'] as const).flatMap((side) =>
        scored
          .filter((one) => one[side] !== null)
          .sort((one, other) => other[side]! - one[side]!)
          .slice(0, limit),
      )
      return [...new Set(best)]
    },

    async drop(collection) {
      database.prepare('DELETE FROM points WHERE collection = ?').run(collection)
    },

    async checks(collection, ids) {
      const wanted = new Set(ids)
      return new Map(all(collection).flatMap(({ id, check }) => (wanted.has(id) ? [[id, check]] : [])))
    },

    async *ids(collection) {
      yield all(collection).map(({ id }) => id)
    },

    async *compare(collection, expected) {
      const held = all(collection).map(({ id, text, metadata, check }) => ({
        ...{ id, check },
        content: canonicalJson([text, metadata]),
      }))
      const pages = (async function* () {
        yield held
      })()
      yield* comparePoints(pages, expected, ({ text, metadata }) => canonicalJson([text, metadata]))
    },

    close: () => database.close(),
  }
}
