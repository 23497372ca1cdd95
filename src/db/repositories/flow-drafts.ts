import type {
  FlowDraft,
  FlowDraftSave,
  FlowDraftStore,
  FlowPublication,
} from '../../contract/flow-draft-store.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { SqlDatabase, SqlRow, SqlSession, SqlWrite } from '../sql/session.ts'
import { insertRow } from '../sql/statements.ts'
import { updateFlow } from './flows.ts'

/** The draft of a flow, and whether the live drawing is that of its base still. */
async function findDraft(session: SqlSession, flowId: string): Promise<FlowDraft | undefined> {
  const row = await session.get(
    `SELECT drafts.flow_id, drafts.number, drafts.base, drafts.saved_at, drafts.saved_by, drafts.flow_data,
       CASE WHEN flows.flow_data = base.flow_data OR flows.flow_data = drafts.flow_data THEN 0 ELSE 1 END AS stale
     FROM flow_drafts AS drafts JOIN flows ON flows.id = drafts.flow_id
     LEFT JOIN flow_revisions AS base ON base.flow_id = drafts.flow_id AND base.number = drafts.base
     WHERE drafts.flow_id = ? AND drafts.flow_data <> ''`,
    flowId,
  )
  return row && draftFromRow(row)
}

/** Locks a flow, so that saves and publications of its draft come one after another. @throws SluiceError `flow_not_found` */
async function lockFlow(session: SqlSession, flowId: string): Promise<string> {
  const row = await session.get<{ slug: string }>(
    `SELECT slug FROM flows WHERE id = ? AND deleted_at IS NULL ${session.dialect.forUpdate}`,
    flowId,
  )
  if (!row) throw new SluiceError('flow_not_found', { flow: flowId })
  return row.slug
}

/** @throws SluiceError `draft_changed` */
function refuseOther(flow: string, found: number, based: number | undefined): void {
  if (based !== undefined && based !== found) throw new SluiceError('draft_changed', { flow, found, based })
}

export const saveFlowDraft: SqlWrite<FlowDraftSave, FlowDraft> = {
  name: 'saveFlowDraft',
  grows: true,
  async run(session, { flowId, base, flowData, savedAt, savedBy, ifNumber }) {
    const flow = await lockFlow(session, flowId)
    const last = await session.get<{ number: number; flow_data: string }>(
      'SELECT number, flow_data FROM flow_drafts WHERE flow_id = ?',
      flowId,
    )
    refuseOther(flow, last && last.flow_data !== '' ? last.number : 0, ifNumber)
    if (!(await session.get('SELECT 1 FROM flow_revisions WHERE flow_id = ? AND number = ?', flowId, base)))
      throw new SluiceError('revision_not_found', { flow, number: base })
    const row = {
      ...{ flow_id: flowId, number: (last?.number ?? 0) + 1, base, saved_at: savedAt, saved_by: savedBy },
      ...{ flow_data: flowData, ...session.dialect.checksumOf(flowData) },
    }
    const columns = Object.keys(row).filter((name) => name !== 'flow_id')
    await insertRow(
      session,
      'flow_drafts',
      row,
      `ON CONFLICT (flow_id) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    )
    return (await findDraft(session, flowId))!
  },
}

/** The number stays, so that it is not given again. */
async function emptyDraft(session: SqlSession, flowId: string): Promise<void> {
  const sums = Object.entries(session.dialect.checksumOf(''))
  await session.run(
    `UPDATE flow_drafts SET flow_data = ''${sums.map(([name]) => `, ${name} = ?`).join('')} WHERE flow_id = ?`,
    ...sums.map(([, value]) => value),
    flowId,
  )
}

export const removeFlowDraft: SqlWrite<{ flowId: string; ifNumber: number | undefined }, boolean> = {
  name: 'removeFlowDraft',
  async run(session, { flowId, ifNumber }) {
    const flow = await lockFlow(session, flowId)
    const draft = await findDraft(session, flowId)
    refuseOther(flow, draft?.number ?? 0, ifNumber)
    if (draft) await emptyDraft(session, flowId)
    return draft !== undefined
  },
}

export const publishFlowDraft: SqlWrite<FlowPublication, FlowRow> = {
  name: 'publishFlowDraft',
  grows: true,
  async run(session, { flow, number, ifRevision, by }) {
    const slug = await lockFlow(session, flow.id)
    const draft = await findDraft(session, flow.id)
    if (!draft) throw new SluiceError('draft_not_found', { flow: slug })
    refuseOther(slug, draft.number, number)
    if (draft.stale) {
      const live = await session.get<{ revision: number }>('SELECT revision FROM flows WHERE id = ?', flow.id)
      throw new SluiceError('draft_stale', { flow: slug, base: draft.base, found: live!.revision })
    }
    const saved = await updateFlow.run(session, { flow, by, ifRevision })
    await emptyDraft(session, flow.id)
    return saved
  },
}

export function flowDraftStore({ reader, write }: SqlDatabase): FlowDraftStore {
  return {
    find: (flowId) => findDraft(reader, flowId),
    save: (save) => write(saveFlowDraft, save),
    remove: (flowId, ifNumber) => write(removeFlowDraft, { flowId, ifNumber }),
    publish: (publication) => write(publishFlowDraft, publication),
  }
}

const draftFromRow = (row: SqlRow): FlowDraft => ({
  flowId: row.flow_id as string,
  number: row.number as number,
  base: row.base as number,
  savedAt: row.saved_at as number,
  savedBy: row.saved_by as string,
  flowData: row.flow_data as string,
  stale: row.stale === 1,
})
