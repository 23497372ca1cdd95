import { ALL_CONVERSATIONS } from '../../documents/conversation.ts'
import type { SqlSession } from '../sql/session.ts'

/** The most runs that a search leaves out in an engine; more are a sign of trouble, and the ledger drops their chunks. */
const MOST_RUNS = 32

/** Stands for the sources of conversations; runs begin with 1. */
const CONVERSATIONS = 0

/**
 * What searches in an index must know before they ask an engine: whether it has sources of conversations, visible or not, and the newest
 * of its runs that are not published.
 */
export async function searchState(
  sql: SqlSession,
  indexId: number,
): Promise<{ holdsConversations: boolean; unpublished: number[] }> {
  const rows = await sql.all<{ run: number }>(
    `SELECT run FROM (SELECT ${CONVERSATIONS} AS run FROM sources WHERE index_id = ? AND name >= ? AND name < ? LIMIT 1) AS conversations
     UNION ALL
     SELECT run FROM (SELECT seq AS run FROM runs WHERE index_id = ? AND state <> 'published'
       ORDER BY seq DESC LIMIT ${MOST_RUNS}) AS unpublished`,
    indexId,
    ALL_CONVERSATIONS.from,
    ALL_CONVERSATIONS.before,
    indexId,
  )
  const runs = rows.map(({ run }) => run)
  return {
    holdsConversations: runs.includes(CONVERSATIONS),
    unpublished: runs.filter((run) => run !== CONVERSATIONS),
  }
}
