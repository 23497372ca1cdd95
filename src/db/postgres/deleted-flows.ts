import type { DeletedFlow, FlowDeletion, FlowRow, FlowStore } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { fromFlowRow } from '../rows/flow.ts'
import type { PostgresDatabase } from './database.ts'
import { isDuplicate } from './failures.ts'
import type { SqlRow, SqlSession } from './session.ts'

/** An index that readers no longer see has a random text in place of its namespace. */
const NO_NAMESPACE = 'gen_random_uuid()::text'

type Part = 'delete' | 'restore' | 'deleted' | 'findDeleted' | 'deletedBefore'

/** The methods of a flow store that are about deleted flows. */
export function deletedFlows({ reader, transaction }: PostgresDatabase): Pick<FlowStore, Part> {
  return {
    delete: (deletion) => transaction((session) => hide(session, deletion)),
    restore: (idOrSlug, slug) =>
      transaction((session) => bringBack(session, idOrSlug, slug)).catch((error: unknown) => {
        throw isDuplicate(error, 'flows_by_slug')
          ? new SluiceError('slug_taken', { slug: slug ?? idOrSlug }, { cause: error })
          : error
      }),
    async deleted() {
      return (await reader.all(DELETED)).map(deletedFromRow)
    },
    async findDeleted(idOrSlug) {
      const row = await findDeletedRow(reader, idOrSlug)
      return row && fromFlowRow(row)
    },
    async deletedBefore(moment) {
      const rows = await reader.all<{ id: string }>(
        'SELECT id FROM flows WHERE deleted_at IS NOT NULL AND deleted_at < $1',
        moment,
      )
      return rows.map(({ id }) => id)
    },
  }
}

const findDeletedRow = (session: SqlSession, idOrSlug: string, lock = '') =>
  session.get<SqlRow>(
    `SELECT * FROM flows WHERE deleted_at IS NOT NULL AND (id = $1 OR slug = $1)
     ORDER BY id = $1 DESC, deleted_at DESC LIMIT 1 ${lock}`,
    idOrSlug,
  )

/**
 * Hides a flow, and the indexes of the namespaces that only it used. Returns the ids of these indexes. A second call retires
 * indexes that a job which was still running has made.
 */
async function hide(
  session: SqlSession,
  { id, namespaces, own, now }: FlowDeletion,
): Promise<string[] | undefined> {
  const row = await session.get<{ deleted_at: number | null }>(
    'SELECT deleted_at FROM flows WHERE id = $1 FOR UPDATE',
    id,
  )
  if (!row) return undefined
  if (row.deleted_at !== null) {
    if (row.deleted_at === now) await retire(session, `state = 'live' AND namespace = ANY($1)`, own)
    return []
  }
  const hidden = await session.all<{ id: number }>(
    `UPDATE indexes SET state = 'deleted', namespace = ${NO_NAMESPACE}, deleted_flow = $2, deleted_namespace = namespace
     WHERE state = 'live' AND namespace = ANY($1) RETURNING id`,
    own,
    id,
  )
  const ids = hidden.map((index) => index.id)
  // Unfinished rebuilds are given up.
  await retire(session, 'replaces = ANY($1)', ids)
  await session.run(
    'UPDATE flows SET deleted_at = $2, deleted_namespaces = $3 WHERE id = $1',
    id,
    now,
    namespaces,
  )
  return ids.map(String)
}

/** Retires indexes: their rows are deleted soon. */
const retire = (session: SqlSession, which: string, values: readonly (string | number)[]) =>
  session.run(
    `UPDATE indexes SET state = 'retired', namespace = ${NO_NAMESPACE}, replaces = NULL, deleted_flow = NULL,
       deleted_namespace = NULL WHERE ${which}`,
    values,
  )

async function bringBack(
  session: SqlSession,
  idOrSlug: string,
  wanted: string | undefined,
): Promise<FlowRow> {
  const row = await findDeletedRow(session, idOrSlug, 'FOR UPDATE')
  if (!row) throw new SluiceError('deleted_flow_not_found', { flow: idOrSlug })
  const flow = { ...fromFlowRow(row), ...(wanted === undefined ? {} : { slug: wanted }) }
  if (await session.get('SELECT 1 FROM flows WHERE slug = $1 AND deleted_at IS NULL', flow.slug))
    throw new SluiceError('slug_taken', { slug: flow.slug, hint: 'restore the flow with another slug' })
  for (const namespace of row.deleted_namespaces as string[]) await bringBackIndex(session, namespace, flow)
  await session.run(
    'UPDATE flows SET deleted_at = NULL, deleted_namespaces = NULL, slug = $2 WHERE id = $1',
    flow.id,
    flow.slug,
  )
  return flow
}

/** The index may have been hidden with another flow that was deleted later and used the same namespace. */
async function bringBackIndex(session: SqlSession, namespace: string, flow: FlowRow): Promise<void> {
  const hidden = await session.get<{ id: number; deleted_flow: string; chunks: number }>(
    `SELECT id, deleted_flow, chunks FROM indexes WHERE state = 'deleted' AND deleted_namespace = $1
     ORDER BY deleted_flow = $2 DESC, id DESC LIMIT 1 FOR UPDATE`,
    namespace,
    flow.id,
  )
  if (!hidden) return
  const live = await session.get<{ id: number; chunks: number }>(
    `SELECT id, chunks FROM indexes WHERE namespace = $1 AND state = 'live' FOR UPDATE`,
    namespace,
  )
  if (live && live.chunks > 0) {
    // The chunks of another deleted flow stay hidden until that flow is restored.
    if (hidden.deleted_flow !== flow.id || hidden.chunks === 0) return
    throw new SluiceError('namespace_taken', { namespace, flow: flow.slug })
  }
  if (live) await retire(session, 'id = ANY($1)', [live.id])
  await session.run(
    `UPDATE indexes SET state = 'live', namespace = deleted_namespace, deleted_flow = NULL, deleted_namespace = NULL
     WHERE id = $1`,
    hidden.id,
  )
}

/**
 * Retires the hidden indexes of a flow. One that another deleted flow has shared with it stays for that flow, which then
 * has none of its own in this namespace.
 */
export async function retireHiddenIndexes(session: SqlSession, flow: string): Promise<void> {
  const hidden = await session.all<{ id: number; heir: string | null }>(
    `SELECT id, (
       SELECT other.id FROM flows AS other
       WHERE other.deleted_at >= (SELECT created_at FROM flows WHERE id = $1) AND other.id <> $1
         AND deleted_namespace = ANY(other.deleted_namespaces)
         AND NOT EXISTS (SELECT 1 FROM indexes AS theirs WHERE theirs.state = 'deleted'
           AND theirs.deleted_flow = other.id AND theirs.deleted_namespace = indexes.deleted_namespace)
       ORDER BY other.deleted_at DESC LIMIT 1) AS heir
     FROM indexes WHERE deleted_flow = $1 AND state = 'deleted' FOR UPDATE`,
    flow,
  )
  for (const { id, heir } of hidden)
    if (heir === null) await retire(session, 'id = ANY($1)', [id])
    else await session.run('UPDATE indexes SET deleted_flow = $2 WHERE id = $1', id, heir)
}

/** About how many bytes a chunk takes: text, vector, metadata, terms, indexes. */
export const CHUNK_BYTES = 2000

const DELETED = `
  SELECT flows.*, coalesce(held.chunks, 0) AS chunks, coalesce(held.sources, 0) AS sources FROM flows LEFT JOIN (
    SELECT deleted_flow, sum(chunks)::bigint AS chunks,
      sum((SELECT count(*) FROM sources WHERE index_id = indexes.id))::bigint AS sources
    FROM indexes WHERE state = 'deleted' GROUP BY deleted_flow) AS held ON held.deleted_flow = flows.id
  WHERE deleted_at IS NOT NULL ORDER BY deleted_at DESC, id`

const deletedFromRow = (row: SqlRow): DeletedFlow => ({
  flow: fromFlowRow(row),
  deletedAt: row.deleted_at as number,
  chunks: row.chunks as number,
  sources: row.sources as number,
  bytes: (row.chunks as number) * CHUNK_BYTES,
})
