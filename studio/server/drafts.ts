import type { DraftStateAnswer, PublishedFlowAnswer, SavedDraftAnswer } from '../../src/api/flow-draft.ts'
import { call } from './call.ts'

export type DraftState = DraftStateAnswer
export type SavedDraft = SavedDraftAnswer
export type PublishedFlow = PublishedFlowAnswer

const of = (flow: string) => `/api/v1/chatflows/${encodeURIComponent(flow)}/draft`

/** What of a flow is not live, and whether saves make drafts. */
export const getDraft = (flow: string): Promise<DraftState> => call(of(flow))

/**
 * Saves a drawing as the draft of a flow.
 *
 * @param draft `base`: the revision of which it was made; `number`: that of the draft before, 0 for none
 * @throws ServerFailure 412 where the draft has another number
 */
export const saveDraft = (
  flow: string,
  { flowData, base, number }: { flowData: string; base: number; number: number },
): Promise<SavedDraft> => call(of(flow), { method: 'PUT', body: { flowData, base }, revision: number })

/** @throws ServerFailure 412 as `saveDraft` */
export const discardDraft = (flow: string, number: number): Promise<unknown> =>
  call(of(flow), { method: 'DELETE', revision: number })

/** Makes the draft live. @throws ServerFailure 412 as `saveDraft`, 409 for a stale draft, 422 for one that cannot run */
export const publishDraft = (flow: string, number: number): Promise<PublishedFlow> =>
  call(`${of(flow)}/publish`, { method: 'POST', revision: number })
