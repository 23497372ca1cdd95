import type { Ledger, LedgerIndex } from '../contract/ledger.ts'
import type { SeparateEngine } from '../contract/vector-engine.ts'
import { IdSums } from './id-sums.ts'
import { meetsCheck } from './vector-check.ts'

/** How many ids without a chunk are kept in memory until they are looked at again. */
const KEPT = 10_000

/** What the ledger tells of points. */
type PointLedger = Pick<Ledger, 'points' | 'knownPoints' | 'deadPoints' | 'pointContents'>

/** Called with ids in batches, each id once. */
export type Visitor = Record<
  'missing' | 'surplus' | 'differing' | 'damaged',
  (ids: readonly string[]) => Promise<void>
>

/**
 * Finds how the points of a collection differ from the chunks of its index. Of all ids it keeps sums alone. Ids without a chunk are
 * given when all points were read, or every 10,000: a removal moves the pages of some engines, and then the next look finds the rest.
 *
 * @param progress called with how many points and chunks were read, and about how many there are
 */
export async function findDifferences(
  { ledger, engine }: { ledger: PointLedger; engine: SeparateEngine },
  { collection, chunks }: LedgerIndex,
  visitor: Visitor,
  progress: (done: number, total: number) => void,
): Promise<{ held: number; unchecked: number }> {
  const expected = (ids: readonly string[]) => ledger.pointContents(collection, ids)
  const sums = new IdSums()
  let [held, unchecked, listed] = [0, 0, 0]
  const tell = () => progress(held + listed, Math.max(2 * chunks, held + listed))
  let unknown: string[] = []
  async function settleUnknown(): Promise<void> {
    const ids = unknown
    unknown = []
    if (ids.length === 0) return
    const [known, points] = [await ledger.knownPoints(collection, ids), await engine.checks(collection, ids)]
    const surplus = ids.filter((id) => !known.has(id) && points.has(id))
    if (surplus.length > 0) await visitor.surplus(surplus)
  }

  for await (const points of engine.compare(collection, expected)) {
    held += points.length
    sums.add(points.map(({ id }) => id))
    const idsIn = (state: 'unknown' | 'differs') =>
      points.flatMap((point) => (point.state === state ? point.id : []))
    unknown.push(...idsIn('unknown'))
    if (unknown.length >= KEPT) await settleUnknown()
    const differing = idsIn('differs')
    if (differing.length > 0) await visitor.differing(differing)
    const same = points.filter(({ state }) => state === 'same')
    unchecked += same.filter(({ check }) => check === null).length
    const checks = new Map(same.flatMap(({ id, check }) => (check === null ? [] : [[id, check] as const])))
    const wrong = await wrongVectors(engine, collection, checks)
    // What has changed between the two reads is read again, both at once.
    const again = wrong.length > 0 ? await engine.checks(collection, wrong) : new Map<string, string>()
    const checksAgain = new Map([...again].flatMap(([id, check]) => (check === null ? [] : [[id, check]])))
    const damaged = await wrongVectors(engine, collection, checksAgain)
    if (damaged.length > 0) await visitor.damaged(damaged)
    tell()
  }
  await settleUnknown()

  for await (const ids of ledger.points(collection)) {
    sums.subtract(ids)
    listed += ids.length
    tell()
  }
  if (sums.isEven()) return { held, unchecked }
  for await (const ids of ledger.points(collection)) {
    const asked = sums.suspects(ids)
    if (asked.length === 0) continue
    const points = await engine.checks(collection, asked)
    const lacking = asked.filter((id) => !points.has(id))
    if (lacking.length === 0) continue
    // Those of replaced chunks are deleted at once, their chunks by the next sweep.
    const dead = new Set(await ledger.deadPoints(collection, lacking))
    const missing = lacking.filter((id) => !dead.has(id))
    if (missing.length > 0) await visitor.missing(missing)
  }
  return { held, unchecked }
}

/** The ids of points whose vectors do not meet their checks, or that have none. */
async function wrongVectors(
  engine: SeparateEngine,
  collection: string,
  checks: ReadonlyMap<string, string>,
): Promise<string[]> {
  if (checks.size === 0) return []
  const vectors = await engine.vectors(collection, [...checks.keys()])
  return [...checks].flatMap(([id, check]) => {
    const vector = vectors.get(id)
    return vector && meetsCheck(vector, check) ? [] : id
  })
}
