import type { FlowRow, FlowStore } from '../contract/flow-store.ts'
import { SluiceError } from '../kit/errors.ts'
import { didYouMean } from '../kit/suggest.ts'

/** A flow by id or slug, for a caller who manages the server. @throws SluiceError `flow_not_found` with the nearest slug */
export async function findFlow(flows: FlowStore, idOrSlug: string): Promise<FlowRow> {
  const flow = await flows.find(idOrSlug)
  if (flow) return flow
  const { rows } = await flows.list()
  const hint = didYouMean(
    idOrSlug,
    rows.map(({ slug }) => slug),
  )
  throw new SluiceError('flow_not_found', { flow: idOrSlug, ...(hint === undefined ? {} : { hint }) })
}
