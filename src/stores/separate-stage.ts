import type { StoreRun } from '../contract/chunk-store.ts'
import type { Metadata } from '../contract/document.ts'
import { chunkIdOf } from '../documents/chunk-id.ts'
import type { Ledger, LedgerWriter, NewChunk } from '../contract/ledger.ts'
import { readablePassage } from '../documents/passage.ts'
import type { Point, SeparateEngine } from '../contract/vector-engine.ts'
import { SluiceError } from '../kit/errors.ts'
import { withRemoved } from './removed-points.ts'
import { explained } from './require-collection.ts'

/**
 * A separate engine gets points before the ledger gets their chunks, and loses them after. So the ledger never counts on a
 * point that is not there; what a crash leaves over is in the engine alone, invisible, until the next repair.
 *
 * Points have the number of the run, by which searches leave them out before it is published. Not those that a visible chunk has too.
 */
export function separateWriter(
  { ledger, engine }: { ledger: Pick<Ledger, 'visiblePoints' | 'hasRemovedPoints'>; engine: SeparateEngine },
  writer: LedgerWriter,
): Pick<StoreRun, 'stage'> {
  const { run } = writer
  const { collection, namespace } = writer.index
  return {
    async stage(chunks, vectors, dimensions) {
      const identified = chunks.map((chunk) => ({ ...chunk, pointId: chunkIdOf(chunk) }))
      const write = async () => {
        const points = await pointsOf(identified, vectors, dimensions)
        const ids = points.map(({ id }) => id)
        const visible = new Set(await ledger.visiblePoints(collection, ids))
        // Readers do not see them before the publication, which lets searches find all that was staged.
        await engine.upsert(
          collection,
          points.map((point) => (visible.has(point.id) ? point : { ...point, run })),
          { later: true },
        )
      }
      await explained(engine, writer.index, { writes: true }, write)
      await writer.stage(identified, dimensions)
    },
  }

  /** The points of some chunks. A chunk without a text has the vector of another point with the same text. */
  async function pointsOf(
    chunks: readonly (NewChunk & { pointId: string })[],
    vectors: Float32Array,
    dimensions: number,
  ) {
    const known = await knownPoints(chunks)
    let at = 0
    return chunks.map((chunk): Point => {
      const metadata = JSON.parse(chunk.metadata) as Metadata
      if (chunk.text === undefined) return { id: chunk.pointId, metadata, ...known.get(chunk.hash)! }
      const vector = vectors.subarray(at, at + dimensions)
      at += dimensions
      return { id: chunk.pointId, metadata, text: readablePassage(chunk.text), vector }
    })
  }

  async function knownPoints(chunks: readonly NewChunk[]) {
    const hashes = [...new Set(chunks.filter(({ text }) => text === undefined).map(({ hash }) => hash))]
    const points = new Map<string, Pick<Point, 'text' | 'vector'>>()
    if (hashes.length === 0) return points
    const texts = await writer.texts(hashes)
    const found = await withRemoved({ ledger, engine }).vectors(
      collection,
      [...texts.values()].map(({ pointId }) => pointId),
    )
    for (const [hash, { text, pointId }] of texts) {
      const vector = found.get(pointId)
      if (vector) points.set(hash, { text: readablePassage(text), vector })
    }
    if (points.size < hashes.length)
      throw new SluiceError('vectors_missing', { namespace, count: hashes.length - points.size })
    return points
  }
}
