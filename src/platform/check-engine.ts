import { NO_CUSTOM_TOOLS } from '../flow/named-tools.ts'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import type { FlowContext } from '../contract/card.ts'
import type { ChunkStore } from '../contract/chunk-store.ts'
import type { CheckedStep, EngineCheck, EngineCheckRequest } from '../contract/engine-check.ts'
import type { ConnectedEngine, EngineSource } from '../contract/engine-source.ts'
import { buildPart } from '../flow/assemble.ts'
import type { Config } from '../kit/config.ts'
import { createEgress, type Egress, type EgressFetch } from '../kit/egress/client.ts'
import { rulesOfSettings } from '../kit/egress/rules-of-settings.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { openOnce } from '../kit/open-once.ts'
import { catalog } from '../nodes/catalog.ts'
import { CHECKABLE_ENGINES, withAddress } from '../nodes/checkable-engines.ts'
import { engineSteps } from '../stores/engine-check/engine-steps.ts'
import { pgVectorStep } from '../stores/engine-check/pgvector-step.ts'
import { CheckFailure, type EngineStep, leftOut, runSteps } from '../stores/engine-check/run-steps.ts'
import { aliasStep, searchServerSteps } from '../stores/engine-check/search-server-steps.ts'
import { versionStep } from '../stores/engine-check/version-step.ts'
import { readBaseURLs } from '../stores/remote/base-urls.ts'
import { type EngineAccess, type EngineServer, engineServer } from '../stores/remote/engine-server.ts'
import { tableOf } from '../stores/pgvector/tables.ts'
import { aliasNameOf } from '../stores/remote/search-indexes.ts'

/** How long an engine may take to answer, in milliseconds: a check is not an upsert. */
const ANSWER_MS = 30_000
const COLLECTION = 'a'
const KEY_HINT = 'Check the credential'

/**
 * Tries an engine as a flow would use it: with the engine that the node of a flow makes, by the rules for outgoing calls of these settings.
 *
 * @param signal stops between two calls; the collection is still removed
 * @throws SluiceError `input_invalid` where the node of the engine cannot have the address or the prefix
 */
export async function checkEngine(
  config: Config,
  request: EngineCheckRequest,
  signal: AbortSignal,
): Promise<EngineCheck> {
  await using ending = new AsyncDisposableStack()
  const calls = { stopped: signal as AbortSignal | undefined }
  const given = createEgress({ rules: rulesOfSettings(config) })
  ending.defer(() => given.close())
  const egress = stoppable(given, calls)
  const own = `sluice-check-${randomBytes(4).toString('hex')}`
  const prefix = request.prefix === undefined ? own : `${request.prefix}-${own}`
  const name =
    request.kind === 'pgvector' ? tableOf({ table: prefix }, COLLECTION).plainName : `${prefix}-${COLLECTION}`
  const source = sourceOf(request, { config, egress, prefix })
  const engine = source.create()
  ending.defer(async () => engine.close?.())
  const { first, last } = serverSteps(request, egress, prefix)
  const { dimensions } = request
  const trial = engineSteps(engine, { collection: COLLECTION, dimensions })
  const steps = await runSteps([...first, ...trial, ...last], { signal })
  // What an interruption has left is removed, too.
  calls.stopped = undefined
  steps.push(await removal(engine, steps, name))
  const ok = steps.every(({ outcome }) => outcome !== 'failed') && !signal.aborted
  return { kind: request.kind, experimental: source.experimental === true, collection: name, steps, ok }
}

/** Nothing is asked of it. */
const NO_STORE = {} as ChunkStore

const refuse = (): never => {
  throw new Error('a check of an engine needs no other part')
}

/** The engine that the node of a flow has. */
function sourceOf(
  { kind, address, credential }: EngineCheckRequest,
  { config, egress, prefix }: { config: Config; egress: Egress; prefix: string },
): EngineSource {
  const checkable = CHECKABLE_ENGINES[kind]
  const card = catalog.get(checkable.card)!
  const values = withAddress(checkable, address, credential)
  let found: EngineSource | undefined
  const context: FlowContext = {
    ...{ flowId: 'check', scratch: tmpdir(), folders: { allowed: [], never: [] }, egress, settings: config },
    parser: { parse: refuse, close: async () => {} },
    credential: async () => values,
    customTools: NO_CUSTOM_TOOLS,
    openStore: refuse,
    openSeparateStore(_, source) {
      found = source
      return NO_STORE
    },
    flowStores: { open: refuse, list: refuse },
    retrieve: refuse,
  }
  const hasValues = Object.keys(values).length > 0
  const inputs = { ...checkable.inputs(address, prefix), ...(hasValues ? { credential: 'check' } : {}) }
  const { name, label, category } = card
  const parts = { document: [], embeddings: undefined, recordManager: undefined, reranker: undefined }
  buildPart(card, { id: kind, name, label, category, inputs }, parts, context)
  return found!
}

/** What is asked of the server itself, before and after its engine is tried. */
function serverSteps(
  { kind, address, credential }: EngineCheckRequest,
  egress: Egress,
  prefix: string,
): { first: EngineStep[]; last: EngineStep[] } {
  const checkable = CHECKABLE_ENGINES[kind]
  const provider = catalog.get(checkable.card)!.label
  if (kind === 'pgvector') {
    const { user = '', password = '' } = credential
    const place = checkable.inputs(address, prefix) as PostgresPlace
    const socket = egress.forProvider(`${place.host}:${place.port}`).socket
    return { first: [pgVectorStep({ ...place, login: async () => ({ user, password }), socket })], last: [] }
  }
  if (!checkable.access) return { first: [], last: [] }
  const access = openOnce(async () => checkable.access!(address, withAddress(checkable, address, credential)))
  const serverOf = (open: () => Promise<EngineAccess>, attempts?: number): EngineServer =>
    engineServer({
      egress,
      provider,
      keyHint: KEY_HINT,
      open,
      ...(attempts ? { retries: { attempts } } : {}),
    })
  const server = serverOf(access)
  if (kind === 'chroma' || kind === 'qdrant')
    return { first: [versionStep(server, provider, kind)], last: [] }
  const first = searchServerSteps(server, {
    addresses: async () => readBaseURLs((await access()).baseURL),
    serverAt: (baseURL) => serverOf(async () => ({ ...(await access()), baseURL }), 2),
  })
  return { first, last: [aliasStep(server, aliasNameOf(prefix, COLLECTION))] }
}

type PostgresPlace = { host: string; port: number; database: string; ssl: boolean }

/** The last step: nothing is left behind. */
async function removal(
  engine: ConnectedEngine,
  steps: readonly CheckedStep[],
  collection: string,
): Promise<CheckedStep> {
  const created = steps.find(({ step }) => step === 'create')
  const remove: EngineStep = {
    step: 'remove',
    async run() {
      if (created?.outcome === 'left out') return leftOut('nothing was made')
      try {
        await engine.drop(COLLECTION)
      } catch (error) {
        throw new CheckFailure(`${collection} may still be there, remove it by hand: ${reasonOf(error)}`)
      }
      return `${collection} is gone`
    },
  }
  const [row] = await runSteps([remove], { signal: NEVER })
  return row!
}

const NEVER = new AbortController().signal

/** The same client, which makes no further call once it is stopped, and does not wait for long. */
function stoppable(egress: Egress, calls: { stopped: AbortSignal | undefined }): Egress {
  const guarded =
    (send: EgressFetch): EgressFetch =>
    async (...call) => {
      if (calls.stopped?.aborted) throw new SluiceError('cancelled')
      return send(...call)
    }
  return {
    fetch: guarded(egress.fetch),
    limited: ({ headersMs = ANSWER_MS, ...limits }) =>
      guarded(egress.limited({ ...limits, headersMs: Math.min(headersMs, ANSWER_MS) })),
    socket: egress.socket,
    forProvider: (...place) => stoppable(egress.forProvider(...place), calls),
    forMcp: () => stoppable(egress.forMcp(), calls),
    checkPlace: egress.checkPlace,
    close: egress.close,
  }
}
