import type { ComparisonOptions } from '../contract/engine-comparison.ts'
import type { Ledger, LedgerIndex } from '../contract/ledger.ts'
import type { PointContent } from '../contract/ledger-points.ts'
import type { Point, SeparateEngine } from '../contract/vector-engine.ts'
import { SluiceError } from '../kit/errors.ts'
import { callBatches } from './remote/call-batches.ts'
import { meetsCheck } from './vector-check.ts'

/** How many points are read and written by one call. */
const BATCH = { count: 500 }
/** How many points with the same text are asked for their vector. */
const GIVERS = 3

type Mended = { written: number; embedded: number }

/**
 * Writes points anew with the texts and metadata of their chunks, with a sound vector of the engine: their own, or that of another
 * point with the same text. A text that has none is embedded, once in a batch, where the embedder is that of the index. An embedder
 * that fails is not called again, and all else is still mended.
 */
export function pointMender(
  { ledger, engine }: { ledger: Ledger; engine: SeparateEngine },
  { namespace, collection, dimensions, embedder: made }: LedgerIndex,
  { embedder, signal }: Pick<ComparisonOptions, 'embedder' | 'signal'>,
) {
  const isOther = embedder !== undefined && embedder.id !== made
  let why = isOther
    ? new SluiceError('embedder_changed', { namespace, was: made, now: embedder.id }).message
    : undefined

  return {
    /** Why texts cannot be embedded; undefined where they can, or where there is no embedder. */
    get why() {
      return why
    },

    /** @param done called with how many points were written, and texts embedded for them, by each write */
    async mend(pointIds: readonly string[], done: (mended: Mended) => void): Promise<void> {
      for (const ids of callBatches(pointIds, BATCH)) {
        const contents = await ledger.pointContents(collection, ids)
        const vectors = await soundVectors([...contents.keys()])
        const written = await write(contents, ({ id }) => vectors.get(id))
        if (written > 0) done({ written, embedded: 0 })
        const lacking = new Map([...contents].filter(([id]) => !vectors.has(id)))
        const texts = [...new Set([...lacking.values()].map(({ text }) => text))]
        for await (const anew of embedded(texts))
          done({ written: await write(lacking, ({ text }) => anew.get(text)), embedded: anew.size })
      }
    },

    /** How many texts of points would be embedded. */
    async countTexts(pointIds: readonly string[]): Promise<number> {
      let count = 0
      for (const ids of callBatches(pointIds, BATCH)) {
        const contents = await ledger.pointContents(collection, ids)
        const vectors = await soundVectors([...contents.keys()])
        count += new Set([...contents].flatMap(([id, { text }]) => (vectors.has(id) ? [] : text))).size
      }
      return count
    },
  }

  /** Writes the points that have a vector. @returns how many */
  async function write(
    contents: ReadonlyMap<string, PointContent>,
    vectorOf: (point: { id: string; text: string }) => Float32Array | undefined,
  ): Promise<number> {
    const points = [...contents].flatMap(([id, content]): Point | [] => {
      const vector = vectorOf({ id, text: content.text })
      return vector ? { id, vector, ...content } : []
    })
    if (points.length > 0) await engine.upsert(collection, points)
    return points.length
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

  /** The vectors of texts, by batches of the embedder. Nothing where it is not that of the index, or has failed. */
  async function* embedded(texts: readonly string[]): AsyncGenerator<Map<string, Float32Array>> {
    if (!embedder || why !== undefined) return
    const { texts: count, bytes } = embedder.limits
    for (const batch of callBatches(texts, { count, bytes }, Buffer.byteLength)) {
      signal?.throwIfAborted()
      try {
        const vectors = await embedder.embed(batch, signal ? { signal } : {})
        const other = vectors.find(({ length }) => dimensions !== undefined && length !== dimensions)
        if (other)
          throw new SluiceError('dimension_mismatch', { got: other.length, want: dimensions!, namespace })
        yield new Map(batch.map((text, at) => [text, vectors[at]!]))
      } catch (error) {
        if (signal?.aborted || !(error instanceof SluiceError)) throw error
        why = error.message
        return
      }
    }
  }
}
