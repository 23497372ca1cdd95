import type { OriginalStore } from '../../contract/original-store.ts'
import type { Database } from './database.ts'
import type { Write } from './write.ts'

/** Whether a document or a failed file names a kept file. */
const isNamed = (id: string) =>
  `(EXISTS (SELECT 1 FROM sources WHERE original = ${id}) OR EXISTS (SELECT 1 FROM failed_files WHERE original = ${id}))`

/** Kept files that `sources` and `failed_files` name. Triggers of the schema note ids that a row does not name any more. */
export function originalStore(database: Database): OriginalStore {
  const { reader } = database
  return {
    async bytes() {
      return reader.get<{ n: number }>(
        `SELECT (SELECT coalesce(sum(bytes), 0) FROM sources WHERE original IS NOT NULL)
           + (SELECT coalesce(sum(bytes), 0) FROM failed_files WHERE original IS NOT NULL) AS n`,
      )!.n
    },

    async gone() {
      return reader
        .all<{ id: string }>(
          `SELECT id FROM gone_originals WHERE NOT ${isNamed('gone_originals.id')} LIMIT 1000`,
        )
        .map(({ id }) => id)
    },

    forget: (ids) => database.write(forgetOriginals, ids),

    async named(ids) {
      const rows = reader.all<{ id: string }>(
        `SELECT value AS id FROM json_each(?) WHERE ${isNamed('value')}`,
        JSON.stringify(ids),
      )
      return new Set(rows.map(({ id }) => id))
    },
  }
}

export const forgetOriginals: Write<readonly string[], void> = {
  name: 'forgetOriginals',
  run(connection, ids) {
    for (const id of ids) connection.run('DELETE FROM gone_originals WHERE id = ?', id)
  },
}
