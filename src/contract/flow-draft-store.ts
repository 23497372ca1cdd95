import type { FlowRow } from './flow-store.ts'

/** A drawing of a flow that is stored and not live: no upsert, query or answer uses it. A flow has at most one. */
export type FlowDraft = {
  flowId: string
  /** Counts the saves of the drafts of this flow, from 1. No two saves have the same number. */
  number: number
  /** The revision of the flow of which it was made. */
  base: number
  /** Milliseconds since 1970. */
  savedAt: number
  /** The name of the key, `ADMIN_KEY`, or a studio session. */
  savedBy: string
  /** JSON text of `{nodes, edges}`. */
  flowData: string
  /** Whether the live drawing is another one than that of the base: to publish would undo what others have saved. */
  stale: boolean
}

export type FlowDraftSave = Pick<FlowDraft, 'flowId' | 'base' | 'flowData' | 'savedAt' | 'savedBy'> & {
  /** The number of the draft that the save replaces, 0 for none; any unless given. */
  ifNumber?: number | undefined
}

/** `flow`: the flow as it is live afterwards, made from the revision `ifRevision` and the draft `number`. */
export type FlowPublication = { flow: FlowRow; number: number; ifRevision: number; by: string }

/** The drafts of flows. */
export type FlowDraftStore = {
  find(flowId: string): Promise<FlowDraft | undefined>
  /**
   * Saves the draft of a flow.
   *
   * @throws SluiceError `flow_not_found`; `revision_not_found` for a base that is not kept; `draft_changed`
   */
  save(save: FlowDraftSave): Promise<FlowDraft>
  /** Removes a draft. Returns whether there was one. @throws SluiceError `draft_changed` for another number than `ifNumber` */
  remove(flowId: string, ifNumber?: number): Promise<boolean>
  /**
   * Makes a draft the newest revision of its flow, and removes it, in one transaction.
   *
   * @throws SluiceError `flow_not_found`, `draft_not_found`, `draft_changed`, `draft_stale`; `flow_changed` where the flow has
   * another revision than `ifRevision`
   */
  publish(publication: FlowPublication): Promise<FlowRow>
}
