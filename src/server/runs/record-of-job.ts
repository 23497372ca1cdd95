import {
  RUN_FORMAT,
  type RunAnswer,
  type RunHead,
  type RunNodeAnswer,
  type RunSpanAnswer,
} from '../../api/run.ts'
import type { ExecutionState } from '../../contract/flow-execution-store.ts'
import type { JobProgress, JobRecord, NodeProgress, NodeStep } from '../../contract/job.ts'
import { isoTime } from '../management.ts'
import type { FoundDrawing } from './drawing-of-run.ts'

const STATES: Record<JobRecord['state'], ExecutionState> = {
  queued: 'INPROGRESS',
  running: 'INPROGRESS',
  done: 'FINISHED',
  failed: 'ERROR',
  cancelled: 'TERMINATED',
}

const TITLES: Record<JobRecord['kind'], string> = {
  upsert: 'Upsert',
  dryRun: 'Preview',
  reindex: 'Reindex',
  verify: 'Verification',
  repair: 'Repair',
  eval: 'Questions',
  compare: 'Comparison',
}

const STEPS: Record<NodeStep, string> = {
  read: 'Read',
  split: 'Split',
  compare: 'Compare',
  embed: 'Embed',
  store: 'Store',
}

/** The step whose node is marked where a job failed in a stage. */
const STEP_OF_STAGE: Readonly<Record<string, NodeStep>> = { parse: 'read', embed: 'embed', publish: 'store' }

const NOT_AGAIN = 'a job is started again as a whole'

type JobOfRecord = Pick<
  JobRecord,
  'id' | 'kind' | 'state' | 'flowId' | 'progress' | 'error' | 'createdAt' | 'startedAt' | 'finishedAt'
>

/** The head of the record of a job. */
export function headOfJob(job: JobOfRecord): RunHead {
  const { id, kind, state, createdAt, startedAt, finishedAt } = job
  const began = startedAt ?? createdAt
  const files = job.progress?.files.total ?? 0
  return {
    ...{ id, kind, state: STATES[state] },
    title: `${TITLES[kind]}${files > 0 ? ` of ${files} ${files === 1 ? 'file' : 'files'}` : ''}`,
    startedAt: isoTime(began),
    ms: finishedAt === null ? null : Math.max(0, finishedAt - began),
  }
}

/** The record of a job, from its progress and its drawing. A job of an earlier version has neither times nor lines. */
export function recordOfJob(
  job: JobOfRecord,
  { drawing, name, state: drawingState }: FoundDrawing,
): RunAnswer {
  const { error, progress, state } = job
  const began = job.startedAt ?? job.createdAt
  const failed = state === 'failed' ? failedNode(progress, String(error?.facts.stage ?? '')) : undefined
  const nodes = progress?.nodes ?? []
  const stateOf = (node: NodeProgress) => (node === failed ? 'ERROR' : stateOfNode(STATES[state]))
  const labels = new Map(drawing.nodes.map((node) => [node.id, node]))
  return {
    format: RUN_FORMAT,
    ...headOfJob(job),
    flow: { id: job.flowId, name },
    drawing: drawingState,
    ...(error
      ? {
          failure: {
            code: error.code,
            message: error.message,
            ...(failed ? { nodeId: failed.id } : {}),
          },
        }
      : {}),
    nodes: nodes.map((node): RunNodeAnswer => {
      const { label = node.id, name: kind = '' } = labels.get(node.id) ?? {}
      const isIdle = node.first === undefined && node.ms === 0
      return {
        ...{ id: node.id, label, name: kind, ms: Math.round(node.ms), counts: countsOf(node) },
        ...(isIdle && node !== failed ? {} : { state: stateOf(node) }),
      }
    }),
    lines: (progress?.lines ?? []).filter(({ count }) => count > 0),
    spans: spansOf(nodes, { began, stateOf, labelOf: (id) => labels.get(id)?.label ?? id }),
    omittedSpans: 0,
  }
}

/** A node of a job that ended badly has done what it did; the one that failed is marked. */
const stateOfNode = (state: ExecutionState): ExecutionState => (state === 'ERROR' ? 'FINISHED' : state)

function failedNode(progress: JobProgress | null, stage: string): NodeProgress | undefined {
  const nodes = progress?.nodes ?? []
  const step = STEP_OF_STAGE[stage] ?? STEP_OF_STAGE[progress?.stage ?? '']
  return nodes.find(({ errors }) => errors > 0) ?? nodes.find((node) => node.step === step)
}

type SpanFactsOfJob = {
  began: number
  stateOf(node: NodeProgress): ExecutionState
  labelOf(id: string): string
}

/** The nodes on the time axis: from when each began to work until it last worked. They work at the same time. */
function spansOf(
  nodes: readonly NodeProgress[],
  { began, stateOf, labelOf }: SpanFactsOfJob,
): RunSpanAnswer[] {
  return nodes
    .filter(({ first }) => first !== undefined)
    .toSorted((one, other) => one.first! - other.first!)
    .map((node, at) => ({
      id: at + 1,
      kind: 'stage',
      name: `${STEPS[node.step]}: ${labelOf(node.id)}`,
      nodeId: node.id,
      status: stateOf(node),
      offset: Math.max(0, node.first! - began),
      ms: Math.max(0, (node.last ?? node.first!) - node.first!),
      counts: countsOf(node),
      notAgain: NOT_AGAIN,
    }))
}

function countsOf({ files, documents, chunks, embedded, reused, errors }: NodeProgress) {
  const counts = { files, documents, chunks, embedded, reused, errors }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}
