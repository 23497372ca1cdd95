import type { ComparisonOptions } from '../contract/engine-comparison.ts'
import type { Ledger, LedgerIndex } from '../contract/ledger.ts'
import type { Point, SeparateEngine } from '../contract/vector-engine.ts'
import { callBatches } from './remote/call-batches.ts'
import { meetsCheck } from './vector-check.ts'

/** How many points are read and written by one call. */
const BATCH = { count: 500 }
/** How many points with the same text are asked for their vector. */
const GIVERS = 3

/**
 * Writes points anew with the texts and metadata of their chunks, with a sound vector of the engine: their own, or that of another
 * point with the same text. A text that has none is embedded, once in a batch, where the embedder is that of the index.
 */
export function mender(
  { ledger, engine }: { ledger: Ledger; engine: SeparateEngine },
  { collection, dimensions, embedder: made }: LedgerIndex,
  embedder: ComparisonOptions['embedder'],
) {
  return async (pointIds: readonly string[]): Promise<{ written: number; embedded: number }> => {
    const done = { written: 0, embedded: 0 }
    for (const ids of callBatches(pointIds, BATCH)) {
      const contents = await ledger.pointContents(collection, ids)
      const vectors = await soundVectors([...contents.keys()])
      const texts = [...contents].flatMap(([id, { text }]) => (vectors.has(id) ? [] : text))
      const anew = embedder?.id === made ? await embedded([...new Set(texts)], embedder) : new Map()
      done.embedded += anew.size
      const points = [...contents].flatMap(([id, content]): Point | [] => {
        const vector = vectors.get(id) ?? anew.get(content.text)
        return vector ? { id, vector, ...content } : []
      })
      await engine.upsert(collection, points)
      done.written += points.length
    }
    return done
  }

  /** By the ids of points, a vector of their texts that the engine has and that meets its check. */
  async function soundVectors(ids: readonly string[]): Promise<Map<string, Float32Array>> {
    const sameText = await ledger.pointsWithTextOf(collection, ids)
    const held = await engine.checks(collection, [...new Set([...ids, ...[...sameText.values()].flat()])])
    const giversOf = (id: string) =>
      [id, ...(sameText.get(id) ?? []).filter((one) => one !== id)]
        .filter((one) => held.has(one))
        .slice(0, GIVERS)
    const vectors = await engine.vectors(collection, [...new Set(ids.flatMap(giversOf))])
    return new Map(
      ids.flatMap((id) => {
        const giver = giversOf(id).find((one) => {
          const [vector, check] = [vectors.get(one), held.get(one)]
          const isWhole = vector && vector.length === dimensions
          return isWhole && (typeof check !== 'string' || meetsCheck(vector, check))
        })
        return giver === undefined ? [] : [[id, vectors.get(giver)!] as const]
      }),
    )
  }
}

async function embedded(
  texts: readonly string[],
  embedder: NonNullable<ComparisonOptions['embedder']>,
): Promise<Map<string, Float32Array>> {
  const { texts: count, bytes } = embedder.limits
  const vectors = new Map<string, Float32Array>()
  for (const batch of callBatches(texts, { count, bytes }, Buffer.byteLength))
    for (const [at, vector] of (await embedder.embed(batch)).entries()) vectors.set(batch[at]!, vector)
  return vectors
}
