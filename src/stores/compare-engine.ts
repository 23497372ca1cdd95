import type {
  ComparisonOptions,
  EngineComparison,
  EngineDifferences,
  PointList,
} from '../contract/engine-comparison.ts'
import type { Ledger, LedgerIndex } from '../contract/ledger.ts'
import type { Point, SeparateEngine } from '../contract/vector-engine.ts'
import { callBatches } from './remote/call-batches.ts'

/** How many points are read, written or removed by one call. */
const BATCH = { count: 500 }
/** How many ids a list shows. */
const NAMED = 5

type Compared = { ledger: Ledger; engine: SeparateEngine }

/** All ids of what differs, and those that the engine holds. */
type Found = { missing: string[]; surplus: string[]; differing: string[]; held: Set<string> }

/**
 * Compares the points of an index with its chunks: by ids, texts and metadata. What changes meanwhile is looked at twice, so that
 * an upsert that runs is not taken for damage; the last batch that it writes may be.
 *
 * Keeps the ids of all points in memory: about 100 bytes each.
 *
 * @param repair removes points without a chunk, and writes those that are missing or differ, with the vectors that the engine has
 *   of their texts. No upsert of the namespace may run
 * @param embedder makes the vectors that the engine does not have; the ledger has the texts
 */
export async function compareEngine(
  { ledger, engine }: Compared,
  { collection, dimensions, embedder: made }: LedgerIndex,
  { repair, embedder }: ComparisonOptions,
): Promise<EngineComparison> {
  const found = await findDifferences({ ledger, engine }, collection)
  const comparison = {
    expected: found.held.size - found.surplus.length + found.missing.length,
    held: found.held.size,
    ...listed(found),
  }
  if (!repair) return comparison
  for (const ids of callBatches(found.surplus, BATCH)) await engine.delete(collection, ids)
  const write = writerOf({ ledger, engine }, collection, dimensions)
  let written = (await write(found.differing, found)) + (await write(found.missing, found))
  let lost = await findDifferences({ ledger, engine }, collection)
  let embedded = 0
  if (embedder?.id === made && lost.missing.length > 0) {
    const anew = await writeAnew({ ledger, engine }, collection, lost.missing, embedder)
    written += anew.written
    embedded = anew.embedded
    lost = await findDifferences({ ledger, engine }, collection)
  }
  const left = listed(lost)
  const removed = found.surplus.length - left.surplus.count
  return { ...comparison, repair: { written, removed, embedded, left } }
}

async function findDifferences({ ledger, engine }: Compared, collection: string): Promise<Found> {
  const held = new Set<string>()
  const [unknown, differing]: [string[], string[]] = [[], []]
  const expected = (ids: readonly string[]) => ledger.pointContents(collection, ids)
  for await (const points of engine.compare(collection, expected))
    for (const { id, state } of points) {
      held.add(id)
      if (state === 'unknown') unknown.push(id)
      if (state === 'differs') differing.push(id)
    }
  const absent = new Set<string>()
  for await (const ids of ledger.points(collection)) for (const id of ids) if (!held.has(id)) absent.add(id)

  const missing: string[] = []
  for (const ids of callBatches([...absent], BATCH)) {
    const written = await engine.vectors(collection, ids)
    missing.push(...ids.filter((id) => !written.has(id)))
  }
  const surplus: string[] = []
  for (const ids of callBatches(unknown, BATCH)) {
    const [chunks, points] = [await expected(ids), await engine.vectors(collection, ids)]
    surplus.push(...ids.filter((id) => !chunks.has(id) && points.has(id)))
  }
  return { missing, surplus, differing, held }
}

/** Writes points with the texts and metadata of their chunks, where the engine has a vector of their text. */
function writerOf({ ledger, engine }: Compared, collection: string, dimensions: number | undefined) {
  return async (pointIds: readonly string[], { held, surplus }: Found): Promise<number> => {
    const gone = new Set(surplus)
    let written = 0
    for (const ids of callBatches(pointIds, BATCH)) {
      const contents = await ledger.pointContents(collection, ids)
      const sameText = await ledger.pointsWithTextOf(collection, ids)
      const giverOf = (id: string) =>
        held.has(id) ? id : sameText.get(id)?.find((one) => held.has(one) && !gone.has(one))
      const givers = new Set(ids.flatMap((id) => giverOf(id) ?? []))
      const vectors = await engine.vectors(collection, [...givers])
      const points = ids.flatMap((id): Point | [] => {
        const vector = vectors.get(giverOf(id) ?? '')
        const content = contents.get(id)
        return content && vector && vector.length === dimensions ? { id, vector, ...content } : []
      })
      await engine.upsert(collection, points)
      written += points.length
    }
    return written
  }
}

/** Writes points whose texts have no vector in the engine: each text is embedded once in a batch. */
async function writeAnew(
  { ledger, engine }: Compared,
  collection: string,
  pointIds: readonly string[],
  embedder: NonNullable<ComparisonOptions['embedder']>,
): Promise<{ written: number; embedded: number }> {
  const { texts: count, bytes } = embedder.limits
  const done = { written: 0, embedded: 0 }
  for (const ids of callBatches(pointIds, BATCH)) {
    const contents = await ledger.pointContents(collection, ids)
    const texts = [...new Set([...contents.values()].map(({ text }) => text))]
    const vectors = new Map<string, Float32Array>()
    for (const batch of callBatches(texts, { count, bytes }, Buffer.byteLength))
      for (const [at, vector] of (await embedder.embed(batch)).entries()) vectors.set(batch[at]!, vector)
    const points = [...contents].map(
      ([id, content]): Point => ({ id, ...content, vector: vectors.get(content.text)! }),
    )
    await engine.upsert(collection, points)
    done.written += points.length
    done.embedded += texts.length
  }
  return done
}

const listed = ({ missing, surplus, differing }: Found): EngineDifferences => ({
  missing: listOf(missing),
  surplus: listOf(surplus),
  differing: listOf(differing),
})

const listOf = (ids: readonly string[]): PointList => ({
  count: ids.length,
  first: ids.toSorted().slice(0, NAMED),
})
