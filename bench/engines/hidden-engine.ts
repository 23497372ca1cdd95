import { setTimeout as pause } from 'node:timers/promises'
import type { EngineSource } from '../../src/contract/engine-source.ts'
import { chromaEngine } from '../../src/stores/remote/chroma.ts'
import { searchServerEngine } from '../../src/stores/remote/search-server.ts'
import { clientOf } from '../../test/support/engines/client-of.ts'
import { startChroma } from '../../test/support/engines/real/chroma.ts'
import { chromaPrograms } from '../../test/support/engines/real/programs.ts'
import { pgVectorDatabase, pgVectorOver } from '../../test/support/pgvector.ts'
import { bareClient } from './bare-client.ts'
import { openProduct } from './product.ts'

/** Of the documents of a search server the share that may be deleted ones when a merge is over, and how long it may take. */
const MOST_DELETED = 0.2
const LONGEST_MERGE_MS = 120_000
const SHOWN_MS = 4000

/** A real engine. `settle`: all that was written is found, and what the engine does by itself after a load is done. */
export type HiddenEngine = { source: EngineSource; settle(): Promise<void>; close(): Promise<void> }

/** Starts an engine by its name; it ends with this process. */
export async function hiddenEngine(name: string): Promise<HiddenEngine> {
  const close = async () => {}
  if (name === 'pgvector') {
    const engine = await pgVectorOver({ database: await pgVectorDatabase(), quietMs: 3_600_000 })
    const source = { name, key: name, create: () => engine }
    return { source, settle: () => engine.buildGraphs(), close }
  }
  if (name === 'chroma') {
    const folder = chromaPrograms()
    if (folder === undefined) throw new Error('chroma is not there (tools/provide-chroma.sh)')
    const { url, pid } = await startChroma(folder)
    const server = clientOf(url)
    const create = () => chromaEngine({ name, server, collectionPrefix: 'bench', metric: 'cosine' })
    return {
      source: { name, key: name, create },
      async settle() {},
      close: async () => void process.kill(pid, 'SIGKILL'),
    }
  }
  process.env.BENCH_ENGINE = name
  const { url, pid } = await openProduct()
  const create = () =>
    searchServerEngine({ server: clientOf(url), name, indexPrefix: 'bench', metric: 'cosine' })
  return {
    source: { name, key: name, create },
    async settle() {
      const bare = bareClient(url)
      // Names without a pattern: an engine may refuse one.
      await bare.call('POST', '/_refresh')
      const began = performance.now()
      while ((await bare.deletedShare()) > MOST_DELETED) {
        if (performance.now() - began > LONGEST_MERGE_MS) throw new Error('the deleted documents stay')
        await pause(250)
      }
      const seconds = (performance.now() - began) / 1000
      if (seconds < 1) return
      console.log(`${name}: deleted documents were gone after ${seconds.toFixed(1)} s`)
      // The store shows searches the new segments.
      await pause(SHOWN_MS)
    },
    async close() {
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
    },
  }
}
