import { estimateTokens } from './token-estimate.ts'

/** The maximum size of one call. */
export type BatchLimits = { texts: number; bytes: number; tokens: number }

/** Groups texts, in order, into calls within the limits; a call has at least one text. */
export function* batchesOf(texts: readonly string[], limits: BatchLimits): Generator<string[]> {
  let batch: string[] = []
  let bytes = 0
  let tokens = 0
  for (const text of texts) {
    const more = { bytes: Buffer.byteLength(text), tokens: estimateTokens(text) }
    const full =
      batch.length === limits.texts ||
      bytes + more.bytes > limits.bytes ||
      tokens + more.tokens > limits.tokens
    if (full && batch.length > 0) {
      yield batch
      batch = []
      bytes = 0
      tokens = 0
    }
    batch.push(text)
    bytes += more.bytes
    tokens += more.tokens
  }
  if (batch.length > 0) yield batch
}
