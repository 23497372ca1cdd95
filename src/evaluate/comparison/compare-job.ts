import {
  type ComparedDrawing,
  COMPARISON_LIMITS,
  type ComparisonBounds,
  type VariantDrawing,
} from '../../contract/comparison.ts'
import type { FlowStore } from '../../contract/flow-store.ts'
import type { JobProgress } from '../../contract/job.ts'
import type { QuestionStore } from '../../contract/question-store.ts'
import type { Variables } from '../../contract/variable.ts'
import type { FlowSource, PlanContext } from '../../flow/apply-request.ts'
import { drawVariant } from '../../flow/draw-variant.ts'
import { flowSource } from '../../flow/find-flow.ts'
import { planRetrieval } from '../../flow/plan-store.ts'
import { variableValues } from '../../flow/variables.ts'
import type { Performer, Prepared } from '../../jobs/performer.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import type { Log } from '../../kit/log.ts'
import type { Originals } from '../../upsert/originals.ts'
import {
  countStoredDocuments,
  findStoredDocuments,
  readStored,
  type StoredDocuments,
} from '../../upsert/stored-documents.ts'
import { logFacts } from '../../upsert/upsert-job.ts'
import { acceptedQuestions } from '../questions/accepted-questions.ts'
import type { Looks } from '../verdict/looks.ts'
import { planOverDocuments } from './plan-variants.ts'
import type { PlannedVariant } from './planned-variant.ts'
import { compareVariants, type VariantsProgress } from './run.ts'
import type { TemporaryFolders } from './temporary-folders.ts'
import type { TemporaryIndex } from './load-variant.ts'

/** The parameters of a comparison. The first variant is the baseline. */
export type CompareRequest = { variants: readonly ComparedDrawing[]; looks: Looks }

type StoredVariant = VariantDrawing & { name: string; flowData: string }

/** The stored request: each variant with its drawing as it was at the time of the request. */
export type CompareContent = {
  flow: { id: string; slug: string; flowData: string; apiConfig: Json }
  variants: StoredVariant[]
  looks: Looks
}

export type CompareJobs = Performer & {
  /**
   * Checks a request in the same way as its run does.
   *
   * @throws SluiceError `comparison_invalid`, `variant_invalid`, `comparison_over_limit`, and as `planRetrieval` does
   */
  prepare(flow: FlowSource, request: CompareRequest): Promise<Prepared>
}

/** One comparison runs at a time, whichever flow it is of: each has all of its indexes open. */
export const COMPARISON_NAMESPACE = 'comparison:all'

export type CompareJobsOptions = PlanContext & {
  flows: Pick<FlowStore, 'find' | 'revision'>
  questions: Pick<QuestionStore, 'list'>
  variables: Variables
  environment(name: string): string | undefined
  originals: Pick<Originals, 'open'>
  openIndex(directory: string): TemporaryIndex
  folders: Pick<TemporaryFolders, 'of' | 'remove'>
  bounds: ComparisonBounds
  log: Log
}

/** Jobs that compare variants of a flow over its documents and its accepted questions. */
export function compareJobs(options: CompareJobsOptions): CompareJobs {
  const { catalog, nodeServices, flows, questions, originals, openIndex, folders, bounds, log } = options
  const context = { catalog, nodeServices }
  const findFlow = async (id: string) => {
    const row = await flows.find(id)
    return row && flowSource(row)
  }

  async function drawn(flow: FlowSource, variant: ComparedDrawing): Promise<StoredVariant> {
    const { name, flowData, revision } = variant
    if (flowData !== undefined && revision !== undefined)
      throw new SluiceError('variant_invalid', {
        variant: name,
        reason: 'it has a drawing and a revision: send one',
      })
    let source = flowData
    if (revision !== undefined) {
      source = (await flows.revision(flow.id, revision))?.flow.flowData
      if (source === undefined)
        throw new SluiceError('variant_invalid', {
          variant: name,
          reason: `the flow has no revision ${revision}`,
        })
    }
    const made = drawVariant(catalog, { ...flow, flowData: source ?? flow.flowData }, variant)
    return {
      ...{ name, flowData: made.flow.flowData, changes: made.changes },
      ...{ revision: revision ?? null, ownDrawing: flowData !== undefined },
    }
  }

  async function storeOf(flow: FlowSource, variables: Readonly<Record<string, string>>) {
    const { part } = planRetrieval(context, flow, { overrides: {}, variables })
    if (part.open)
      throw new SluiceError('flow_cannot_query', {
        reason: 'it searches the store of another flow: compare that flow',
      })
    return part.store
  }

  /** The variants over documents, which are found when a variant loads. @throws SluiceError `variant_invalid` */
  async function planAll({ flow, variants }: Pick<CompareContent, 'flow' | 'variants'>) {
    const variables = await variableValues(options.variables, options.environment)
    const store = await storeOf(flow, variables)
    const { scratch } = nodeServices
    const planOver = (documents: StoredDocuments | undefined): PlannedVariant[] =>
      variants.map(({ name, flowData }) =>
        planOverDocuments(
          context,
          { name, flow: { ...flow, flowData } },
          {
            variables,
            reading: (plan) => readStored({ documents: documents!, store, plan, originals, scratch }),
          },
        ),
      )
    return { store, planOver }
  }

  /** Refuses what can be refused before anything is read. */
  async function check(content: Pick<CompareContent, 'flow' | 'variants'>): Promise<void> {
    const { store, planOver } = await planAll(content)
    const planned = planOver(undefined)
    const stored = await countStoredDocuments(store, content.flow.id)
    if (stored.sources === 0)
      throw new SluiceError('comparison_invalid', { reason: 'the flow has no documents: load some first' })
    checkTokens(planned, stored, bounds)
  }

  return {
    async prepare(flow, { variants, looks }) {
      checkVariants(variants)
      const { id, slug = id, flowData, apiConfig } = flow
      const stored: StoredVariant[] = []
      for (const variant of variants) stored.push(await drawn(flow, variant))
      const content: CompareContent = {
        flow: { id, slug, flowData, apiConfig: apiConfig as Json },
        variants: stored,
        looks,
      }
      const accepted = await acceptedQuestions(questions, id)
      if (accepted.length === 0)
        throw new SluiceError('comparison_invalid', { reason: 'the flow has no accepted question' })
      await check(content)
      return {
        namespace: COMPARISON_NAMESPACE,
        request: content as unknown as JsonObject,
        description: [],
      }
    },

    async run(request, { jobId, signal, onProgress }) {
      const content = request as unknown as CompareContent
      const { store, planOver } = await planAll(content)
      const documents = await findStoredDocuments(store, content.flow.id)
      if (documents.names.size === 0)
        throw new SluiceError('comparison_invalid', {
          reason: 'neither a file nor the text of any document of the flow is kept',
        })
      const progress = jobProgress(documents.names.size, onProgress)
      let isOver = true
      try {
        const outcome = await compareVariants({
          variants: planOver(documents),
          questions: await acceptedQuestions(questions, content.flow.id),
          sources: documents.names,
          documents: documents.summary,
          ...{ looks: content.looks, bounds, directory: folders.of(jobId), openIndex, signal },
          onProgress: progress,
        })
        log.info('comparison-done', {
          ...(await logFacts({ findFlow })(content.flow.id, jobId)),
          variants: outcome.variants.length,
          questions: outcome.questions,
        })
        const drawings = content.variants.map(({ revision, ownDrawing, changes }) => ({
          ...{ revision, ownDrawing, changes },
        }))
        const compared = outcome.variants.map((one, at) => ({ ...one, ...drawings[at] }))
        return { ...outcome, variants: compared } as unknown as JsonObject
      } catch (error) {
        isOver = !isStopping(signal)
        throw error
      } finally {
        // The next start of this server goes on from there.
        if (isOver) await folders.remove(jobId)
      }
    },

    async renew(flowId, request) {
      const flow = await findFlow(flowId)
      if (!flow) throw new SluiceError('flow_not_found', { flow: flowId })
      await check(request as unknown as CompareContent)
      return { namespace: COMPARISON_NAMESPACE, request, description: [] }
    },
  }
}

/** Whether the work ends since its server does, and goes on later. */
const isStopping = (signal: AbortSignal): boolean =>
  signal.aborted && signal.reason instanceof SluiceError && signal.reason.code === 'stopping'

/** @throws SluiceError `comparison_invalid`, `variant_invalid` */
export function checkVariants(variants: readonly ComparedDrawing[]): void {
  const { least, most, name: longest, inputs } = COMPARISON_LIMITS
  if (variants.length < least || variants.length > most)
    throw new SluiceError('comparison_invalid', {
      reason: `it takes ${least} to ${most} variants, the baseline among them, and has ${variants.length}`,
    })
  const seen = new Set<string>()
  for (const { name, inputs: changed = {} } of variants) {
    const refuse = (reason: string): never => {
      throw new SluiceError('variant_invalid', { variant: name.slice(0, longest), reason })
    }
    if (name.trim() === '') refuse('it has no name')
    if (name.length > longest) refuse(`its name has more than ${longest} characters`)
    if (seen.has(name)) refuse('another variant has this name')
    if (Object.keys(changed).length > inputs) refuse(`it changes more than ${inputs} inputs`)
    seen.add(name)
  }
}

/** About how many characters a token has. */
const CHARACTERS = 4

/** Refuses what would be over the bound, before anything is sent. @throws SluiceError `comparison_over_limit` */
function checkTokens(
  planned: readonly PlannedVariant[],
  { characters }: { characters: number },
  bounds: ComparisonBounds,
): void {
  const seen = new Set<string>()
  let tokens = 0
  for (const { name, indexKey, isLocal } of planned) {
    if (isLocal || seen.has(indexKey)) continue
    seen.add(indexKey)
    tokens += Math.ceil(characters / CHARACTERS)
    if (tokens > bounds.tokens)
      throw new SluiceError('comparison_over_limit', {
        variant: name,
        reason: `its index needs about ${tokens.toLocaleString('en')} tokens with those before it, and MAX_COMPARE_TOKENS allows ${bounds.tokens.toLocaleString('en')}`,
      })
  }
}

/** The progress of a comparison as that of a job. Its counts only grow. */
function jobProgress(
  sources: number,
  report: (progress: JobProgress) => void,
): (progress: VariantsProgress) => void {
  const progress: JobProgress = {
    stage: 'parse',
    files: { total: sources, done: 0, failed: 0, known: true },
    chunks: { seen: 0, embedded: 0, written: 0, due: 0 },
  }
  let before = { index: 0, chunks: 0, embedded: 0 }
  let last = { chunks: 0, embedded: 0 }
  return (now) => {
    if (now.stage === 'ask') {
      progress.stage = 'ask'
      progress.files.done = progress.files.total
      progress.questions = { total: now.total, done: now.done }
    } else {
      if (now.index !== before.index) {
        before = {
          index: now.index,
          chunks: before.chunks + last.chunks,
          embedded: before.embedded + last.embedded,
        }
        last = { chunks: 0, embedded: 0 }
      }
      last = { chunks: now.chunks, embedded: now.embedded }
      progress.stage = 'embed'
      progress.files.total = now.total * now.indexes
      progress.files.done = Math.max(
        progress.files.done,
        Math.min(now.total * (now.index - 1) + now.documents, progress.files.total),
      )
      progress.chunks.seen = before.chunks + now.chunks
      progress.chunks.embedded = before.embedded + now.embedded
      progress.chunks.written = progress.chunks.embedded
    }
    report(progress)
  }
}
