import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ChunkStore } from '../src/contract/chunk-store.ts'
import { openDatabase } from '../src/db/sqlite/database.ts'
import { builtInStores } from '../src/stores/built-in.ts'
import { HIDING, hide, loadVisible, questionAbout } from './engines/hidden.ts'
import { hiddenEngine } from './engines/hidden-engine.ts'
import { median, printTable } from './support/table.ts'

const QUESTIONS = 60
const WARM = 10
const TOP = 10
/** How many candidates a side gives to a query with the default settings. */
const LIMIT = 50

type Side = 'vector' | 'hybrid'
const SIDES: Side[] = ['vector', 'hybrid']

/**
 * The same hits as without neighbours that readers do not see, and in the same time: questions to a namespace with `BENCH_VISIBLE`
 * chunks (2,000) beside questions to one that has `BENCH_ROWS` more (100,000) nearer to each question, which were removed, replaced or
 * staged by the store. Over `BENCH_ENGINE`: opensearch, elasticsearch, pgvector or chroma, one of them or several with commas; all four
 * unless given. The namespaces are asked in turn; of the times the median. `BENCH_KINDS`: some of removed, replaced, staged.
 */
export async function run(): Promise<void> {
  const rows = Number(process.env.BENCH_ROWS ?? 100_000)
  const visible = Number(process.env.BENCH_VISIBLE ?? 2000)
  const engines = (process.env.BENCH_ENGINE ?? 'opensearch,elasticsearch,pgvector,chroma').split(',')
  const kinds = HIDING.filter((kind) => (process.env.BENCH_KINDS ?? HIDING.join()).split(',').includes(kind))
  const table: { ratio: number; row: (string | number)[] }[] = []
  for (const name of engines) {
    const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
    const database = openDatabase(path.join(folder, 'data'))
    const stores = builtInStores(database)
    const engine = await hiddenEngine(name)
    try {
      const none = stores.openSeparate('none', engine.source)
      await loadVisible(none, visible)
      for (const kind of kinds) {
        const store = stores.openSeparate(kind, engine.source)
        const began = performance.now()
        await loadVisible(store, visible)
        await hide(store, kind, rows, () => engine.settle())
        await engine.settle()
        console.log(`${name}: ${rows} ${kind} in ${Math.round((performance.now() - began) / 1000)} s`)
        for (const side of SIDES) {
          const { ratio, row } = await compare({ none, store, side })
          table.push({ ratio, row: [`${name}, ${kind}, ${side}`, ...row] })
          console.log(row.join('  '))
        }
      }
    } finally {
      await stores.close()
      await database.close()
      await engine.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
  table.sort((one, other) => other.ratio - one.ratio)
  printTable([
    [`${visible} visible, ${rows} hidden`, 'p50 ms with none', 'p50 ms with all', 'ratio', 'same hits'],
    ...table.map(({ row }) => row),
  ])
}

/** Asks both stores the same, in turn. */
async function compare({ none, store, side }: { none: ChunkStore; store: ChunkStore; side: Side }) {
  const times = { none: [] as number[], all: [] as number[] }
  let same = 0
  const ask = async (asked: ChunkStore, number: number, into: number[]) => {
    const began = performance.now()
    const found = await asked.search({ ...questionAbout(number, side === 'hybrid'), limit: LIMIT })
    if (number >= WARM) into.push(performance.now() - began)
    return found
      .toSorted((one, other) => (other.vectorScore ?? -1) - (one.vectorScore ?? -1))
      .slice(0, TOP)
      .map(({ id }) => id)
  }
  for (let number = 0; number < WARM + QUESTIONS; number++) {
    const hits: Record<'none' | 'all', string[]> = { none: [], all: [] }
    const order = [
      async () => (hits.none = await ask(none, number, times.none)),
      async () => (hits.all = await ask(store, number, times.all)),
    ]
    for (const one of number % 2 === 0 ? order : order.toReversed()) await one()
    if (number >= WARM) same += hits.none.filter((id) => hits.all.includes(id)).length / TOP
  }
  const [before, after] = [median(times.none), median(times.all)]
  return { ratio: after / before, row: [before, after, after / before, (same / QUESTIONS).toFixed(3)] }
}
