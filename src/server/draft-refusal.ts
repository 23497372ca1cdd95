import type { FlowDraft } from '../contract/flow-draft-store.ts'
import type { FlowRow } from '../contract/flow-store.ts'
import type { FlowProblem } from '../flow/check/flow-problem.ts'
import { SluiceError } from '../kit/errors.ts'
import { whatFails } from './check-flow.ts'

/** The refusal of a publication of a draft: `draft_stale`, `draft_unfit`; undefined where it can be published. */
export function whyNotPublished(
  { slug, revision }: Pick<FlowRow, 'slug' | 'revision'>,
  { base, stale }: Pick<FlowDraft, 'base' | 'stale'>,
  problems: readonly FlowProblem[],
): SluiceError | undefined {
  if (stale) return new SluiceError('draft_stale', { flow: slug, base, found: revision })
  const reason = whatFails(problems, 'would fail')
  return reason === undefined ? undefined : new SluiceError('draft_unfit', { flow: slug, reason })
}
