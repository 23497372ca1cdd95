import type { JobProgress } from '../../contract/job.ts'
import type { QuestionMeasures, QuestionRun, QuestionStore, RunCause } from '../../contract/question-store.ts'
import type { FlowStore } from '../../contract/flow-store.ts'
import type { VariableStore } from '../../contract/variable-store.ts'
import type { FlowSource, PlanContext } from '../../flow/apply-request.ts'
import { planRetrieval } from '../../flow/plan-store.ts'
import { questionWatchOf } from '../../flow/settings/question-watch.ts'
import { variableValues } from '../../flow/variables.ts'
import { flowSource } from '../../flow/find-flow.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import type { Performer, Prepared } from '../../jobs/performer.ts'
import { SluiceError } from '../../kit/errors.ts'
import { flowFacts } from '../../kit/flow-facts.ts'
import { randomId } from '../../kit/hash.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import type { Log } from '../../kit/log.ts'
import type { Retriever } from '../../retrieve/run.ts'
import { acceptedQuestions } from './accepted-questions.ts'
import { askQuestions, questionMeasures } from './ask-questions.ts'
import { changeOf, failsNow } from './changed-results.ts'
import { refuseWorse } from './refuse-worse.ts'

/** The result of a job that asks the questions of a flow. It has no text: more callers may read jobs than questions. */
export type QuestionRunResult = {
  /** The id of the run. */
  run: string
  revision: number
  cause: RunCause
  measures: QuestionMeasures
  /** How many questions were left out because what they were judged by is gone, and how many have no judgement. */
  numGone: number
  numUnjudged: number
  /** Against the run before: how many answers are better or worse, and which questions failed that passed. */
  numBetter: number
  numWorse: number
  failing: string[]
}

/** The stored request, with the flow as it was at the time of the request. */
type Content = {
  flow: { id: string; slug: string; flowData: string; apiConfig: Json }
  revision: number
  cause: RunCause
  stopNodeId?: string | undefined
}

export type QuestionJobs = Performer & {
  /**
   * Checks a request in the same way as its run does.
   *
   * @throws SluiceError `questions_missing` where the flow has no accepted question, and as `planRetrieval` does
   */
  prepare(flow: FlowRow, request: Pick<Content, 'cause' | 'stopNodeId'>): Promise<Prepared>
  /**
   * Refuses a publish, for flows whose setting `questions` is `block`: see {@link refuseWorse}.
   *
   * @param draft the flow as it would be live
   * @throws SluiceError `questions_worse`, and as `planRetrieval` and queries do
   */
  checkPublish(live: FlowRow, draft: FlowRow, signal: AbortSignal): Promise<void>
}

export type QuestionJobsOptions = PlanContext & {
  flows: Pick<FlowStore, 'find'>
  questions: Pick<QuestionStore, 'list' | 'counts' | 'keepRun' | 'lastRuns'>
  variables: Pick<VariableStore, 'list'>
  environment: (name: string) => string | undefined
  retriever: Retriever
  log: Log
}

/** Jobs that ask the accepted questions of a flow in its live index, and keep what each of them gave. */
export function questionJobs({
  catalog,
  nodeServices,
  flows,
  questions,
  variables,
  environment,
  retriever,
  log,
}: QuestionJobsOptions): QuestionJobs {
  async function planOf(flow: FlowSource, stopNodeId: string | undefined) {
    const values = await variableValues(variables, environment)
    const request = { overrides: {}, stopNodeId, variables: values }
    const { part } = planRetrieval({ catalog, nodeServices }, flow, request)
    return part.open ? part.open() : part
  }

  async function prepare(flow: FlowRow, { cause, stopNodeId }: Pick<Content, 'cause' | 'stopNodeId'>) {
    const { id, slug = flow.id, flowData, apiConfig } = flowSource(flow)
    const { accepted } = await questions.counts(flow.id)
    if (accepted === 0) throw new SluiceError('questions_missing', { flow: flow.slug })
    await planOf(flowSource(flow), stopNodeId)
    const content: Content = {
      flow: { id, slug, flowData, apiConfig: apiConfig as Json },
      ...{ revision: flow.revision, cause, stopNodeId },
    }
    return {
      // It changes nothing in the store, so it gets a lease that no other job has.
      namespace: `eval:${randomId()}`,
      request: content as unknown as JsonObject,
      description: [],
    }
  }

  return {
    prepare,
    async run(request, { jobId, signal, onProgress }) {
      const { flow, revision, cause, stopNodeId } = request as unknown as Content
      const startedAt = Date.now()
      const part = await planOf(flow, stopNodeId)
      const asked = await acceptedQuestions(questions, flow.id)
      const progress: JobProgress = {
        stage: 'ask',
        chunks: { seen: 0, embedded: 0, written: 0, due: 0 },
        files: { total: 0, done: 0, failed: 0, known: true },
        questions: { total: asked.length, done: 0 },
      }
      onProgress(progress)
      const results = await askQuestions({
        ...{ part, questions: asked, retriever, signal },
        onAsked(done) {
          progress.questions = { total: asked.length, done }
          onProgress(progress)
        },
      })
      signal.throwIfAborted()
      const before = (await questions.lastRuns(flow.id, 2)).find(({ id }) => id !== jobId)
      const run: QuestionRun = {
        ...{ id: jobId, flowId: flow.id, revision, cause, measures: questionMeasures(results), results },
        ...{ startedAt, finishedAt: Date.now() },
      }
      await questions.keepRun(run)
      const result = resultOf(run, before)
      const { counted, ndcg10 } = run.measures
      log.info('eval-done', {
        ...{ job: jobId, ...flowFacts(flow), questions: results.length, counted },
        ...(ndcg10 === null ? {} : { ndcg10: Math.round(ndcg10 * 1000) / 1000 }),
        worse: result.numWorse,
      })
      return result as unknown as JsonObject
    },
    async checkPublish(live, draft, signal) {
      if (questionWatchOf(live.config.apiConfig) !== 'block') return
      const { accepted } = await questions.counts(live.id)
      if (accepted === 0) return
      await refuseWorse({
        ...{ questions, retriever, signal, flow: { id: live.id, slug: live.slug } },
        live: await planOf(flowSource(live), undefined),
        draft: await planOf(flowSource(draft), undefined),
      })
    },
    async renew(flowId, request) {
      const flow = await flows.find(flowId)
      if (!flow) throw new SluiceError('flow_not_found', { flow: flowId })
      return prepare(flow, request as unknown as Content)
    },
  }
}

function resultOf(run: QuestionRun, before: QuestionRun | undefined): QuestionRunResult {
  const { results } = run
  const earlier = new Map((before?.results ?? []).map((one) => [one.question, one]))
  const changes = results.map((one) => changeOf(one, earlier.get(one.question)))
  const count = (wanted: string) => changes.filter((one) => one === wanted).length
  return {
    ...{ run: run.id, revision: run.revision, cause: run.cause, measures: run.measures },
    numGone: results.filter(({ uncounted }) => uncounted === 'gone').length,
    numUnjudged: results.filter(({ uncounted }) => uncounted === 'unjudged').length,
    ...{ numBetter: count('better'), numWorse: count('worse') },
    failing: failsNow(results, before?.results ?? []).map(({ question }) => question),
  }
}
