import type { Ledger } from '../contract/ledger.ts'
import type { PointGroup } from '../contract/ledger-points.ts'
import type { Point, SeparateEngine } from '../contract/vector-engine.ts'
import { callBatches } from './remote/call-batches.ts'
import { type IdList, repairPoints } from './repair-points.ts'

/*
 * Points of removed chunks that can be restored are not in the collection that is searched, but in a second one beside it: however
 * many there are, they hide nothing and slow no search down, in an engine of any kind. The ledger decides what is found, so points
 * that are still to be moved do no harm. Those of replaced chunks are deleted when their publication is done: its sweep takes longer.
 */

/** How many points are read and written by one call, and how many are deleted: each deletion is shown to searches. */
const BATCH = { count: 500 }
const DELETED = { count: 2000 }

/** The collection beside another one. */
export const removedOf = (collection: string): string => `${collection}-removed`

/**
 * An engine whose points are found by their ids in both collections. Searches and writes are of the first alone. The second one is only
 * asked for where the ledger knows of it.
 */
export function withRemoved({
  ledger: { hasRemovedPoints },
  engine,
}: {
  ledger: Pick<Ledger, 'hasRemovedPoints'>
  engine: SeparateEngine
}): SeparateEngine {
  return {
    ...engine,

    async vectors(collection, ids) {
      const found = await engine.vectors(collection, ids)
      const absent = ids.filter((id) => !found.has(id))
      if (absent.length === 0 || !(await hasRemovedPoints(collection))) return found
      return new Map([...found, ...(await engine.vectors(removedOf(collection), absent))])
    },

    async checks(collection, ids) {
      const found = await engine.checks(collection, ids)
      const absent = ids.filter((id) => !found.has(id))
      if (absent.length === 0 || !(await hasRemovedPoints(collection))) return found
      return new Map([...found, ...(await engine.checks(removedOf(collection), absent))])
    },

    async delete(collection, ids) {
      await engine.delete(collection, ids)
      if (await hasRemovedPoints(collection)) await engine.delete(removedOf(collection), ids)
    },

    async drop(collection) {
      if (await hasRemovedPoints(collection)) await engine.drop(removedOf(collection))
      await engine.drop(collection)
    },

    async *compare(collection, expected) {
      yield* engine.compare(collection, expected)
      if (!(await hasRemovedPoints(collection))) return
      for await (const points of engine.compare(removedOf(collection), expected)) {
        // A point that was taken back, or not yet deleted where it was, is in both.
        const both = await engine.checks(
          collection,
          points.map(({ id }) => id),
        )
        yield points.filter(({ id }) => !both.has(id))
      }
    },
  }
}

type Moved = { ledger: Ledger; engine: SeparateEngine }

/** Puts points aside that only removed chunks have. @param pointIds others among them stay */
export async function setAside(
  { ledger, engine }: Moved,
  collection: string,
  pointIds: readonly string[],
): Promise<void> {
  let moved: string[] = []
  for (const batch of callBatches(pointIds, BATCH)) {
    const ids = await ledger.restorablePoints(collection, batch)
    const points = await readPoints({ ledger, engine }, { from: collection, of: collection, ids })
    if (points.length === 0) continue
    if (moved.length === 0) await ledger.noteRemovedPoints(collection, true)
    await engine.upsert(removedOf(collection), points, { later: true, aside: true })
    moved.push(...points.map(({ id }) => id))
    if (moved.length < DELETED.count) continue
    await engine.delete(collection, moved)
    moved = []
  }
  if (moved.length > 0) await engine.delete(collection, moved)
}

/** Deletes the points of chunks that are removed for good, from the collection that is searched; the sweep deletes all else of them. */
export async function deleteDead(
  { ledger, engine }: Moved,
  collection: string,
  chunkIds: readonly number[],
): Promise<void> {
  for (const ids of callBatches(chunkIds, DELETED)) {
    const dead = await ledger.deadPoints(collection, await ledger.pointsOf(collection, ids))
    if (dead.length > 0) await engine.delete(collection, dead)
  }
}

/** Brings points back before their chunks are visible again. Those that were put aside stay there, too. */
export async function takeBack(
  { ledger, engine }: Moved,
  collection: string,
  pointIds: readonly string[],
): Promise<void> {
  if (!(await ledger.hasRemovedPoints(collection))) return
  for (const ids of callBatches(pointIds, BATCH)) {
    const points = await readPoints({ ledger, engine }, { from: removedOf(collection), of: collection, ids })
    if (points.length > 0) await engine.upsert(collection, points)
  }
}

/**
 * Brings both collections to what the ledger knows: what a crash has left, and what was removed before there was a second one. A second
 * one that no point belongs to any more is dropped.
 */
export async function settle({ ledger, engine }: Moved, collection: string): Promise<void> {
  let isNeeded = false
  for await (const ids of ledger.points(collection, 'restorable')) {
    isNeeded = true
    await setAside({ ledger, engine }, collection, ids)
  }
  const listed = (which: PointGroup): IdList => ({
    ids: () => ledger.points(collection, which),
    known: (ids) => ledger.knownPoints(collection, ids, which),
  })
  await repairPoints(engine, collection, listed('others'), (ids) =>
    takeBack({ ledger, engine }, collection, ids),
  )
  if (!(await ledger.hasRemovedPoints(collection))) return
  if (!isNeeded) {
    await engine.drop(removedOf(collection))
    await ledger.noteRemovedPoints(collection, false)
    return
  }
  // What is lost of these is named by a comparison.
  await repairPoints(engine, removedOf(collection), listed('restorable'), async () => {})
}

async function readPoints(
  { ledger, engine }: Moved,
  { from, of, ids }: { from: string; of: string; ids: readonly string[] },
): Promise<Point[]> {
  if (ids.length === 0) return []
  const vectors = await engine.vectors(from, ids)
  const checks = await engine.checks(from, [...vectors.keys()])
  const contents = await ledger.pointContents(of, [...vectors.keys()])
  // With its check: a damaged vector stays one that is known as damaged.
  return [...contents].map(([id, content]): Point => {
    const check = checks.get(id)
    return { id, ...content, vector: vectors.get(id)!, ...(typeof check === 'string' ? { check } : {}) }
  })
}
