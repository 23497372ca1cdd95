import type { StorePart } from '../../contract/card.ts'
import type { ChunkStore } from '../../contract/chunk-store.ts'
import type { FlowSource, PlanContext } from '../../flow/apply-request.ts'
import { flowLoadSettings } from '../../flow/load-settings.ts'
import { planEvaluation, planRetrieval, planUpsert } from '../../flow/plan-store.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import { canonicalJson, type Json, type JsonObject } from '../../kit/json.ts'
import type { RunReading, UpsertWork } from '../../upsert/run.ts'
import type { Collection } from '../collection.ts'
import { collectionLoader } from '../collection-loader.ts'
import type { PlannedVariant } from './planned-variant.ts'

type VariantFlow = { name: string; flow: FlowSource }

/** All that one comparison loads goes into one namespace of its own database. */
const within = ({ catalog, nodeServices }: PlanContext, store: ChunkStore | undefined): PlanContext => ({
  catalog,
  nodeServices: store
    ? { ...nodeServices, openStore: () => store, openSeparateStore: () => store }
    : nodeServices,
})

/** @throws SluiceError the failure, with the name of the variant */
function named<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'variant_invalid') throw error
    throw new SluiceError('variant_invalid', { variant: name, reason: reasonOf(error) }, { cause: error })
  }
}

/** What decides the chunks and their vectors: the settings of loaders and splitters, and the embedder. */
const indexKeyOf = (context: PlanContext, flow: FlowSource, embedder: string): string =>
  canonicalJson([embedder, flowLoadSettings(context.catalog, flow) as unknown as Json])

function searchOf(context: PlanContext, { flow }: VariantFlow, variables: Readonly<Record<string, string>>) {
  const { part } = planRetrieval(context, flow, { overrides: {}, variables })
  if (part.open)
    throw new SluiceError('flow_cannot_query', {
      reason: 'it searches the store of another flow: compare that flow',
    })
  return part
}

/**
 * A variant over the documents of its flow.
 *
 * @param options.reading the documents, for the loaders of a plan
 * @throws SluiceError `variant_invalid`
 */
export function planOverDocuments(
  context: PlanContext,
  variant: VariantFlow,
  options: {
    variables: Readonly<Record<string, string>>
    reading(plan: (overrides: JsonObject) => ReturnType<typeof planUpsert>): RunReading
  },
): PlannedVariant {
  const { name, flow } = variant
  const plan = (store: ChunkStore | undefined, overrides: JsonObject) =>
    planUpsert(within(context, store), flow, { overrides, uploads: 'kept' })
  const { embedder } = named(name, () => {
    plan(undefined, {})
    return searchOf(context, variant, options.variables)
  })
  return {
    name,
    indexKey: indexKeyOf(context, flow, embedder.id),
    isLocal: embedder.local === true,
    loading(store): Omit<UpsertWork, 'part'> & { part: StorePart } {
      const { part, loads } = plan(store, {})
      return {
        ...{ part, options: LOADING, warnings: [], cleanup: 'incremental' },
        ...(loads ? { loads } : {}),
        reading: options.reading((overrides) => plan(store, overrides)),
      }
    },
    searching: (store) => searchOf(within(context, store), variant, options.variables),
  }
}

/**
 * A variant over a collection, without the settings that only fit the documents of the flow: filter and record manager.
 *
 * @throws SluiceError `variant_invalid`
 */
export function planOverCollection(
  context: PlanContext,
  { name, flow }: VariantFlow,
  collection: Collection,
): PlannedVariant {
  const plan = (store: ChunkStore | undefined) => {
    const { part, splitter } = planEvaluation(within(context, store), flow)
    const { recordManager: _records, retrieval, ...rest } = part
    const { filter: _filter, ...settings } = retrieval
    return { part: { ...rest, retrieval: settings }, splitter }
  }
  const { part } = named(name, () => plan(undefined))
  return {
    name,
    indexKey: indexKeyOf(context, flow, part.embedder.id),
    isLocal: part.embedder.local === true,
    loading(store) {
      const planned = plan(store)
      return {
        part: { ...planned.part, loaders: [collectionLoader(collection, planned.splitter)] },
        ...{ options: LOADING, warnings: [] },
      }
    },
    searching: (store) => plan(store).part,
  }
}

const LOADING = {
  strict: false,
  dryRun: false,
  confirmFullCleanup: false,
  returnSourceDocuments: false,
  addMetadata: {},
}
