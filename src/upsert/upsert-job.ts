import { keepsOriginals } from '../flow/settings/keeps-originals.ts'
import type { Originals } from './originals.ts'
import type { ChatMessageStore, ConversationCaller } from '../contract/chat-message-store.ts'
import type { FilePasswords } from '../contract/file-passwords.ts'
import type { JobFile } from '../contract/job.ts'
import type { Fence, Pins } from '../contract/fence.ts'
import { fenceOf } from '../documents/fence.ts'
import type { UploadedFile } from '../contract/loader.ts'
import type { FlowSource, PlanContext } from '../flow/apply-request.ts'
import { sourcesOfLoader } from './loader-sources.ts'
import { describeNodes } from '../flow/describe.ts'
import { planUpsert, type StorePlan } from '../flow/plan-store.ts'
import { SluiceError } from '../kit/errors.ts'
import { flowFacts } from '../kit/flow-facts.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import type { Log, LogFacts } from '../kit/log.ts'
import type { SecretMask } from '../kit/secret-mask.ts'
import { fencedServices } from '../stores/fenced-services.ts'
import type { UpsertEngine } from './engine.ts'
import type { ChunkEditStore } from '../contract/chunk-edit-store.ts'
import { fencedSourceName } from '../documents/conversation.ts'
import { RunEdits } from './run-edits.ts'
import type { UpsertResult } from './outcome.ts'
import type { Performer, Prepared } from '../jobs/performer.ts'
import type { JoinConversation } from './run-sources.ts'
import type { RunReading, UpsertWork } from './run.ts'

/** The parameters of an upsert request. */
export type UpsertJobRequest = {
  overrides: JsonObject
  stopNodeId?: string | undefined
  uploads?: readonly UploadedFile[] | undefined
  /** With it only this conversation finds the documents. */
  chatId?: string | undefined
  /** Who sends it: metadata of documents may name conversations of others. Without it they may name any. */
  sender?: ConversationCaller | undefined
  /** What opens the files. */
  passwords?: FilePasswords | undefined
  /** With it the documents get its pins, and only callers with them work on them. */
  fence?: Fence | undefined
  /** The only loader node that loads. Its documents replace earlier versions, and other documents stay. */
  loader?: string | undefined
  /** With `loader`: its other documents are removed. */
  replacesOthers?: boolean | undefined
}

/** The stored request, with the flow as it was at the time of the request: later edits do not change a queued job. */
export type UpsertContent = {
  flow: { id: string; flowData: string; apiConfig: Json }
  overrides: JsonObject
  stopNodeId?: string | undefined
  uploading: boolean
  chatId?: string | undefined
  sender?: ConversationCaller | undefined
  /** What opens the files. It goes with the end of the job: see `jobEnvelope`. */
  passwords?: FilePasswords | undefined
  /** Those of the key that sent it. */
  pins?: Pins | undefined
  /** The quota of that key. */
  mostChunks?: number | undefined
  /** The drawing is not the stored one. */
  draft?: boolean
  /** Loads again what was loaded with other settings, or all that `loader` has loaded; there are no uploads. */
  refresh?: boolean
  loader?: string | undefined
  replacesOthers?: boolean | undefined
}

/** An upsert, planned and not begun. */
export type PlannedUpsert = StorePlan &
  Pick<UpsertWork, 'conversation' | 'join' | 'passwords' | 'cleanup' | 'replaces' | 'edits'>

export type UpsertJobs = Performer & {
  /** Checks a request in the same way as its run does. @throws SluiceError as `planUpsert` does */
  prepare(flow: FlowSource, request: UpsertJobRequest): Prepared & { plan: PlannedUpsert }
  /** The same for a refresh. */
  prepareRefresh(flow: FlowSource, request: RefreshRequest): Prepared
  /**
   * What one loader would make of its documents, or of uploads: `sourceDocuments` has the first chunks. Nothing is embedded or stored.
   *
   * @throws SluiceError as `planUpsert` and a dry run do
   */
  preview(flow: FlowSource, request: PreviewRequest, signal: AbortSignal): Promise<UpsertResult>
}

export type RefreshRequest = Pick<UpsertJobRequest, 'stopNodeId' | 'fence' | 'passwords' | 'loader'>

export type PreviewRequest = Pick<UpsertJobRequest, 'uploads' | 'passwords'> & { loader: string }

export type UpsertJobsOptions = PlanContext & {
  engine: UpsertEngine
  /** Keeps the files of flows that say so. */
  originals?: Originals
  findFlow(id: string): Promise<FlowSource | undefined>
  /** What users have changed of chunks. */
  edits?: Pick<ChunkEditStore, 'list'>
  /** Who may load into which conversation. */
  conversations?: Pick<ChatMessageStore, 'claim' | 'requireOwner'>
  log: Log
  /** Masks secrets in names: a file may be the address of a page. */
  mask?: Pick<SecretMask, 'text'>
}

/** Makes a function that gives the job and the flow of a log line. The flow may be gone by now. */
export const logFacts =
  ({ findFlow }: Pick<UpsertJobsOptions, 'findFlow'>) =>
  async (flowId: string, job: string): Promise<LogFacts> => ({
    job,
    ...flowFacts((await findFlow(flowId).catch(() => undefined)) ?? { id: flowId }),
  })

/** Plans requests of upserts, and renews them for a retry. */
export function upsertPlans({
  catalog,
  nodeServices,
  findFlow,
  conversations,
  edits,
  originals,
}: Pick<
  UpsertJobsOptions,
  'catalog' | 'nodeServices' | 'findFlow' | 'conversations' | 'edits' | 'originals'
>) {
  /** A dry run begins no conversation. */
  const joining =
    (flowId: string, sender: ConversationCaller, dryRun: boolean): JoinConversation =>
    async (chatId) => {
      const { owner, anyOwner, ownedOnly } = sender
      if (!dryRun) await conversations?.claim({ flowId, chatId }, { ...sender, now: Date.now() })
      else if (!anyOwner)
        await conversations?.requireOwner({ flowId, chatId, sessionId: chatId }, owner, ownedOnly)
    }

  function planOf(request: JsonObject | UpsertContent, dryRun = false): PlannedUpsert {
    const { flow, ...rest } = request as UpsertContent
    const { sender } = rest
    const plan = planUpsert(
      { catalog, nodeServices: fencedServices(nodeServices, fenceOf(rest.pins, rest.mostChunks)) },
      flow,
      {
        overrides: rest.overrides,
        uploads: rest.refresh ? 'kept' : rest.uploading,
        stopNodeId: rest.stopNodeId,
        loader: rest.loader,
      },
    )
    const { loader } = rest
    const fence = fenceOf(rest.pins)?.id
    const nameOf = (source: string) => (fence === undefined ? source : fencedSourceName(source, fence))
    return {
      ...plan,
      conversation: { flowId: flow.id, chatId: rest.chatId },
      passwords: rest.passwords,
      ...(edits
        ? { edits: async () => new RunEdits(await edits.list(plan.part.store.namespace), nameOf) }
        : {}),
      ...(loader === undefined ? {} : { cleanup: 'incremental' as const }),
      ...(loader !== undefined && rest.replacesOthers
        ? { replaces: () => sourcesOfLoader(plan.part.store, flow.id, loader) }
        : {}),
      ...(sender ? { join: joining(flow.id, sender, dryRun || plan.options.dryRun) } : {}),
    }
  }

  function prepare(content: UpsertContent) {
    const plan = planOf(content)
    return {
      plan,
      namespace: plan.part.store.namespace,
      fence: fenceOf(content.pins)?.id,
      request: content as unknown as JsonObject,
      description: describeNodes(plan.nodes, catalog),
    }
  }

  /** What a refresh reads; undefined for any other upsert. It is found under the lease of the namespace. */
  async function readingOf(content: UpsertContent, plan: PlannedUpsert): Promise<RunReading | undefined> {
    if (!content.refresh) return undefined
    // Loaded when it is first needed: most servers never refresh a flow.
    const { findLoaderWork, findRefreshWork, readAgain } = await import('./load-again.ts')
    const { findStaleLoads } = await import('./stale-loads.ts')
    const { store } = plan.part
    const again = {
      plan: (overrides: JsonObject) => planOf({ ...content, overrides }),
      originals: originals ?? { open: async () => undefined },
      scratch: nodeServices.scratch,
    }
    if (content.loader !== undefined)
      return readAgain({ ...(await findLoaderWork(store, content.flow.id, content.loader)), ...again })
    const now = [...(plan.loads?.values() ?? [])].map(({ settings }) => settings)
    const flowId = content.flow.id
    const stale = await findStaleLoads(store, { catalog, flowId, now, parser: nodeServices.parser })
    return readAgain({ ...(await findRefreshWork(store, stale)), ...again })
  }

  return {
    planOf,
    prepare,
    readingOf,
    contentOf(
      { id, flowData, apiConfig }: FlowSource,
      { overrides, stopNodeId, uploads, chatId, sender, passwords, fence, ...which }: UpsertJobRequest,
    ): UpsertContent {
      const flow = { id, flowData, apiConfig: apiConfig as Json }
      const uploading = uploads !== undefined && uploads.length > 0
      return {
        flow,
        overrides,
        stopNodeId,
        uploading,
        chatId,
        ...(sender ? { sender } : {}),
        ...(passwords ? { passwords } : {}),
        ...(fence ? { pins: fence.pins, mostChunks: fence.mostChunks } : {}),
        ...(which.loader === undefined ? {} : { loader: which.loader, replacesOthers: which.replacesOthers }),
      }
    },
    /** A retry uses the flow as it is now: the user may have repaired it. A draft stays as it was sent. */
    async renew(flowId: string, request: JsonObject) {
      const content = request as unknown as UpsertContent
      const flow = await findFlow(flowId)
      if (!flow) throw new SluiceError('flow_not_found', { flow: flowId })
      const flowData = content.draft ? content.flow.flowData : flow.flowData
      return prepare({ ...content, flow: { ...flow, flowData, apiConfig: flow.apiConfig as Json } })
    },
  }
}

/**
 * Upsert jobs. A request is planned to check it, and again when its job runs: a queued job must survive a restart, and
 * should not hold its texts in memory.
 */
export function upsertJobs(options: UpsertJobsOptions): UpsertJobs {
  const { engine, originals, log, mask } = options
  const { contentOf, planOf, prepare, readingOf, renew } = upsertPlans(options)
  const factsOf = logFacts(options)

  return {
    prepare: (flow, request) => prepare(contentOf(flow, request)),
    prepareRefresh(flow, request) {
      const { plan: _, ...prepared } = prepare({
        ...contentOf(flow, { ...request, overrides: {} }),
        refresh: true,
      })
      return prepared
    },
    async preview(flow, { uploads, ...request }, signal) {
      const content = contentOf(flow, { ...request, uploads, overrides: {} })
      const planned = content.uploading ? content : { ...content, refresh: true }
      const plan = planOf(planned, true)
      const reading = await readingOf(planned, plan)
      return engine.upsert(
        {
          ...plan,
          options: { ...plan.options, dryRun: true, returnSourceDocuments: true },
          ...(reading ? { reading } : {}),
          ...(uploads ? { uploads } : {}),
        },
        signal,
      )
    },
    async run(request, { jobId, uploads, lease, signal, onProgress, onFiles }) {
      const content = request as unknown as UpsertContent
      const { id } = content.flow
      const plan = planOf(content)
      const reading = await readingOf(content, plan)
      let files: readonly JobFile[] = []
      const work = engine.upsert(
        {
          ...plan,
          jobId,
          ...(mask ? { maskText: mask.text } : {}),
          onFiles(rows) {
            files = rows
            onFiles?.(rows)
          },
          ...(reading ? { reading } : {}),
          ...(uploads ? { uploads } : {}),
          ...(keepsOriginals(content.flow.apiConfig) ? { originals } : {}),
        },
        signal,
        onProgress,
        lease,
      )
      const result = await work.finally(async () => {
        const failed = files.filter(({ state }) => state === 'failed')
        if (failed.length === 0) return
        const facts = await factsOf(id, jobId)
        for (const { name, code } of failed)
          log.warn('file-failed', { ...facts, file: mask?.text(name) ?? name, code })
      })
      log.info('upsert-done', {
        ...(await factsOf(id, jobId)),
        files: result.files.length,
        failed: result.numFailed,
        added: result.numAdded,
        updated: result.numUpdated,
        skipped: result.numSkipped,
        deleted: result.numDeleted,
      })
      return result
    },
    async renew(flowId, request) {
      const { plan: _, ...prepared } = await renew(flowId, request)
      return prepared
    },
  }
}
