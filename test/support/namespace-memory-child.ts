import { setImmediate } from 'node:timers/promises'
import { openDatabase } from '../../src/db/sqlite/database.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { hashVector } from './hash-embedder.ts'
import type { NamespaceBytes } from './namespace-memory.ts'
import { publishChunks } from './publish-chunks.ts'

/** `namespace-memory-child.ts fill|search DIRECTORY NAMESPACES CHUNKS`: see namespace-memory.ts. */
const [task, directory = '', ...numbers] = process.argv.slice(2)
const [namespaces = 0, chunks = 0] = numbers.map(Number)

const DIMENSIONS = 256
/** Searched before it is measured: what all namespaces share is there. */
const WARM = 20

const database = openDatabase(directory)
const stores = builtInStores(database)

async function fill(): Promise<void> {
  for (let namespace = 0; namespace < WARM + namespaces; namespace++)
    await publishChunks(
      stores.open(`n${namespace}`),
      'e',
      Array.from({ length: chunks }, (_, at) => {
        const text = `passage ${at} of tenant ${namespace}`
        return { source: 's', text, metadata: {}, vector: hashVector(text, DIMENSIONS) }
      }),
    )
}

async function search(first: number, end: number): Promise<void> {
  for (let namespace = first; namespace < end; namespace++) {
    const text = `passage 0 of tenant ${namespace}`
    const [best] = await stores.open(`n${namespace}`).search({
      ...{ text, vector: hashVector(text, DIMENSIONS), limit: 3 },
    })
    if (best?.pageContent !== text) throw new Error(`${namespace}: found ${best?.pageContent}`)
  }
}

async function held(): Promise<NamespaceBytes> {
  for (let round = 0; round < 3; round++) {
    await setImmediate()
    globalThis.gc!()
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heap: heapUsed + external, counted: stores.memory().bytes, resident: rss }
}

if (task === 'fill') await fill()
else {
  await search(0, WARM)
  const before = await held()
  await search(WARM, WARM + namespaces)
  const after = await held()
  const grown = (name: keyof NamespaceBytes) => Math.round((after[name] - before[name]) / namespaces)
  const bytes: NamespaceBytes = {
    ...{ heap: grown('heap'), counted: grown('counted'), resident: grown('resident') },
  }
  process.stdout.write(JSON.stringify(bytes))
}
await stores.close()
await database.close()
