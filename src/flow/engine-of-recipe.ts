import type { FlowContext } from '../contract/card.ts'
import type { ChunkStore } from '../contract/chunk-store.ts'
import type { EngineRecipe, EngineSource } from '../contract/engine-source.ts'
import { SluiceError } from '../kit/errors.ts'
import type { PlanContext } from './apply-request.ts'
import { buildPart } from './assemble.ts'

/** Nothing is asked of it. */
const NO_STORE = {} as ChunkStore

const NO_PARTS = { document: [], embeddings: undefined, recordManager: undefined, reranker: undefined }

/** No address is one that the owner of a flow has typed. */
const NONE_TYPED: ReadonlySet<string> = new Set()

/**
 * The engine that the node of a flow has named, without the flow. It has no more rights than it had there.
 *
 * @throws SluiceError `node_unknown`, `input_invalid`
 */
export function engineOfRecipe(
  { card: name, inputs, byRequest }: EngineRecipe,
  { catalog, nodeServices }: PlanContext,
): EngineSource {
  const card = catalog.get(name)
  if (card?.kind !== 'vectorStore') throw new SluiceError('node_unknown', { node: name, nodeId: name })
  let found: EngineSource | undefined
  const note = (source: EngineSource): ChunkStore => {
    found = source
    return NO_STORE
  }
  const context: FlowContext = {
    ...nodeServices,
    flowId: name,
    openStore: () => NO_STORE,
    openSeparateStore: (_, source) => note(source),
    ...(byRequest ? { typedAddresses: NONE_TYPED } : {}),
  }
  const { label, category } = card
  buildPart(card, { id: name, name, label, category, inputs }, NO_PARTS, context)
  if (!found) throw new SluiceError('node_unknown', { node: name, nodeId: name })
  return found
}
