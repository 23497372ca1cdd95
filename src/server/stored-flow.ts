import type { ChunkStore } from '../contract/chunk-store.ts'
import type { Fence } from '../contract/fence.ts'
import { fenceOf } from '../documents/fence.ts'
import { readPins } from '../callers/pins.ts'
import type { FlowRow } from '../contract/flow-store.ts'
import { flowSource } from '../flow/find-flow.ts'
import { namespacesOf } from '../flow/namespaces.ts'
import { planRetrieval, type StoreRequest } from '../flow/plan-store.ts'
import { variableValues } from '../flow/variables.ts'
import { flowEnvironment } from '../kit/config.ts'
import { SluiceError } from '../kit/errors.ts'
import { isObject } from '../kit/json.ts'
import { fencedServices } from '../stores/fenced-services.ts'
import type { Platform } from './platform.ts'

/** The `chatbotConfig` of a flow: look of the chat window, allowed origins and uploads. */
export const chatbotConfigOf = ({ config }: FlowRow): Record<string, unknown> =>
  isObject(config.chatbotConfig) ? config.chatbotConfig : {}

type FlowServices = Pick<Platform, 'catalog' | 'nodeServices' | 'variables'>

const within = ({ catalog, nodeServices }: FlowServices, fence: Fence | undefined) => ({
  catalog,
  nodeServices: fencedServices(nodeServices, fence),
})

/** The store of a flow for queries within the fence of the caller, with the workspace's variables filled into its mandatory filter. */
export const planFlowRetrieval = async (
  platform: FlowServices,
  flow: FlowRow,
  { fence, ...request }: Omit<StoreRequest, 'variables'> & { fence: Fence | undefined },
) =>
  planRetrieval(within(platform, fence), flowSource(flow), {
    ...request,
    variables: await variableValues(platform.variables, flowEnvironment),
  })

/** What a request to list or change documents names. `pin`: the pins whose documents are meant. */
type DocumentRequest = {
  stopNodeId?: string | null | undefined
  pin?: string | readonly string[] | undefined
}

/**
 * The fence of a request: that of the key of the caller, else the one that it names by pins.
 *
 * @throws SluiceError `pinned_key_refused`, `pins_invalid`
 */
export function fenceForCaller(pin: DocumentRequest['pin'], ofCaller: Fence | undefined): Fence | undefined {
  const named = pin === undefined ? undefined : fenceOf(readPins([pin].flat()))
  if (named && ofCaller && named.id !== ofCaller.id)
    throw new SluiceError('pinned_key_refused', { what: 'documents of other pins' })
  return ofCaller ?? named
}

/**
 * The store of a flow, to list and change what it holds: within the fence of the caller, or for a caller without one within
 * that of the pins that the request names.
 *
 * @throws SluiceError `pins_invalid`; `pinned_key_refused` for a caller with other pins
 */
export function storeForCaller(
  platform: FlowServices,
  flow: FlowRow,
  { stopNodeId, pin }: DocumentRequest,
  ofCaller: Fence | undefined,
): ChunkStore {
  const request = { overrides: {}, stopNodeId: stopNodeId || undefined }
  return planRetrieval(within(platform, fenceForCaller(pin, ofCaller)), flowSource(flow), request).part.store
}

/** A namespace that a flow uses, and the slugs of other flows that use it too. */
export type UsedNamespace = { namespace: string; sharedWith: string[] }

/** The namespaces of a flow, each with the other flows that use it. */
export async function usedNamespaces(
  flow: FlowRow,
  platform: Pick<Platform, 'flows' | 'catalog' | 'nodeServices'>,
): Promise<UsedNamespace[]> {
  const used = namespacesOf(platform, flowSource(flow))
  if (used.length === 0) return []
  const { rows } = await platform.flows.list()
  const others = rows
    .filter(({ id }) => id !== flow.id)
    .map((row) => ({ slug: row.slug, namespaces: namespacesOf(platform, flowSource(row)) }))
  return used.map((namespace) => ({
    namespace,
    sharedWith: others.filter(({ namespaces }) => namespaces.includes(namespace)).map(({ slug }) => slug),
  }))
}
