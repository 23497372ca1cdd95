import { AsyncLocalStorage } from 'node:async_hooks'
import type { RunSpan, SpanFacts } from '../contract/run-span.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Emit } from './prediction.ts'

/** The run, and the span of it, in which the code at hand works. */
type Place = { emit: Emit; nextId(): number; parent?: number | undefined }

const places = new AsyncLocalStorage<Place>()

type Begun = Pick<RunSpan, 'kind' | 'name'> & SpanFacts

/** Adds what became known of a span. */
export type NoteFacts = (facts: SpanFacts & Partial<Pick<RunSpan, 'status' | 'error'>>) => void

/**
 * Runs a flow, whose spans are then emitted as `span` events: each when it begins and when it ends. The spans of a flow that
 * another flow calls are within the span that called it, and have numbers of the same count.
 */
export function emitSpans<T>(emit: Emit, work: () => Promise<T>): Promise<T> {
  const outer = places.getStore()
  let last = 0
  return places.run({ emit, nextId: outer?.nextId ?? (() => ++last), parent: outer?.parent }, work)
}

/** Does work as a span of the run in which it is called; outside of a run it is only done. Throws what the work throws. */
export async function runSpan<T>(
  begun: Begun,
  signal: AbortSignal,
  work: (note: NoteFacts) => Promise<T>,
): Promise<T> {
  const place = places.getStore()
  if (!place) return work(() => {})
  const { emit, nextId, parent } = place
  const clock = performance.now()
  let span: RunSpan = {
    ...{ id: nextId(), ...(parent === undefined ? {} : { parent }) },
    ...{ ...begun, status: 'INPROGRESS', start: Date.now() },
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
    const done = await places.run({ emit, nextId, parent: span.id }, () =>
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

/** A failure inside the server has its details in the log alone. */
function failureOf(error: unknown): { code: string; message: string } {
  if (!(error instanceof SluiceError)) return { code: 'internal', message: 'Internal error' }
  return { code: error.code, message: error.message }
}
