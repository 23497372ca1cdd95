import { DatabaseSync } from 'node:sqlite'
import path from 'node:path'
import { load } from 'sqlite-vec'
import { DIMENSIONS } from '../support/clustered.ts'
import { type SearchEngine, TOP } from './engine.ts'

/** sqlite-vec: vectors as float32, the group as a metadata column, the text beside them. It has no text index. */
export async function sqliteVec(folder: string): Promise<SearchEngine> {
  const database = new DatabaseSync(path.join(folder, 'vectors.db'), { allowExtension: true })
  load(database)
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE VIRTUAL TABLE IF NOT EXISTS rows USING vec0(
      number INTEGER PRIMARY KEY, vector FLOAT[${DIMENSIONS}] distance_metric=cosine, groupNumber INTEGER, +text TEXT)`)
  const insert = database.prepare('INSERT INTO rows (number, vector, groupNumber, text) VALUES (?, ?, ?, ?)')
  const all = database.prepare(
    'SELECT number, text FROM rows WHERE vector MATCH ? AND k = ? ORDER BY distance',
  )
  const ofGroup = database.prepare(
    'SELECT number, text FROM rows WHERE vector MATCH ? AND k = ? AND groupNumber = ? ORDER BY distance',
  )
  const bytes = (vector: Float32Array) => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
  return {
    async insert(rows) {
      database.exec('BEGIN')
      for (const { number, vector, text, group } of rows)
        insert.run(BigInt(number), bytes(vector), BigInt(group), text)
      database.exec('COMMIT')
    },

    async ready() {},

    async search({ vector, group }) {
      const wanted = bytes(vector!)
      const rows = group === undefined ? all.all(wanted, TOP) : ofGroup.all(wanted, TOP, BigInt(group))
      return rows as { number: number; text: string }[]
    },

    close: async () => database.close(),
  }
}
