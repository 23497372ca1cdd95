import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import type { ChunkStores } from '../../src/contract/chunk-store.ts'
import { openPostgres } from '../../src/db/postgres/database.ts'
import { openDatabase } from '../../src/db/sqlite/database.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { replicaStores } from '../../src/stores/replica-stores.ts'
import { parseFilter } from '../../src/vector/filter.ts'
import { hashVector } from './hash-embedder.ts'
import { publishChunks } from './publish-chunks.ts'

/** `memory-growth-child.ts documents|namespaces ROUNDS [ADDRESS]`: see memory-growth.ts. */
const [shape, rounds = '', address] = process.argv.slice(2)

const DIMENSIONS = 256
const DOCUMENTS = 10
const CHUNKS = 4
/** Before it is measured: what all rounds share is there, and code is compiled. */
const WARM = 100

const folder = mkdtempSync(path.join(tmpdir(), 'sluice-growth-'))
const { stores, close } = address ? await overPostgres(address) : embedded()

type Opened = { stores: ChunkStores; close(): Promise<void> }

function embedded(): Opened {
  const database = openDatabase(folder)
  return { stores: builtInStores(database), close: () => database.close() }
}

async function overPostgres(address: string): Promise<Opened> {
  const database = await openPostgres(address)
  return { stores: replicaStores(database, folder), close: () => database.close() }
}

/** Publishes a document in the place of the one before, and searches it by its words, its vector and with a filter. */
async function change(namespace: string, source: string, round: number): Promise<void> {
  const store = stores.open(namespace)
  await store.remove({ sources: [source] })
  const texts = Array.from(
    { length: CHUNKS },
    (_, at) => `word${round} passage ${at} of ${source} in ${namespace}`,
  )
  const chunks = texts.map((text) => ({
    source,
    text,
    metadata: { round },
    vector: hashVector(text, DIMENSIONS),
  }))
  await publishChunks(store, 'e', chunks)
  const question = { text: texts[0]!, vector: hashVector(texts[0]!, DIMENSIONS), limit: 3 }
  for (const filter of [undefined, parseFilter({ round })]) {
    const found = await store.search({ ...question, ...(filter ? { filter } : {}) })
    if (!found.some(({ pageContent }) => pageContent === texts[0]))
      throw new Error(`round ${round}: not found`)
  }
}

const SHAPES: Record<string, (round: number) => Promise<void>> = {
  documents: (round) => change('one', `document ${round % DOCUMENTS}`, round),
  async namespaces(round) {
    await change(`namespace ${round}`, 'document', round)
    await stores.open(`namespace ${round}`).drop()
    // On a server this is called after each removed flow, and every ten minutes over PostgreSQL.
    if (round % 10 === 9) await stores.sweepRemoved()
  },
}

/** Compiled code grows for a while with each round, and is dropped all at once: it says nothing of what is kept. */
const CODE_SPACES = ['code_space', 'code_large_object_space', 'trusted_space', 'trusted_large_object_space']

async function held(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    await setImmediate()
    // "last-resort" drops the caches of the engine too, which an ordinary collection keeps for some time.
    globalThis.gc!({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }
  const { heapUsed, external } = process.memoryUsage()
  const code = getHeapSpaceStatistics()
    .filter(({ space_name }) => CODE_SPACES.includes(space_name))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0)
  return heapUsed - code + external
}

try {
  const work = SHAPES[shape!]!
  for (let round = 0; round < WARM; round++) await work(round)
  const before = await held()
  for (let round = WARM; round < WARM + Number(rounds); round++) await work(round)
  process.stdout.write(`${Math.round(((await held()) - before) / Number(rounds))}`)
} finally {
  await stores.close()
  await close()
  rmSync(folder, { recursive: true, force: true })
}
