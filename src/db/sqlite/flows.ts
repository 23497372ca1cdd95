import type { FlowRow, FlowStore, NewFlowRow } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { headFromRow } from '../rows/flow-head.ts'
import { changesBetween, fromFlowRow } from '../rows/flow.ts'
import { checksum } from './checksum.ts'
import type { Connection } from './connection.ts'
import type { Database } from './database.ts'
import {
  deletedBefore,
  hideFlow,
  listDeleted,
  readDeleted,
  restoreFlow,
  retireHidden,
} from './deleted-flows.ts'
import { HEADS } from './flow-heads.ts'
import { storedRevisions, recordRevision } from '../repositories/flow-revisions.ts'
import { sessionOf } from './sql.ts'
import type { Write } from './write.ts'

const slugOwner = (connection: Connection, slug: string) =>
  connection.get<{ id: string }>('SELECT id FROM flows WHERE slug = ? AND deleted_at IS NULL', slug)?.id

type Insert = { flow: NewFlowRow; makeUnique: boolean; by: string }

export const insertFlow: Write<Insert, FlowRow> = {
  name: 'insertFlow',
  grows: true,
  async run(connection, { flow, makeUnique, by }) {
    let slug = flow.slug
    for (let n = 2; slugOwner(connection, slug) !== undefined; n++) {
      if (!makeUnique) throw new SluiceError('slug_taken', { slug })
      slug = `${flow.slug}-${n}`
    }
    const config = JSON.stringify(flow.config)
    connection.run(
      `INSERT INTO flows (id, slug, name, type, flow_data, config, checksum, api_key_id, created_at, updated_at, revision)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`,
      flow.id,
      slug,
      flow.name,
      flow.type,
      flow.flowData,
      config,
      checksum(flow.flowData, config),
      flow.apiKeyId,
      flow.createdAt,
      flow.updatedAt,
    )
    await recordRevision(sessionOf(connection), flow.id, { by, changes: [] })
    return { ...flow, slug, revision: 1 }
  },
}

type Update = { flow: FlowRow; by: string; ifRevision: number | undefined }

export const updateFlow: Write<Update, FlowRow> = {
  name: 'updateFlow',
  grows: true,
  async run(connection, { flow, by, ifRevision }) {
    const row = connection.get('SELECT * FROM flows WHERE id = ? AND deleted_at IS NULL', flow.id)
    if (!row) throw new SluiceError('flow_not_found', { flow: flow.slug })
    const stored = fromFlowRow(row)
    if (ifRevision !== undefined && ifRevision !== stored.revision)
      throw new SluiceError('flow_changed', { flow: stored.slug, found: stored.revision, based: ifRevision })
    const owner = slugOwner(connection, flow.slug)
    if (owner !== undefined && owner !== flow.id) throw new SluiceError('slug_taken', { slug: flow.slug })
    const changes = changesBetween(stored, flow)
    if (changes.length === 0) return stored
    const config = JSON.stringify(flow.config)
    const revision = stored.revision + 1
    connection.run(
      `UPDATE flows SET slug = ?, name = ?, type = ?, flow_data = ?, config = ?, checksum = ?, api_key_id = ?,
         updated_at = ?, revision = ? WHERE id = ?`,
      flow.slug,
      flow.name,
      flow.type,
      flow.flowData,
      config,
      checksum(flow.flowData, config),
      flow.apiKeyId,
      flow.updatedAt,
      revision,
      flow.id,
    )
    await recordRevision(sessionOf(connection), flow.id, { by, changes })
    return { ...flow, revision }
  },
}

export const removeFlow: Write<string, boolean> = {
  name: 'removeFlow',
  run(connection, id) {
    connection.run('DELETE FROM upsert_history WHERE flow_id = ?', id)
    connection.run('DELETE FROM jobs WHERE flow_id = ?', id)
    connection.run('DELETE FROM failed_files WHERE flow_id = ?', id)
    retireHidden(connection, id)
    return connection.run('DELETE FROM flows WHERE id = ?', id) > 0
  },
}

const BY_ID = 'SELECT * FROM flows WHERE id = ? AND deleted_at IS NULL'
const BY_SLUG = 'SELECT * FROM flows WHERE slug = ? AND deleted_at IS NULL'
const LISTED = 'deleted_at IS NULL AND (?1 IS NULL OR type = ?1)'

export function flowStore(database: Database): FlowStore {
  const { reader } = database
  return {
    async find(idOrSlug) {
      // Two statements: SQLite uses no partial index for an OR.
      const row = reader.get(BY_ID, idOrSlug) ?? reader.get(BY_SLUG, idOrSlug)
      return row && fromFlowRow(row)
    },
    async list({ type, offset = 0, limit = -1 } = {}) {
      const rows = reader.all(
        `SELECT * FROM flows WHERE ${LISTED} ORDER BY updated_at DESC, id LIMIT ?2 OFFSET ?3`,
        type ?? null,
        limit,
        offset,
      )
      const total = reader.get<{ n: number }>(
        `SELECT count(*) AS n FROM flows WHERE ${LISTED}`,
        type ?? null,
      )!.n
      return { rows: rows.map(fromFlowRow), total }
    },
    async boundTo(apiKeyId) {
      return reader
        .all('SELECT * FROM flows WHERE api_key_id = ? AND deleted_at IS NULL ORDER BY name', apiKeyId)
        .map(fromFlowRow)
    },
    async heads() {
      return reader.all(HEADS).map(headFromRow)
    },
    insert: (flow, { makeUnique = false, by = 'Sluice' } = {}) =>
      database.write(insertFlow, { flow, makeUnique, by }),
    update: (flow, { by, ifRevision }) => database.write(updateFlow, { flow, by, ifRevision }),
    ...storedRevisions(database.sql.reader),
    async delete(deletion) {
      const hidden = await database.write(hideFlow, deletion)
      return hidden?.map(String)
    },
    restore: (idOrSlug, slug) => database.write(restoreFlow, { idOrSlug, slug }),
    deleted: async () => listDeleted(reader),
    findDeleted: async (idOrSlug) => readDeleted(reader, idOrSlug),
    deletedBefore: async (moment) => deletedBefore(reader, moment),
    isTaken: async (id) => reader.get('SELECT 1 FROM flows WHERE id = ?', id) !== undefined,
    remove: (id) => database.write(removeFlow, id),
  }
}
