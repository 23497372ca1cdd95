import type { FlowRow, FlowStore } from '../../contract/flow-store.ts'
import type { JsonObject } from '../../kit/json.ts'
import { SluiceError } from '../../kit/errors.ts'
import { checksum } from './checksum.ts'
import type { Connection, Row } from './connection.ts'
import type { Database } from './database.ts'
import type { Write } from './write.ts'

function fromRow(row: Row): FlowRow {
  return {
    id: row.id as string,
    slug: row.slug as string,
    name: row.name as string,
    type: row.type as string,
    flowData: row.flow_data as string,
    config: JSON.parse(row.config as string) as JsonObject,
    apiKeyId: row.api_key_id as string | null,
    createdAt: row.created_at as number,
    updatedAt: row.updated_at as number,
  }
}

const slugOwner = (connection: Connection, slug: string) =>
  connection.get<{ id: string }>('SELECT id FROM flows WHERE slug = ?', slug)?.id

export const insertFlow: Write<{ flow: FlowRow; makeUnique: boolean }, FlowRow> = {
  name: 'insertFlow',
  grows: true,
  run(connection, { flow, makeUnique }) {
    let slug = flow.slug
    for (let n = 2; slugOwner(connection, slug) !== undefined; n++) {
      if (!makeUnique) throw new SluiceError('slug_taken', { slug })
      slug = `${flow.slug}-${n}`
    }
    const config = JSON.stringify(flow.config)
    connection.run(
      `INSERT INTO flows (id, slug, name, type, flow_data, config, checksum, api_key_id, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    return { ...flow, slug }
  },
}

export const updateFlow: Write<FlowRow, void> = {
  name: 'updateFlow',
  run(connection, flow) {
    const owner = slugOwner(connection, flow.slug)
    if (owner !== undefined && owner !== flow.id) throw new SluiceError('slug_taken', { slug: flow.slug })
    const config = JSON.stringify(flow.config)
    connection.run(
      `UPDATE flows SET slug = ?, name = ?, type = ?, flow_data = ?, config = ?, checksum = ?, api_key_id = ?, updated_at = ? WHERE id = ?`,
      flow.slug,
      flow.name,
      flow.type,
      flow.flowData,
      config,
      checksum(flow.flowData, config),
      flow.apiKeyId,
      flow.updatedAt,
      flow.id,
    )
  },
}

export const removeFlow: Write<string, boolean> = {
  name: 'removeFlow',
  run(connection, id) {
    connection.run('DELETE FROM upsert_history WHERE flow_id = ?', id)
    connection.run('DELETE FROM jobs WHERE flow_id = ?', id)
    return connection.run('DELETE FROM flows WHERE id = ?', id) > 0
  },
}

export function flowStore(database: Database): FlowStore {
  const { reader } = database
  return {
    async find(idOrSlug) {
      const row = reader.get('SELECT * FROM flows WHERE id = ?1 OR slug = ?1 ORDER BY id = ?1 DESC', idOrSlug)
      return row && fromRow(row)
    },
    async list({ type, offset = 0, limit = -1 } = {}) {
      const rows = reader.all(
        'SELECT * FROM flows WHERE ?1 IS NULL OR type = ?1 ORDER BY updated_at DESC, id LIMIT ?2 OFFSET ?3',
        type ?? null,
        limit,
        offset,
      )
      const total = reader.get<{ n: number }>(
        'SELECT count(*) AS n FROM flows WHERE ?1 IS NULL OR type = ?1',
        type ?? null,
      )!.n
      return { rows: rows.map(fromRow), total }
    },
    async boundTo(apiKeyId) {
      return reader.all('SELECT * FROM flows WHERE api_key_id = ? ORDER BY name', apiKeyId).map(fromRow)
    },
    insert: (flow, { makeUnique = false } = {}) => database.write(insertFlow, { flow, makeUnique }),
    update: (flow) => database.write(updateFlow, flow),
    remove: (id) => database.write(removeFlow, id),
  }
}
