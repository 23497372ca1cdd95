import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Best } from '../../src/vector/best.ts'
import { exactScore } from '../../src/vector/metric.ts'

/** The tenth best cosine for each query, by a scan of all vectors of a database as they are stored. */
export function tenthBest(data: string, queries: readonly Float32Array[]): number[] {
  const database = new DatabaseSync(path.join(data, 'sluice.db'), { readOnly: true })
  const best = queries.map(() => new Best(10))
  const rows = database.prepare('SELECT passage_id AS id, vector FROM vectors')
  for (const { id, vector } of rows.iterate() as Iterable<{ id: number; vector: Uint8Array }>) {
    const numbers = new Float32Array(vector.buffer, vector.byteOffset, vector.byteLength / 4)
    for (const [at, query] of queries.entries()) best[at]!.offer(id, exactScore('cosine', query, numbers))
  }
  database.close()
  return best.map((one) => one.ranked().at(-1)!.score)
}
