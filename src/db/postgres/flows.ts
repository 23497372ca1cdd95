import type { FlowRow, FlowSave, FlowStore, NewFlowRow } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { headFromRow } from '../rows/flow-head.ts'
import { changesBetween, fromFlowRow } from '../rows/flow.ts'
import type { PostgresDatabase } from './database.ts'
import { deletedFlows, retireHiddenIndexes } from './deleted-flows.ts'
import { isDuplicate } from './failures.ts'
import { FLOW_HEADS } from './flow-heads.ts'
import { storedRevisions, recordRevision } from '../repositories/flow-revisions.ts'
import type { SqlSession } from './session.ts'

const LISTED = 'deleted_at IS NULL AND ($1::text IS NULL OR type = $1)'

export function postgresFlows(database: PostgresDatabase): FlowStore {
  const { reader, transaction } = database
  return {
    ...storedRevisions(reader),
    ...deletedFlows(database),
    async find(idOrSlug) {
      const row = await reader.get(
        'SELECT * FROM flows WHERE (id = $1 OR slug = $1) AND deleted_at IS NULL ORDER BY id = $1 DESC LIMIT 1',
        idOrSlug,
      )
      return row && fromFlowRow(row)
    },
    async list({ type, offset = 0, limit } = {}) {
      const rows = await reader.all(
        `SELECT * FROM flows WHERE ${LISTED} ORDER BY updated_at DESC, id LIMIT $2 OFFSET $3`,
        type ?? null,
        limit ?? null,
        offset,
      )
      const { total } = (await reader.get<{ total: number }>(
        `SELECT count(*) AS total FROM flows WHERE ${LISTED}`,
        type ?? null,
      ))!
      return { rows: rows.map(fromFlowRow), total }
    },
    async boundTo(apiKeyId) {
      const rows = await reader.all(
        'SELECT * FROM flows WHERE api_key_id = $1 AND deleted_at IS NULL ORDER BY name',
        apiKeyId,
      )
      return rows.map(fromFlowRow)
    },
    async heads() {
      return (await reader.all(FLOW_HEADS)).map(headFromRow)
    },
    insert: (flow, { makeUnique = false, by = 'Sluice' } = {}) =>
      transaction(async (session) => {
        const slug = await insertRow(session, flow, makeUnique)
        await recordRevision(session, flow.id, { by, changes: [] })
        return { ...flow, slug, revision: 1 }
      }),
    update: (flow, save) =>
      transaction((session) => updateRow(session, flow, save)).catch((error: unknown) => {
        throw isDuplicate(error, 'flows_by_slug')
          ? new SluiceError('slug_taken', { slug: flow.slug }, { cause: error })
          : error
      }),
    isTaken: async (id) => (await reader.get('SELECT 1 FROM flows WHERE id = $1', id)) !== undefined,
    remove: (id) =>
      transaction(async (session) => {
        await session.run('DELETE FROM upsert_history WHERE flow_id = $1', id)
        await session.run('DELETE FROM jobs WHERE flow_id = $1', id)
        await session.run('DELETE FROM failed_files WHERE flow_id = $1', id)
        await session.run('DELETE FROM flow_turns WHERE flow_id = $1', id)
        await retireHiddenIndexes(session, id)
        return (await session.run('DELETE FROM flows WHERE id = $1', id)) > 0
      }),
  }
}

/**
 * Inserts a flow, under the first free slug where `makeUnique` allows it. Returns the slug.
 *
 * @throws SluiceError `slug_taken`
 */
async function insertRow(session: SqlSession, flow: NewFlowRow, makeUnique: boolean): Promise<string> {
  for (let slug = flow.slug; ; ) {
    const inserted = await session.run(
      `INSERT INTO flows (id, slug, name, type, flow_data, config, api_key_id, created_at, updated_at, revision)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1)
       ON CONFLICT (slug) WHERE deleted_at IS NULL DO NOTHING`,
      flow.id,
      slug,
      flow.name,
      flow.type,
      flow.flowData,
      JSON.stringify(flow.config),
      flow.apiKeyId,
      flow.createdAt,
      flow.updatedAt,
    )
    if (inserted > 0) return slug
    if (!makeUnique) throw new SluiceError('slug_taken', { slug })
    // Where another node takes the free one first, the next insert finds that out.
    slug = await freeSlug(session, flow.slug)
  }
}

/** The first of `slug-2`, `slug-3`… that no flow has: at most as many are taken as there are flows. */
async function freeSlug(session: SqlSession, slug: string): Promise<string> {
  const row = await session.get<{ slug: string }>(
    `SELECT $1 || '-' || n AS slug
     FROM generate_series(2, (SELECT count(*) + 2 FROM flows WHERE deleted_at IS NULL)) AS n
     WHERE NOT EXISTS (SELECT 1 FROM flows WHERE flows.slug = $1 || '-' || n AND deleted_at IS NULL)
     ORDER BY n LIMIT 1`,
    slug,
  )
  return row!.slug
}

/** Saves a flow as its next revision; the row is locked, so that two saves do not get the same number. */
async function updateRow(session: SqlSession, flow: FlowRow, { by, ifRevision }: FlowSave): Promise<FlowRow> {
  const row = await session.get(
    'SELECT * FROM flows WHERE id = $1 AND deleted_at IS NULL FOR UPDATE',
    flow.id,
  )
  if (!row) throw new SluiceError('flow_not_found', { flow: flow.slug })
  const stored = fromFlowRow(row)
  if (ifRevision !== undefined && ifRevision !== stored.revision)
    throw new SluiceError('flow_changed', { flow: stored.slug, found: stored.revision, based: ifRevision })
  const changes = changesBetween(stored, flow)
  if (changes.length === 0) return stored
  const revision = stored.revision + 1
  await session.run(
    `UPDATE flows SET slug = $2, name = $3, type = $4, flow_data = $5, config = $6, api_key_id = $7, updated_at = $8,
       revision = $9 WHERE id = $1`,
    flow.id,
    flow.slug,
    flow.name,
    flow.type,
    flow.flowData,
    JSON.stringify(flow.config),
    flow.apiKeyId,
    flow.updatedAt,
    revision,
  )
  await recordRevision(session, flow.id, { by, changes })
  return { ...flow, revision }
}
