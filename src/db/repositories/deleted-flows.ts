import type { DeletedFlow, FlowDeletion, FlowRow, FlowStore } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { bytesOfChunk } from '../ledger/chunk-bytes.ts'
import { lockedIndex, removeIndexById } from '../ledger/indexes.ts'
import { BY_SLUG, fromFlowRow } from '../rows/flow.ts'
import type { SqlDatabase, SqlRow, SqlSession, SqlWrite } from '../sql/session.ts'

const findDeletedRow = (session: SqlSession, idOrSlug: string, lock = ''): Promise<SqlRow | undefined> =>
  session.get(
    `SELECT * FROM flows WHERE deleted_at IS NOT NULL AND (id = ?1 OR slug = ?1)
     ORDER BY id = ?1 DESC, deleted_at DESC LIMIT 1 ${lock}`,
    idOrSlug,
  )

/** The namespaces that a deleted flow used: a list in PostgreSQL, JSON in SQLite. */
const namespacesOf = ({ deleted_namespaces: stored }: SqlRow): string[] =>
  typeof stored === 'string' ? (JSON.parse(stored) as string[]) : (stored as string[])

/**
 * Hides a flow, and in the same transaction the indexes of the namespaces that only it used. Returns the ids of these
 * indexes; undefined where there is no such flow. A second call removes indexes that a job which was still running has made.
 */
export const hideFlow: SqlWrite<FlowDeletion, string[] | undefined> = {
  name: 'hideFlow',
  async run(session, { id, namespaces, own, now }) {
    const { forUpdate } = session.dialect
    const row = await session.get<{ deleted_at: number | null }>(
      `SELECT deleted_at FROM flows WHERE id = ? ${forUpdate}`,
      id,
    )
    if (!row) return undefined
    const live = await session.all<{ id: number }>(
      `SELECT id FROM indexes WHERE state = 'live' AND namespace IN (?) ORDER BY id ${forUpdate}`,
      own,
    )
    if (row.deleted_at !== null) {
      if (row.deleted_at === now) for (const index of live) await removeIndexById(session, index.id)
      return []
    }
    for (const index of live) await hideIndex(session, index.id, id)
    await session.run(
      'UPDATE flows SET deleted_at = ?, deleted_namespaces = ? WHERE id = ?',
      now,
      namespaces,
      id,
    )
    return live.map((index) => `${index.id}`)
  },
}

/** An unfinished rebuild of the index is given up. */
async function hideIndex(session: SqlSession, id: number, flow: string): Promise<void> {
  const building = await session.all<{ id: number }>('SELECT id FROM indexes WHERE replaces = ?', id)
  for (const other of building) await removeIndexById(session, other.id)
  await session.run(
    `UPDATE indexes SET state = 'deleted', namespace = ${session.dialect.randomText}, deleted_flow = ?,
       deleted_namespace = namespace WHERE id = ?`,
    flow,
    id,
  )
}

/**
 * Brings a deleted flow back with its indexes.
 *
 * @throws SluiceError `deleted_flow_not_found`, `slug_taken`, `namespace_taken`
 */
export const restoreFlow: SqlWrite<{ idOrSlug: string; slug: string | undefined }, FlowRow> = {
  name: 'restoreFlow',
  async run(session, { idOrSlug, slug: wanted }) {
    const row = await findDeletedRow(session, idOrSlug, session.dialect.forUpdate)
    if (!row) throw new SluiceError('deleted_flow_not_found', { flow: idOrSlug })
    const flow = { ...fromFlowRow(row), ...(wanted === undefined ? {} : { slug: wanted }) }
    try {
      await session.run(
        'UPDATE flows SET deleted_at = NULL, deleted_namespaces = NULL, slug = ? WHERE id = ?',
        flow.slug,
        flow.id,
      )
    } catch (error) {
      if (!session.dialect.isDuplicate(error, BY_SLUG)) throw error
      const facts = { slug: flow.slug, hint: 'restore the flow with another slug' }
      throw new SluiceError('slug_taken', facts, { cause: error })
    }
    for (const namespace of namespacesOf(row)) await bringBack(session, namespace, flow)
    return flow
  },
}

/** The index may have been hidden with another flow that was deleted later and used the same namespace. */
async function bringBack(session: SqlSession, namespace: string, flow: FlowRow): Promise<void> {
  const hidden = await session.get<{ id: number; deleted_flow: string; chunks: number }>(
    `SELECT id, deleted_flow, chunks FROM indexes WHERE state = 'deleted' AND deleted_namespace = ?1
     ORDER BY deleted_flow = ?2 DESC, id DESC LIMIT 1 ${session.dialect.forUpdate}`,
    namespace,
    flow.id,
  )
  if (!hidden) return
  const live = await lockedIndex(session, namespace)
  if (live && live.chunks > 0) {
    // The chunks of another deleted flow stay hidden until that flow is restored.
    if (hidden.deleted_flow !== flow.id || hidden.chunks === 0) return
    throw new SluiceError('namespace_taken', { namespace, flow: flow.slug })
  }
  if (live) await removeIndexById(session, live.id)
  await session.run(
    `UPDATE indexes SET state = 'live', namespace = deleted_namespace, deleted_flow = NULL, deleted_namespace = NULL
     WHERE id = ?`,
    hidden.id,
  )
}

/** Deletes a flow with all that belongs to it. */
export const removeFlow: SqlWrite<string, boolean> = {
  name: 'removeFlow',
  async run(session, id) {
    for (const table of ['upsert_history', 'jobs', 'failed_files'])
      await session.run(`DELETE FROM ${table} WHERE flow_id = ?`, id)
    await removeHiddenIndexes(session, id)
    // Another flow may still use the namespace.
    await session.run(
      `DELETE FROM chunk_edits WHERE flow_id = ? AND NOT EXISTS (
         SELECT 1 FROM indexes WHERE indexes.namespace = chunk_edits.namespace)`,
      id,
    )
    return (await session.run('DELETE FROM flows WHERE id = ?', id)) > 0
  },
}

/**
 * Removes the hidden indexes of a flow. One that another deleted flow has shared with it stays for that flow, which then
 * has none of its own in this namespace.
 */
async function removeHiddenIndexes(session: SqlSession, flow: string): Promise<void> {
  const hidden = await session.all<{ id: number; namespace: string }>(
    `SELECT id, deleted_namespace AS namespace FROM indexes WHERE deleted_flow = ? AND state = 'deleted'
     ORDER BY id ${session.dialect.forUpdate}`,
    flow,
  )
  for (const { id, namespace } of hidden) {
    const others = await session.all(
      `SELECT id, deleted_namespaces FROM flows
       WHERE deleted_at >= (SELECT created_at FROM flows WHERE id = ?1) AND id <> ?1 AND NOT EXISTS
         (SELECT 1 FROM indexes WHERE state = 'deleted' AND deleted_flow = flows.id AND deleted_namespace = ?2)
       ORDER BY deleted_at DESC`,
      flow,
      namespace,
    )
    const heir = others.find((other) => namespacesOf(other).includes(namespace))
    if (heir) await session.run('UPDATE indexes SET deleted_flow = ? WHERE id = ?', heir.id as string, id)
    else await removeIndexById(session, id)
  }
}

type Hidden = { flow: string; chunks: number; sources: number; bytes: number }

/** What the deleted flows hold. `bytes` is an estimate from some of its passages. */
async function listDeleted(reader: SqlSession): Promise<DeletedFlow[]> {
  const hidden = await reader.all<Hidden>(
    `SELECT deleted_flow AS flow, chunks, (SELECT count(*) FROM sources WHERE index_id = indexes.id) AS sources,
       chunks * (${bytesOfChunk(reader)}) AS bytes
     FROM indexes WHERE state = 'deleted'`,
  )
  const byFlow = Map.groupBy(hidden, ({ flow }) => flow)
  const rows = await reader.all(
    'SELECT * FROM flows WHERE deleted_at IS NOT NULL ORDER BY deleted_at DESC, id',
  )
  return rows.map((row) => {
    const held = byFlow.get(row.id as string) ?? []
    const sum = (what: 'chunks' | 'sources' | 'bytes') =>
      held.reduce((all, one) => all + Math.round(one[what]), 0)
    return {
      flow: fromFlowRow(row),
      deletedAt: row.deleted_at as number,
      ...{ chunks: sum('chunks'), sources: sum('sources'), bytes: sum('bytes') },
    }
  })
}

type Part = 'delete' | 'restore' | 'deleted' | 'findDeleted' | 'deletedBefore' | 'remove'

/** The methods of a flow store that are about deleted flows. */
export function deletedFlows({ reader, write }: SqlDatabase): Pick<FlowStore, Part> {
  return {
    delete: (deletion) => write(hideFlow, deletion),
    restore: (idOrSlug, slug) => write(restoreFlow, { idOrSlug, slug }),
    remove: (id) => write(removeFlow, id),
    deleted: () => listDeleted(reader),
    async findDeleted(idOrSlug) {
      const row = await findDeletedRow(reader, idOrSlug)
      return row && fromFlowRow(row)
    },
    async deletedBefore(moment) {
      const rows = await reader.all<{ id: string }>(
        'SELECT id FROM flows WHERE deleted_at IS NOT NULL AND deleted_at < ?',
        moment,
      )
      return rows.map(({ id }) => id)
    },
  }
}
