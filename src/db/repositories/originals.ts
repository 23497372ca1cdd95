import type { OriginalStore } from '../../contract/original-store.ts'
import type { SqlDatabase, SqlWrite } from '../sql/session.ts'

export const removeOriginals: SqlWrite<readonly string[], void> = {
  name: 'removeOriginals',
  isOneStatement: true,
  async run(session, ids) {
    await session.run('DELETE FROM gone_originals WHERE id IN (?)', ids)
  },
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

/** Kept files that `sources` and `failed_files` name. Triggers of the schema note ids that a row does not name any more. */
export function originalStore({ reader, write }: SqlDatabase): OriginalStore {
  return {
    async bytes() {
      const row = await reader.get<{ n: number }>(
        `SELECT CAST((SELECT coalesce(sum(bytes), 0) FROM sources WHERE original IS NOT NULL)
           + (SELECT coalesce(sum(bytes), 0) FROM failed_files WHERE original IS NOT NULL) AS bigint) AS n`,
      )
      return row!.n
    },
    async gone() {
      const rows = await reader.all<{ id: string }>(
        `SELECT id FROM gone_originals
         WHERE NOT EXISTS (SELECT 1 FROM sources WHERE original = gone_originals.id)
           AND NOT EXISTS (SELECT 1 FROM failed_files WHERE original = gone_originals.id) LIMIT 1000`,
      )
      return idsOf(rows)
    },
    remove: (ids) => write(removeOriginals, ids),
    async named(ids) {
      const rows = await reader.all<{ id: string }>(
        `SELECT original AS id FROM sources WHERE original IN (?1)
         UNION SELECT original FROM failed_files WHERE original IN (?1)`,
        ids,
      )
      return new Set(idsOf(rows))
    },
  }
}
