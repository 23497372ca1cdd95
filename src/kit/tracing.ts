/** The samplers of `OTEL_TRACES_SAMPLER` that are supported. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof SAMPLERS)[number]

/** Facts of a span: names, counts, ids. Never document text, never a secret. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** Whether a span serves a request, calls another server, or works here. */
export type SpanKind = 'internal' | 'server' | 'client'

/** A piece of work in a trace, from its beginning to `end`. */
export type TraceSpan = {
  /** The header `traceparent` for work elsewhere that belongs to this span; undefined where nothing is traced. */
  readonly traceparent: string | undefined
  set(attributes: Attributes): void
  /** Ends the span; later calls have no effect. @param failure the code of what went wrong */
  end(failure?: string): void
  /** Runs work; spans that begin in it, also later, are children of this one. */
  within<T>(work: () => T): T
}

export type SpanOptions = {
  kind?: SpanKind
  attributes?: Attributes
  /** The `traceparent` of a request: the span continues that trace. An invalid one is ignored. */
  traceparent?: string | undefined
}

/** Begins spans. A span is the child of the one in which it begins. */
export type Tracer = {
  begin(name: string, options?: SpanOptions): TraceSpan
  /** The `traceparent` of the span in which the caller runs; undefined where there is none. */
  current(): string | undefined
  /** Sends what has ended, and stops. */
  close(): Promise<void>
}

const noSpan: TraceSpan = { traceparent: undefined, set() {}, end() {}, within: (work) => work() }

/** Traces nothing. */
export const noTracer: Tracer = { begin: () => noSpan, current: () => undefined, async close() {} }

/** Runs work in a span. @param codeOf the code of a failure, for the span */
export async function inSpan<T>(
  span: TraceSpan,
  codeOf: (error: unknown) => string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const done = await span.within(work)
    span.end()
    return done
  } catch (error) {
    span.end(codeOf(error))
    throw error
  }
}
