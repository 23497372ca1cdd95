import type { DeletedFlow, FlowDeletion, FlowRow } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { fromFlowRow } from '../rows/flow.ts'
import type { Connection, Row } from './connection.ts'
import { findIndex, retireIndex } from './indexes.ts'
import type { Write } from './write.ts'

/** Selects the ids of the deleted flows. */
export const DELETED_FLOWS = 'SELECT id FROM flows WHERE deleted_at IS NOT NULL'

const findDeleted = (connection: Connection, idOrSlug: string): Row | undefined =>
  connection.get(
    `SELECT * FROM flows WHERE deleted_at IS NOT NULL AND (id = ?1 OR slug = ?1)
     ORDER BY id = ?1 DESC, deleted_at DESC LIMIT 1`,
    idOrSlug,
  )

/**
 * Hides a flow, and in the same transaction the indexes of the namespaces that only it used. Returns the ids of these
 * indexes; undefined where there is no such flow. A second call retires indexes that a job which was still running has made.
 */
export const hideFlow: Write<FlowDeletion, number[] | undefined> = {
  name: 'hideFlow',
  run(connection, { id, namespaces, own, now }) {
    const row = connection.get<{ deleted_at: number | null }>('SELECT deleted_at FROM flows WHERE id = ?', id)
    if (!row) return undefined
    const live = own.flatMap((namespace) => findIndex(connection, namespace) ?? [])
    if (row.deleted_at !== null) {
      if (row.deleted_at === now) for (const index of live) retireIndex(connection, index.id)
      return []
    }
    for (const index of live) hideIndex(connection, index, id)
    connection.run(
      'UPDATE flows SET deleted_at = ?, deleted_namespaces = ? WHERE id = ?',
      now,
      JSON.stringify(namespaces),
      id,
    )
    return live.map((index) => index.id)
  },
}

/** An unfinished rebuild of the index is given up. */
function hideIndex(
  connection: Connection,
  { id, namespace }: { id: number; namespace: string },
  flow: string,
): void {
  connection.run(
    `UPDATE indexes SET state = 'retired', namespace = hex(randomblob(16)), replaces = NULL WHERE replaces = ?`,
    id,
  )
  connection.run(
    `UPDATE indexes SET state = 'deleted', namespace = hex(randomblob(16)), deleted_flow = ?, deleted_namespace = ?
     WHERE id = ?`,
    flow,
    namespace,
    id,
  )
}

/**
 * Brings a deleted flow back with its indexes.
 *
 * @throws SluiceError `deleted_flow_not_found`, `slug_taken`, `namespace_taken`
 */
export const restoreFlow: Write<{ idOrSlug: string; slug: string | undefined }, FlowRow> = {
  name: 'restoreFlow',
  run(connection, { idOrSlug, slug: wanted }) {
    const row = findDeleted(connection, idOrSlug)
    if (!row) throw new SluiceError('deleted_flow_not_found', { flow: idOrSlug })
    const flow = { ...fromFlowRow(row), ...(wanted === undefined ? {} : { slug: wanted }) }
    if (connection.get('SELECT 1 FROM flows WHERE slug = ? AND deleted_at IS NULL', flow.slug))
      throw new SluiceError('slug_taken', { slug: flow.slug, hint: 'restore the flow with another slug' })
    for (const namespace of JSON.parse(row.deleted_namespaces as string) as string[])
      bringBack(connection, namespace, flow)
    connection.run(
      'UPDATE flows SET deleted_at = NULL, deleted_namespaces = NULL, slug = ? WHERE id = ?',
      flow.slug,
      flow.id,
    )
    return flow
  },
}

/** The index may have been hidden with another flow that was deleted later and used the same namespace. */
function bringBack(connection: Connection, namespace: string, flow: FlowRow): void {
  const hidden = connection.get<{ id: number; deleted_flow: string; chunks: number }>(
    `SELECT id, deleted_flow, chunks FROM indexes WHERE state = 'deleted' AND deleted_namespace = ?1
     ORDER BY deleted_flow = ?2 DESC, id DESC LIMIT 1`,
    namespace,
    flow.id,
  )
  if (!hidden) return
  const live = findIndex(connection, namespace)
  if (live && live.chunks > 0) {
    // The chunks of another deleted flow stay hidden until that flow is restored.
    if (hidden.deleted_flow !== flow.id || hidden.chunks === 0) return
    throw new SluiceError('namespace_taken', { namespace, flow: flow.slug })
  }
  if (live) retireIndex(connection, live.id)
  connection.run(
    `UPDATE indexes SET state = 'live', namespace = deleted_namespace, deleted_flow = NULL, deleted_namespace = NULL
     WHERE id = ?`,
    hidden.id,
  )
}

/**
 * Retires the hidden indexes of a flow. One that another deleted flow has shared with it stays for that flow, which then
 * has none of its own in this namespace.
 */
export function retireHidden(connection: Connection, flow: string): void {
  const hidden = connection.all<{ id: number; namespace: string }>(
    `SELECT id, deleted_namespace AS namespace FROM indexes WHERE deleted_flow = ? AND state = 'deleted'`,
    flow,
  )
  for (const { id, namespace } of hidden) {
    const heir = connection.get<{ id: string }>(
      `SELECT id FROM flows WHERE deleted_at >= (SELECT created_at FROM flows WHERE id = ?1) AND id <> ?1
       AND EXISTS (SELECT 1 FROM json_each(deleted_namespaces) WHERE value = ?2)
       AND NOT EXISTS (SELECT 1 FROM indexes WHERE state = 'deleted' AND deleted_flow = flows.id AND deleted_namespace = ?2)
       ORDER BY deleted_at DESC LIMIT 1`,
      flow,
      namespace,
    )
    if (heir) connection.run('UPDATE indexes SET deleted_flow = ? WHERE id = ?', heir.id, id)
    else retireIndex(connection, id)
  }
}

/** How many passages of an index the estimate of its size reads. */
const SAMPLE = 200

/** About how many bytes a chunk takes besides text and vector: metadata, terms, indexes. */
const OVERHEAD = 600

export function listDeleted(reader: Connection): DeletedFlow[] {
  return reader
    .all('SELECT * FROM flows WHERE deleted_at IS NOT NULL ORDER BY deleted_at DESC, id')
    .map((row) => ({
      flow: fromFlowRow(row),
      deletedAt: row.deleted_at as number,
      ...hiddenContents(reader, row.id as string),
    }))
}

/** About how many bytes a chunk of an index takes, by some of its passages. */
export const bytesOfChunk = (reader: Connection, indexId: number): number =>
  OVERHEAD +
  (reader.get<{ sample: number | null }>(
    `SELECT avg(size) AS sample FROM (
       SELECT octet_length(content) + 4 * coalesce(dimensions, 0) AS size FROM passage_hashes AS found
       JOIN passages ON passages.id = found.passage_id JOIN indexes ON indexes.id = found.index_id
       WHERE found.index_id = ? LIMIT ${SAMPLE})`,
    indexId,
  )?.sample ?? 0)

/** What a deleted flow holds. `bytes` is an estimate from some of its passages. */
function hiddenContents(
  reader: Connection,
  flow: string,
): { chunks: number; sources: number; bytes: number } {
  const indexes = reader.all<{ id: number; chunks: number; sources: number }>(
    `SELECT id, chunks, (SELECT count(*) FROM sources WHERE index_id = indexes.id) AS sources
     FROM indexes WHERE deleted_flow = ? AND state = 'deleted'`,
    flow,
  )
  const held = { chunks: 0, sources: 0, bytes: 0 }
  for (const { id, chunks, sources } of indexes) {
    held.chunks += chunks
    held.sources += sources
    held.bytes += Math.round(chunks * bytesOfChunk(reader, id))
  }
  return held
}

/** The deleted flow with an id, or the last one with a slug. */
export function readDeleted(reader: Connection, idOrSlug: string): FlowRow | undefined {
  const row = findDeleted(reader, idOrSlug)
  return row && fromFlowRow(row)
}

/** The ids of the flows that were deleted before a moment. */
export const deletedBefore = (reader: Connection, moment: number): string[] =>
  reader
    .all<{ id: string }>('SELECT id FROM flows WHERE deleted_at IS NOT NULL AND deleted_at < ?', moment)
    .map(({ id }) => id)
