import type { SqlSession } from '../sql/session.ts'

type Removal = { indexId: number; run: number; until: number; sources: readonly string[] }

/** Marks sources as removed by a run: those that have no visible chunk left. */
export const markRemoved = (sql: SqlSession, { indexId, run, until, sources }: Removal): Promise<number> =>
  sql.run(
    'UPDATE sources SET removed_run = ?, removed_until = ? WHERE index_id = ? AND name IN (?) AND chunks = 0',
    run,
    until,
    indexId,
    sources,
  )
