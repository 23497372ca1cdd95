import { NO_CUSTOM_TOOLS } from './flow/named-tools.ts'
import { NO_OTHER_STORES } from './flow/document-stores/flow-stores.ts'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { NodeServices } from './contract/card.ts'
import { DATA_FILES } from './contract/data-files.ts'
import type { FlowStore } from './contract/flow-store.ts'
import { credentialStore } from './db/repositories/credentials.ts'
import { openDatabase } from './db/sqlite/database.ts'
import { flowStore } from './db/repositories/flows.ts'
import { refuseLostLog } from './db/sqlite/log-check.ts'
import { readSecretKey } from './db/sqlite/secret-key.ts'
import { readCollection } from './evaluate/collection.ts'
import { checkVariants } from './evaluate/comparison/compare-job.ts'
import { questionsOfCollection } from './evaluate/comparison/compared-questions.ts'
import type { LocalComparison } from './evaluate/comparison/local-comparison.ts'
import { openTemporaryIndex } from './evaluate/comparison/open-index.ts'
import type { ComparisonOutcome } from './evaluate/comparison/outcome.ts'
import { planOverCollection } from './evaluate/comparison/plan-variants.ts'
import { compareVariants } from './evaluate/comparison/run.ts'
import { evaluate, type Evaluation, type EvaluationRequest } from './evaluate/run.ts'
import type { FlowSource } from './flow/apply-request.ts'
import { drawVariant } from './flow/draw-variant.ts'
import { planEvaluation } from './flow/plan-store.ts'
import { quickstartFlow } from './flow/quickstart.ts'
import { createFileParser } from './formats/pool.ts'
import type { Config } from './kit/config.ts'
import { directAddress } from './kit/direct-address.ts'
import { createEgress } from './kit/egress/client.ts'
import { rulesOfSettings } from './kit/egress/rules-of-settings.ts'
import { SluiceError } from './kit/errors.ts'
import { quietLog } from './kit/log.ts'
import { createKeyedQueue } from './kit/keyed-queue.ts'
import { createSecretBox } from './kit/secret-box.ts'
import { catalog } from './nodes/catalog.ts'
import { createRetriever } from './retrieve/run.ts'
import { builtInStores } from './stores/built-in.ts'
import { createUpsertEngine } from './upsert/engine.ts'

/**
 * Measures how well a flow retrieves, in a temporary data directory. From the data directory of the flow it only reads.
 *
 * @throws SluiceError `collection_invalid`, `flow_not_found`, and what plan, upsert and queries throw
 */
export async function evaluateFlow(config: Config, request: EvaluationRequest): Promise<Evaluation> {
  const { signal, onProgress } = request
  const collection = await readCollection(request.collection)
  await using ending = new AsyncDisposableStack()
  const { flow, context } = await openWork(config, request.flow, ending)
  const plan = planEvaluation(context, flow)
  const engine = createUpsertEngine({ namespaceQueue: createKeyedQueue(), log: quietLog })
  ending.defer(() => engine.idle())
  return await evaluate({ ...plan, collection, engine, retriever: createRetriever(), signal, onProgress })
}

/**
 * Compares variants of a flow over a collection, in a temporary data directory. From the data directory of the flow it only reads.
 *
 * @throws SluiceError `collection_invalid`, `flow_not_found`, and what the comparison throws
 */
export async function compareFlow(config: Config, request: LocalComparison): Promise<ComparisonOutcome> {
  const { variants, looks, signal, onProgress } = request
  checkVariants(variants)
  const collection = await readCollection(request.collection)
  await using ending = new AsyncDisposableStack()
  const { flow, context, directory } = await openWork(config, request.flow, ending)
  const planned = variants.map((variant) => {
    if (variant.revision !== undefined)
      throw new SluiceError('variant_invalid', {
        variant: variant.name,
        reason: 'a comparison over a collection knows no revisions: give its drawing as a file',
      })
    const drawn = { ...flow, flowData: variant.flowData ?? flow.flowData }
    const made = drawVariant(catalog, drawn, variant)
    return planOverCollection(context, { name: variant.name, flow: made.flow }, collection)
  })
  return await compareVariants({
    variants: planned,
    questions: questionsOfCollection(collection),
    sources: new Set(collection.documents.map(({ id }) => id)),
    documents: { files: collection.documents.length, texts: 0, missing: { count: 0, names: [] } },
    bounds: {
      tokens: config.MAX_COMPARE_TOKENS,
      megabytes: config.MAX_COMPARE_MB,
      minutes: config.MAX_COMPARE_MINUTES,
    },
    directory: path.join(directory, 'comparison'),
    openIndex: (folder) => openTemporaryIndex(folder, quietLog),
    ...{ looks, signal, onProgress },
  })
}

/** A flow, and a temporary data directory to work on it, which goes with `ending`. */
async function openWork(config: Config, named: string | FlowSource, ending: AsyncDisposableStack) {
  const { flow, credential } = await findFlow(config, named, ending)
  const directory = await mkdtemp(path.join(tmpdir(), 'sluice-eval-'))
  ending.defer(() => rm(directory, { recursive: true, force: true }))
  const database = openDatabase(directory)
  ending.defer(() => database.close())
  const egress = createEgress({ rules: rulesOfSettings(config) })
  ending.defer(() => egress.close())
  const parser = createFileParser({ readable: [] })
  ending.defer(() => parser.close())

  const stores = builtInStores(database)
  const nodeServices: NodeServices = {
    parser,
    scratch: directory,
    folders: { allowed: [], never: [directory] },
    egress,
    credential,
    settings: config,
    customTools: NO_CUSTOM_TOOLS,
    openStore: stores.open,
    // The collection is not written into an engine that others use: it is measured in the built-in one.
    openSeparateStore: stores.open,
    flowStores: NO_OTHER_STORES,
    retrieve: async () => [],
  }
  return { flow, directory, context: { catalog, nodeServices } }
}

type Found = { flow: FlowSource; credential: NodeServices['credential'] }

/** The flow, and a function that opens its credentials. `quickstart` can be evaluated before there is a data directory. */
async function findFlow(
  config: Config,
  flow: string | FlowSource,
  ending: AsyncDisposableStack,
): Promise<Found> {
  const noCredential = async (id: string): Promise<never> => {
    throw new SluiceError('credential_not_found', { id, hint: HINT })
  }
  if (typeof flow !== 'string') return { flow, credential: noCredential }
  const address = directAddress(config)
  if (address !== undefined) {
    const { openPostgres } = await import('./db/postgres/database.ts')
    const { flowStore } = await import('./db/repositories/flows.ts')
    const database = await openPostgres(address, { program: 'sluice-command' })
    ending.defer(() => database.close())
    const source = await sourceOf(flowStore(database.sql), flow)
    const secret = config.SECRET_KEY
    if (secret === undefined) return { flow: source, credential: noCredential }
    return { flow: source, credential: credentialStore(database.sql, createSecretBox(secret)).open }
  }
  if (existsSync(path.join(config.DATA_DIR, DATA_FILES.database))) {
    await refuseLostLog(config.DATA_DIR)
    const database = openDatabase(config.DATA_DIR)
    ending.defer(() => database.close())
    const source = await sourceOf(flowStore(database.sql), flow)
    const secret = await readSecretKey(database, config.DATA_DIR, config.SECRET_KEY)
    if (secret === undefined) return { flow: source, credential: noCredential }
    return { flow: source, credential: credentialStore(database.sql, createSecretBox(secret)).open }
  }
  const quickstart = quickstartFlow(catalog)
  if (flow !== quickstart.slug) throw new SluiceError('flow_not_found', { flow, hint: ELSEWHERE })
  return { flow: { ...quickstart, id: quickstart.slug }, credential: noCredential }
}

/** @throws SluiceError `flow_not_found` */
async function sourceOf(flows: FlowStore, flow: string): Promise<FlowSource> {
  const row = await flows.find(flow)
  if (!row) throw new SluiceError('flow_not_found', { flow })
  return { id: row.id, flowData: row.flowData, apiConfig: row.config.apiConfig }
}

const HINT =
  'A server does not send credentials: run this on the machine that has its DATA_DIR, or with its DATABASE_URL, without --url'
const ELSEWHERE = 'Give its data directory with --data-dir, or its server with --url'
