import { AsyncLocalStorage } from 'node:async_hooks'
import type { RunSpan, SpanFacts } from '../contract/run-span.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Json } from '../kit/json.ts'
import type { RecordedRun, RecordedStep } from './again/recorded-run.ts'
import type { Emit } from './prediction.ts'

/** The run, and the span of it, in which the code at hand works. */
type Place = {
  emit: Emit
  nextId(): number
  parent?: number | undefined
  /** The node of an agent flow in which it works. */
  nodeId?: string | undefined
  /** Where the run repeats another one. */
  recorded?: RecordedRun | undefined
  /** What the record says to the span. */
  step?: RecordedStep | undefined
}

const places = new AsyncLocalStorage<Place>()

/** A span that begins. */
export type BegunSpan = Pick<RunSpan, 'kind' | 'name'> & SpanFacts

/** Adds what became known of a span. */
export type NoteFacts = (facts: SpanFacts & Partial<Pick<RunSpan, 'status' | 'error'>>) => void

/**
 * Runs a flow, whose spans are then emitted as `span` events: each when it begins and when it ends. The spans of a flow that
 * another flow calls are within the span that called it, and have numbers of the same count.
 *
 * @param recorded where it repeats a recorded run; that of the calling flow unless given
 */
export function emitSpans<T>(emit: Emit, work: () => Promise<T>, recorded?: RecordedRun): Promise<T> {
  const outer = places.getStore()
  let last = 0
  const { parent, nodeId } = outer ?? {}
  return places.run(
    {
      ...{ emit, parent, nodeId },
      nextId: outer?.nextId ?? (() => ++last),
      recorded: recorded ?? outer?.recorded,
    },
    work,
  )
}

/** What the record of a repeated run says to the span in which the code at hand works: nothing in any other run. */
export const recordedStep = (): RecordedStep => places.getStore()?.step ?? {}

/** What a node that calls a server gave in the run that is repeated; undefined where it calls. @throws SluiceError `run_not_repeatable` */
export function recordedOutput(nodeId: string): string | undefined {
  return places.getStore()?.recorded?.ofNode(nodeId)?.output
}

/** Does work as a span of the run in which it is called; outside of a run it is only done. Throws what the work throws. */
export async function runSpan<T>(
  begun: BegunSpan,
  signal: AbortSignal,
  work: (note: NoteFacts) => Promise<T>,
): Promise<T> {
  const place = places.getStore()
  if (!place) return work(() => {})
  const { emit, nextId, parent, recorded } = place
  const nodeId = begun.kind === 'node' ? begun.nodeId : (place.nodeId ?? begun.nodeId)
  const step = recorded?.begin(begun)
  const clock = performance.now()
  let span: RunSpan = {
    ...{ id: nextId(), ...(parent === undefined ? {} : { parent }) },
    ...{ ...begun, status: 'INPROGRESS', start: Date.now() },
    ...(nodeId === undefined ? {} : { nodeId }),
    ...(step?.input === undefined ? {} : inputOf(begun.kind, step.input)),
  }
  const send = async () => emit({ event: 'span', data: span })
  const end = (more: Partial<RunSpan>) => {
    const ms = Math.round((performance.now() - clock) * 10) / 10
    span = { ...span, status: 'FINISHED', ...more, ms }
    return send()
  }
  let noted: Partial<RunSpan> = {}
  await send()
  try {
    const within = {
      ...{ emit, nextId, recorded, step, parent: span.id },
      nodeId: begun.kind === 'node' ? begun.nodeId : place.nodeId,
    }
    const done = await places.run(within, () =>
      work((facts) => {
        noted = { ...noted, ...facts }
      }),
    )
    await end(noted)
    return done
  } catch (error) {
    const status = signal.aborted ? 'TERMINATED' : 'ERROR'
    await end({ ...noted, status, ...(signal.aborted ? {} : { error: failureOf(error) }) })
    throw error
  }
}

/** The changed input of a span, as it is recorded. */
const inputOf = (kind: BegunSpan['kind'], input: Json): SpanFacts =>
  kind === 'search' ? { query: String(input) } : { input }

/** A failure inside the server has its details in the log alone. */
function failureOf(error: unknown): { code: string; message: string } {
  if (!(error instanceof SluiceError)) return { code: 'internal', message: 'Internal error' }
  return { code: error.code, message: error.message }
}
