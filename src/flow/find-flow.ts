import type { FlowRow, FlowStore } from '../contract/flow-store.ts'
import { SluiceError } from '../kit/errors.ts'
import { didYouMean } from '../kit/suggest.ts'
import type { FlowSource } from './apply-request.ts'

/** The parts of a stored flow that planning needs. */
export function flowSource(flow: FlowRow): FlowSource {
  return { id: flow.id, slug: flow.slug, flowData: flow.flowData, apiConfig: flow.config.apiConfig }
}

/** A flow by id or slug, for managers. @throws SluiceError `flow_not_found`, with the most similar slug as hint */
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
