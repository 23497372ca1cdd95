import type { StoreRebuild, StoreRun } from '../contract/chunk-store.ts'
import type { Metadata } from '../contract/document.ts'
import { chunkIdOf } from '../documents/chunk-id.ts'
import type {
  Ledger,
  LedgerRebuild,
  LedgerRun,
  LedgerSweeper,
  LedgerWriter,
  NewChunk,
} from '../contract/ledger.ts'
import { readablePassage } from '../documents/passage.ts'
import type { JoinedEngine, Point, SeparateEngine, VectorEngine } from '../contract/vector-engine.ts'
import { SluiceError } from '../kit/errors.ts'
import { settle, withRemoved } from './removed-points.ts'
import { explained } from './require-collection.ts'

/**
 * What runs share. `words`: searches by keyword for a separate engine. `repaired`: collections of a separate engine that were
 * repaired in this process.
 */
export type StoreParts = {
  ledger: Ledger
  engine: VectorEngine
  words?: JoinedEngine | undefined
  repaired: Set<string>
  /** Deletes what removed indexes have left. */
  sweepRemoved(): Promise<void>
}

export function storeRun(parts: StoreParts, run: LedgerRun): StoreRun {
  const { known, file, visible, contents, sources, count, staged, restage, publish, abandon } = run
  return {
    get dimensions() {
      return run.dimensions
    },
    ...{ known, file, visible, contents, sources, count, staged, restage, publish, abandon },
    ...writerOf(parts, run),
  }
}

export function storeRebuild(parts: StoreParts, rebuild: LedgerRebuild): StoreRebuild {
  const { total, chunks, text, publish, abandon } = rebuild
  return {
    get dimensions() {
      return rebuild.dimensions
    },
    ...{ total, chunks, text, publish, abandon },
    ...writerOf(parts, rebuild),
  }
}

/** How chunks are staged and swept. The ledger writes the points of an engine that commits with it. */
function writerOf(parts: StoreParts, writer: LedgerWriter): Pick<StoreRun, 'stage' | 'sweep'> {
  const { engine } = parts
  const sweep = () => sweepStore(parts, writer)
  if ('upsert' in engine) return { ...separateWriter(engine, writer), sweep }
  return { stage: (chunks, vectors, dimensions) => writer.stage(chunks, dimensions, vectors), sweep }
}

/** Deletes what readers do not see any more, in the ledger and in the engine. @param goOn false leaves the rest */
export async function sweepStore(
  { ledger, engine, words, repaired, sweepRemoved }: StoreParts,
  { index: { collection }, sweep }: LedgerSweeper,
  goOn?: () => boolean,
): Promise<void> {
  if (!('upsert' in engine)) {
    await engine.follow(collection)
    if (await sweep(async () => {}, goOn)) await sweepRemoved()
    return
  }
  // Where something below fails, points may be left over: the next sweep repairs the collection.
  const isRepaired = repaired.delete(collection)
  await words?.follow(collection)
  const gone = (pointIds: string[]) => withRemoved(engine).delete(collection, pointIds)
  if (!(await sweep(gone, goOn))) return
  if (!isRepaired) await settle({ ledger, engine }, collection)
  repaired.add(collection)
  await sweepRemoved()
}

/**
 * A separate engine gets points before the ledger gets their chunks, and loses them after. So the ledger never counts on a
 * point that is not there; what a crash leaves over is in the engine alone, invisible, until the next repair.
 */
function separateWriter(engine: SeparateEngine, writer: LedgerWriter): Pick<StoreRun, 'stage'> {
  const { collection, namespace } = writer.index
  return {
    async stage(chunks, vectors, dimensions) {
      const write = async () => engine.upsert(collection, await pointsOf(chunks, vectors, dimensions))
      await explained(engine, writer.index, { writes: true }, write)
      await writer.stage(
        chunks.map((chunk) => ({ ...chunk, pointId: chunkIdOf(chunk) })),
        dimensions,
      )
    },
  }

  /** The points of some chunks. A chunk without a text has the vector of another point with the same text. */
  async function pointsOf(chunks: readonly NewChunk[], vectors: Float32Array, dimensions: number) {
    const known = await knownPoints(chunks)
    let at = 0
    return chunks.map((chunk): Point => {
      const metadata = JSON.parse(chunk.metadata) as Metadata
      if (chunk.text === undefined) return { id: chunkIdOf(chunk), metadata, ...known.get(chunk.hash)! }
      const vector = vectors.slice(at, at + dimensions)
      at += dimensions
      return { id: chunkIdOf(chunk), metadata, text: readablePassage(chunk.text), vector }
    })
  }

  async function knownPoints(chunks: readonly NewChunk[]) {
    const hashes = [...new Set(chunks.filter(({ text }) => text === undefined).map(({ hash }) => hash))]
    const points = new Map<string, Pick<Point, 'text' | 'vector'>>()
    if (hashes.length === 0) return points
    const texts = await writer.texts(hashes)
    const found = await withRemoved(engine).vectors(
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
