import { ALL_CONVERSATIONS } from '../../documents/conversation.ts'
import type { SqlSession } from '../sql/session.ts'

/** The most runs that a search leaves out in an engine; more are a sign of trouble, and the ledger drops their chunks. */
const MOST_RUNS = 32

/** `unpublished`: the newest runs that are not published; `newestRun`: of all, 0 where there is none. */
type SearchState = { holdsConversations: boolean; unpublished: number[]; newestRun: number }

/**
 * What searches in an index must know before they ask an engine: whether it has sources of conversations, visible or not, and its newest
 * runs.
 */
export async function searchState(sql: SqlSession, indexId: number): Promise<SearchState> {
  const rows = await sql.all<{ mixed: number; newest: number } | { mixed: null; run: number }>(
    `SELECT (SELECT count(*) FROM (SELECT 1 FROM sources WHERE index_id = ? AND name >= ? AND name < ? LIMIT 1) AS conversations) AS mixed,
       (SELECT coalesce(max(seq), 0) FROM runs WHERE index_id = ?) AS newest, NULL AS run
     UNION ALL
     SELECT NULL, NULL, seq FROM (SELECT seq FROM runs WHERE index_id = ? AND state <> 'published'
       ORDER BY seq DESC LIMIT ${MOST_RUNS}) AS unpublished`,
    indexId,
    ALL_CONVERSATIONS.from,
    ALL_CONVERSATIONS.before,
    indexId,
    indexId,
  )
  let state: SearchState = { holdsConversations: false, unpublished: [], newestRun: 0 }
  for (const row of rows)
    if (row.mixed === null) state.unpublished.push(row.run)
    else state = { ...state, holdsConversations: row.mixed !== 0, newestRun: row.newest }
  return state
}
