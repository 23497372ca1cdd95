/* A process of its own, which compares and repairs generated lists of ids and prints how much memory it had: `node … COUNT`. */
import type { LedgerIndex } from '../../src/contract/ledger.ts'
import type { PointContent } from '../../src/contract/ledger-points.ts'
import type { HeldPoint, SeparateEngine } from '../../src/contract/vector-engine.ts'
import { findDifferences } from '../../src/stores/find-differences.ts'
import { repairPoints } from '../../src/stores/repair-points.ts'

const PAGE = 1000
const count = Number(process.argv[2])
/** Points that the engine has lost, in places all over, and such that nobody expects. */
const isLost = (at: number) => at < count && at % Math.ceil(count / 5) === 1
const STRANGERS = 3

/** Ids as ours are: a UUID of bits that look random, another for each number. */
function idOf(at: number): string {
  const part = (seed: number) => {
    let hash = Math.imul(at ^ seed, 0x85eb_ca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
    return ((hash ^ (hash >>> 16)) >>> 0).toString(16).padStart(8, '0')
  }
  const [one, two, three] = [part(1), part(0x5bd1_e995), part(0x1b87_3593)]
  return `${one}-${two.slice(0, 4)}-8${two.slice(4, 7)}-8${three.slice(0, 3)}-${at.toString(16).padStart(12, '0')}`
}

const numberOf = (id: string) => Number.parseInt(id.slice(24), 16)

/** Numbers in pages, in the order of the ledger. */
function* numbers(from: number, to: number): Generator<number[]> {
  for (let at = from; at < to; at += PAGE)
    yield Array.from({ length: Math.min(PAGE, to - at) }, (_, offset) => at + offset)
}

async function* listed() {
  for (const page of numbers(0, count)) yield page.map(idOf)
}

/** Another order than that of the ledger. */
async function* held() {
  for (const [from, to] of [
    [count >>> 1, count + STRANGERS],
    [0, count >>> 1],
  ] as const)
    for (const page of numbers(from, to)) yield page.filter((at) => !isLost(at)).map(idOf)
}

const known = async (_: string, ids: readonly string[]) => new Set(ids.filter((id) => numberOf(id) < count))
const found = { missing: 0, surplus: 0, deleted: 0, lost: 0, asked: 0 }
const engine = {
  ids: held,
  async checks(_: string, ids: readonly string[]) {
    found.asked += ids.length
    return new Map(ids.flatMap((id) => (isLost(numberOf(id)) ? [] : [[id, null]])))
  },
  async delete(_: string, ids: readonly string[]) {
    found.deleted += ids.length
  },
  async *compare() {
    for await (const ids of held())
      yield ids.map(
        (id): HeldPoint => ({ id, state: numberOf(id) < count ? 'same' : 'unknown', check: null }),
      )
  },
} as unknown as SeparateEngine
const ledger = {
  points: listed,
  knownPoints: known,
  deadPoints: async () => [],
  pointContents: async () => new Map<string, PointContent>(),
}
const index = { collection: 'c', chunks: count } as LedgerIndex
const tally = (what: 'missing' | 'surplus') => async (ids: readonly string[]) => {
  found[what] += ids.length
}
const ignored = async () => {}

const before = process.resourceUsage().maxRSS
await findDifferences(
  { ledger, engine },
  index,
  { missing: tally('missing'), surplus: tally('surplus'), differing: ignored, damaged: ignored },
  () => {},
)
const list = { ids: listed, known: (ids: readonly string[]) => known('c', ids) }
await repairPoints(engine, 'c', list, async (ids) => {
  found.lost += ids.length
})
const { maxRSS } = process.resourceUsage()
console.log(JSON.stringify({ ...found, grownMB: (maxRSS - before) / 1024 }))
