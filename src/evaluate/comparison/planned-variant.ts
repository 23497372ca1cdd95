import type { StorePart } from '../../contract/card.ts'
import type { ChunkStore } from '../../contract/chunk-store.ts'
import type { UpsertWork } from '../../upsert/run.ts'

/** A variant, planned over any store. */
export type PlannedVariant = {
  name: string
  /** Equal for variants whose documents are cut and embedded in the same way: they share an index. */
  indexKey: string
  /** Whether its embedder runs in this process: then it costs no tokens. */
  isLocal: boolean
  /** What loads the documents into a store, as {@link UpsertWork}. */
  loading(store: ChunkStore): Omit<UpsertWork, 'part'> & { part: StorePart }
  /** What searches that store, with all settings of the flow. */
  searching(store: ChunkStore): StorePart
}
