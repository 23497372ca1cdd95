import { setImmediate } from 'node:timers/promises'
import type { StoreView } from '../contract/chunk-store.ts'
import type { Cleanup } from '../contract/record-manager.ts'
import type { SourceLedger } from './source-ledger.ts'

/** What leaves the store when a run is published. */
export type Departures = {
  /** Ids of chunks, those that others replace included. */
  removedChunkIds: number[]
  /** How many chunks go without a successor, by source. */
  removedOf: ReadonlyMap<string, number>
  /** The sum of these, and of what sources lose that the run did not bring. */
  removed: number
  /** Files of sources that go altogether. */
  invalidatedFiles: string[]
}

/** After so many sources other requests get their turn: about 10 ms. */
const SOURCES_AT_ONCE = 500

/**
 * Finds what goes, once every source was seen to its end.
 *
 * @param spared sources that stay though the run did not bring them; undefined spares all of them
 */
export async function findDepartures(
  view: StoreView,
  ledger: SourceLedger,
  cleanup: Cleanup,
  spared: ReadonlySet<string> | undefined,
): Promise<Departures> {
  const removedChunkIds: number[] = []
  const removedOf = new Map<string, number>()
  let removed = 0

  for (const [at, source] of ledger.names().entries()) {
    if (at % SOURCES_AT_ONCE === SOURCES_AT_ONCE - 1) await setImmediate()
    let vanished = 0
    for await (const ids of view.visible(source)) {
      for (const id of ids) {
        const fate = ledger.fate(source, id)
        if (fate === 'kept' || (fate === 'vanished' && cleanup === 'none')) continue
        removedChunkIds.push(id)
        if (fate === 'vanished') vanished++
      }
    }
    removedOf.set(source, vanished)
    removed += vanished
  }

  const invalidatedFiles = spared ? (await view.sources()).filter((source) => !spared.has(source)) : []
  for (const [at, source] of invalidatedFiles.entries()) {
    if (at % SOURCES_AT_ONCE === SOURCES_AT_ONCE - 1) await setImmediate()
    for await (const ids of view.visible(source)) {
      for (const id of ids) removedChunkIds.push(id)
      removed += ids.length
    }
  }
  return { removedChunkIds, removedOf, removed, invalidatedFiles }
}
