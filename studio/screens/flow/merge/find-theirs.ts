import { type DraftState, getDraft } from '../../../server/drafts.ts'
import { type Flow, getFlow } from '../../../server/flows.ts'
import { getRevision } from '../../../server/revisions.ts'
import type { Conflict } from '../draft/use-flow-draft.ts'

/** The other side of a merge: its drawing, who saved it and when, and what the merged drawing is saved as. */
export type Theirs = {
  /** JSON text of its drawing. */
  flowData: string
  savedBy: string
  savedAt: string
  /** The drawing that both sides were made of, as JSON text; undefined for the one that this tab has loaded or saved last. */
  common: string | undefined
  /** The dialog in words. */
  title: string
  what: string
  /** A live save, or the save of a draft that is made of the revision `base`. */
  next: { live: Flow } | { state: DraftState; base: number }
}

/** Reads what was saved elsewhere. */
export async function findTheirs(flowId: string, kind: Conflict): Promise<Theirs> {
  if (kind === 'flow') {
    const live = await getFlow(flowId)
    const saved = await getRevision(flowId, live.revision)
    return {
      ...{ flowData: live.flowData, savedBy: saved.savedBy, savedAt: saved.savedAt, common: undefined },
      title: 'This flow was saved elsewhere meanwhile',
      what: `Revision ${live.revision}`,
      next: { live },
    }
  }
  const state = await getDraft(flowId)
  const { draft } = state
  if (kind === 'draft' && draft)
    return {
      ...{ flowData: draft.flowData, savedBy: draft.savedBy, savedAt: draft.savedAt, common: undefined },
      title: 'The draft was saved elsewhere meanwhile',
      what: `Another draft of revision ${draft.base}`,
      next: { state, base: draft.base },
    }
  // The draft is stale; or the one of this tab was published or discarded by others.
  const [live, common] = await Promise.all([
    getRevision(flowId, state.revision),
    draft ? getRevision(flowId, draft.base) : undefined,
  ])
  return {
    ...{ flowData: live.flow.flowData, savedBy: live.savedBy, savedAt: live.savedAt },
    common: common?.flow.flowData,
    title: draft ? 'The live flow was changed meanwhile' : 'The draft was published or discarded elsewhere',
    what: `The live revision ${state.revision}`,
    next: { state, base: state.revision },
  }
}
