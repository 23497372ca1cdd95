import { randomBytes } from 'node:crypto'

/** Where a span is in its trace: the ids in lower-case hexadecimal, and whether the trace is recorded. */
export type TraceContext = { traceId: string; spanId: string; sampled: boolean }

export const newTraceId = (): string => randomBytes(16).toString('hex')
export const newSpanId = (): string => randomBytes(8).toString('hex')

const HEADER = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Reads the header `traceparent` (W3C Trace Context, 3.2); undefined where it is absent or invalid. */
export function readTraceparent(header: string | undefined): TraceContext | undefined {
  const [, version, traceId, spanId, flags, more] = HEADER.exec(header?.trim() ?? '') ?? []
  if (traceId === undefined || spanId === undefined || version === 'ff') return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  // Only later versions may have more fields.
  if (version === '00' && more !== undefined) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags!, 16) & 1) === 1 }
}

export const writeTraceparent = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
