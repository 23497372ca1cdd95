import type { LoadComparisonAnswer } from '../api/refresh.ts'
import type { StorePart } from '../contract/card.ts'
import type { FlowSource } from '../flow/apply-request.ts'
import { flowLoadSettings } from '../flow/load-settings.ts'
import { planRetrieval } from '../flow/plan-store.ts'
import { settingChangeText } from '../flow/setting-change.ts'
import { SluiceError } from '../kit/errors.ts'
import { fencedServices } from '../stores/fenced-services.ts'
import type { Platform } from './platform.ts'

/** The embedder of the stored vectors and that of the flow, where they differ; their engines may differ too. */
async function otherVectors({ store, embedder }: StorePart) {
  try {
    const from = await store.embedder()
    const differs = from !== undefined && from !== embedder.id
    return { differs, embedder: differs ? { from, to: embedder.id } : null }
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== 'engine_changed') throw error
    return { differs: true, embedder: null }
  }
}

/** What a flow without a store that works answers: it holds nothing that could differ, or its upsert says what is wrong. */
const NOTHING: LoadComparisonAnswer = {
  ...{ next: null, differing: 0, fromKept: 0, fromLoaders: 0, unknownSettings: 0, embedders: null },
  filesNeeded: { count: 0, names: [] },
  differences: [],
}

function storePartOf(plan: () => StorePart): StorePart | undefined {
  try {
    return plan()
  } catch (error) {
    // The flow cannot run as it is drawn: each other request of it says why.
    if (error instanceof SluiceError && (error.status === 422 || error.code === 'flow_invalid'))
      return undefined
    throw error
  }
}

/**
 * Which documents of a flow were loaded with other settings than its drawing has, and what brings them up to date.
 *
 * @param source the stored flow, or the same flow with a drawing that is not saved
 * @param fence of the caller: what others loaded is not counted
 */
export async function compareFlowLoads(
  { catalog, nodeServices }: Pick<Platform, 'catalog' | 'nodeServices'>,
  source: FlowSource,
  { fence, stopNodeId }: { fence: Parameters<typeof fencedServices>[1]; stopNodeId: string | undefined },
): Promise<LoadComparisonAnswer> {
  const services = fencedServices(nodeServices, fence)
  const context = { catalog, nodeServices: services }
  const part = storePartOf(() => planRetrieval(context, source, { overrides: {}, stopNodeId }).part)
  // The documents of a store of another flow are refreshed there.
  if (!part || part.open) return NOTHING
  // Loaded when it is first needed, as the rest of a refresh.
  const { compareStore } = await import('../upsert/stale-loads.ts')
  const now = flowLoadSettings(catalog, source, stopNodeId)
  const { differences, unknown, missing } = await compareStore(part.store, {
    ...{ catalog, flowId: source.id, now, parser: nodeServices.parser },
  })
  const { differs, embedder } = await otherVectors(part)
  const sum = (of: (one: (typeof differences)[number]) => number) =>
    differences.reduce((total, one) => total + of(one), 0)
  const kept = sum((one) => (one.finds ? 0 : one.originals))
  const found = sum((one) => (one.finds ? one.sources : 0))
  return {
    next: differs ? 'reindex' : kept + found > 0 ? 'refresh' : missing.count > 0 ? 'send' : null,
    differing: kept + found + missing.count,
    fromKept: kept,
    fromLoaders: found,
    filesNeeded: missing,
    unknownSettings: unknown.sources,
    embedders: embedder,
    differences: differences.map(({ sources, changes }) => ({
      differing: sources,
      summary: changes.map(settingChangeText).join(', '),
      changes,
    })),
  }
}
