import type { FlowHead, FlowRow, FlowSave, FlowStore, NewFlowRow } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { headFromRow } from '../rows/flow-head.ts'
import { BY_SLUG, changesBetween, fromFlowRow } from '../rows/flow.ts'
import type { SqlDatabase, SqlSession, SqlWrite } from '../sql/session.ts'
import { allOf, countRows, insertRow, NO_LIMIT, updateRow } from '../sql/statements.ts'
import { deletedFlows } from './deleted-flows.ts'
import { recordRevision, storedRevisions } from './flow-revisions.ts'

/** What a save writes of a flow. */
const saved = (
  { dialect }: SqlSession,
  { slug, name, type, flowData, config, apiKeyId, updatedAt }: NewFlowRow,
) => {
  const text = JSON.stringify(config)
  return {
    ...{ slug, name, type, flow_data: flowData, config: text, ...dialect.checksumOf(flowData, text) },
    ...{ api_key_id: apiKeyId, updated_at: updatedAt },
  }
}

type Insert = { flow: NewFlowRow; makeUnique: boolean; by: string }

/** Inserts a flow, under the first free slug where `makeUnique` allows it. @throws SluiceError `slug_taken` */
export const insertFlow: SqlWrite<Insert, FlowRow> = {
  name: 'insertFlow',
  grows: true,
  async run(session, { flow, makeUnique, by }) {
    for (let slug = flow.slug; ; ) {
      const { id, createdAt } = flow
      const row = { id, created_at: createdAt, revision: 1, ...saved(session, { ...flow, slug }) }
      const free = 'ON CONFLICT (slug) WHERE deleted_at IS NULL DO NOTHING'
      if ((await insertRow(session, 'flows', row, free)) > 0) {
        await recordRevision(session, id, { by, changes: [] })
        return { ...flow, slug, revision: 1 }
      }
      if (!makeUnique) throw new SluiceError('slug_taken', { slug })
      // Where another member takes the free one first, the next insert finds that out.
      slug = await freeSlug(session, flow.slug)
    }
  },
}

/** The first of `slug-2`, `slug-3`… that no flow has. */
async function freeSlug(session: SqlSession, slug: string): Promise<string> {
  const rows = await session.all<{ slug: string }>(
    'SELECT slug FROM flows WHERE deleted_at IS NULL AND substr(slug, 1, length(CAST(?1 AS text))) = CAST(?1 AS text)',
    `${slug}-`,
  )
  const taken = new Set(rows.map((row) => row.slug))
  let number = 2
  while (taken.has(`${slug}-${number}`)) number++
  return `${slug}-${number}`
}

type Update = { flow: FlowRow } & FlowSave

/** Saves a flow as its next revision; the row is locked, so that two saves do not get the same number. */
export const updateFlow: SqlWrite<Update, FlowRow> = {
  name: 'updateFlow',
  grows: true,
  async run(session, { flow, by, ifRevision }) {
    const row = await session.get(
      `SELECT * FROM flows WHERE id = ? AND deleted_at IS NULL ${session.dialect.forUpdate}`,
      flow.id,
    )
    if (!row) throw new SluiceError('flow_not_found', { flow: flow.slug })
    const stored = fromFlowRow(row)
    if (ifRevision !== undefined && ifRevision !== stored.revision)
      throw new SluiceError('flow_changed', { flow: stored.slug, found: stored.revision, based: ifRevision })
    const changes = changesBetween(stored, flow)
    if (changes.length === 0) return stored
    const revision = stored.revision + 1
    await updateRow(session, 'flows', flow.id, { ...saved(session, flow), revision }).catch(
      (error: unknown) => {
        throw session.dialect.isDuplicate(error, BY_SLUG)
          ? new SluiceError('slug_taken', { slug: flow.slug }, { cause: error })
          : error
      },
    )
    await recordRevision(session, flow.id, { by, changes })
    return { ...flow, revision }
  },
}

/** The flows without their drawings, each with its newest job and its newest row of the history. */
async function flowHeads(reader: SqlSession): Promise<FlowHead[]> {
  const { json } = reader.dialect
  const rows = await reader.all(
    `SELECT flows.id, slug, name, type, api_key_id, flows.created_at, updated_at, revision,
       ${json('config')} ->> 'category' AS category, jobs.id AS job, state, coalesce(finished_at, jobs.created_at) AS job_at,
       error, ${json('progress')} -> 'files' ->> 'failed' AS job_failed, ${json('progress')} -> 'files' ->> 'empty' AS job_empty,
       date, CAST(${json('past.result')} -> 'error' AS text) AS past_error,
       ${json('past.result')} ->> 'numFailed' AS past_failed, ${json('past.result')} ->> 'numEmpty' AS past_empty
     FROM flows
     LEFT JOIN jobs ON jobs.seq = (SELECT seq FROM jobs AS own WHERE own.flow_id = flows.id AND kind = 'upsert'
       ORDER BY seq DESC LIMIT 1)
     LEFT JOIN upsert_history AS past ON past.id = (SELECT id FROM upsert_history AS own WHERE own.flow_id = flows.id
       ORDER BY date DESC LIMIT 1)
     WHERE deleted_at IS NULL ORDER BY updated_at DESC, flows.id`,
  )
  return rows.map(headFromRow)
}

export function flowStore(database: SqlDatabase): FlowStore {
  const { reader, write } = database
  return {
    ...storedRevisions(reader),
    ...deletedFlows(database),
    heads: () => flowHeads(reader),
    async find(idOrSlug) {
      // By their ids: SQLite uses no partial index for an OR.
      const row = await reader.get(
        `SELECT * FROM flows WHERE id = coalesce((SELECT id FROM flows WHERE id = ?1 AND deleted_at IS NULL),
           (SELECT id FROM flows WHERE slug = ?1 AND deleted_at IS NULL))`,
        idOrSlug,
      )
      return row && fromFlowRow(row)
    },
    async list({ type, offset = 0, limit = NO_LIMIT } = {}) {
      const { where, values } = allOf({ sql: 'deleted_at IS NULL', values: [] }, ['type = ?', type])
      const rows = await reader.all(
        `SELECT * FROM flows WHERE ${where} ORDER BY updated_at DESC, id LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      return { rows: rows.map(fromFlowRow), total: await countRows(reader, 'flows', where, values) }
    },
    async boundTo(apiKeyId) {
      const rows = await reader.all(
        'SELECT * FROM flows WHERE api_key_id = ? AND deleted_at IS NULL ORDER BY name',
        apiKeyId,
      )
      return rows.map(fromFlowRow)
    },
    insert: (flow, { makeUnique = false, by = 'Sluice' } = {}) => write(insertFlow, { flow, makeUnique, by }),
    update: (flow, save) => write(updateFlow, { flow, ...save }),
    isTaken: async (id) => (await reader.get('SELECT 1 FROM flows WHERE id = ?', id)) !== undefined,
  }
}
