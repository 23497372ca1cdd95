import type { StoreRebuild, StoreRun } from '../contract/chunk-store.ts'
import type { Ledger, LedgerRebuild, LedgerRun, LedgerSweeper, LedgerWriter } from '../contract/ledger.ts'
import type { JoinedEngine, VectorEngine } from '../contract/vector-engine.ts'
import { settle, withRemoved } from './removed-points.ts'
import { letFind, publishWithEngine } from './separate-publication.ts'
import { separateWriter } from './separate-stage.ts'

/**
 * What the runs of all namespaces share. `words`: searches by keyword for a separate engine. `repaired`: collections of a separate
 * engine that were repaired in this process.
 */
export type StoreParts = {
  ledger: Ledger
  engine: VectorEngine
  words?: JoinedEngine | undefined
  repaired: Set<string>
  /** Deletes what removed indexes have left. */
  sweepRemoved(): Promise<void>
}

/** A run of the ledger, with the points of its chunks. */
export function storeRun(parts: StoreParts, run: LedgerRun): StoreRun {
  const { known, file, visible, contents, sources, count, staged, restage, abandon } = run
  return {
    get dimensions() {
      return run.dimensions
    },
    ...{ known, file, visible, contents, sources, count, staged, restage, abandon },
    ...writerOf(parts, run),
    publish: (publication) => publishWithEngine(parts, run, publication),
  }
}

/** The same for an index that is built to replace another. */
export function storeRebuild(parts: StoreParts, rebuild: LedgerRebuild): StoreRebuild {
  const { total, chunks, text, publish, abandon } = rebuild
  return {
    get dimensions() {
      return rebuild.dimensions
    },
    ...{ total, chunks, text, abandon },
    ...writerOf(parts, rebuild),
    async publish(stagedCount, receipt) {
      // An abandoned rebuild may have staged what this one publishes.
      await letFind(parts, rebuild.index)
      await publish(stagedCount, receipt)
    },
  }
}

/** How chunks are staged and swept. The ledger writes the points of an engine that commits with it. */
function writerOf(parts: StoreParts, writer: LedgerWriter): Pick<StoreRun, 'stage' | 'sweep'> {
  const { engine } = parts
  const sweep = () => sweepStore(parts, writer)
  if ('upsert' in engine) return { ...separateWriter({ ledger: parts.ledger, engine }, writer), sweep }
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
  const gone = (pointIds: string[]) => withRemoved({ ledger, engine }).delete(collection, pointIds)
  if (!(await sweep(gone, goOn))) return
  if (!isRepaired) await settle({ ledger, engine }, collection)
  repaired.add(collection)
  await sweepRemoved()
}
