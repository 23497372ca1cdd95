import type { KeptOption } from '../contract/vector-engine.ts'
import type { UpsertWarning } from './outcome.ts'

/** Tells the owner of a flow that its index does not follow inputs of the node which only a new index has. */
export const keptWarnings = (kept: readonly KeptOption[]): UpsertWarning[] =>
  kept.map(({ option, is, now }) => ({
    key: option,
    reason: `the index was made with ${is} and stays so, though the node says ${now}: a reindex of the flow makes it anew`,
  }))
