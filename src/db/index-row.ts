import type { IndexRequest, LedgerIndex } from '../contract/ledger.ts'
import { SluiceError } from '../kit/errors.ts'

/** The content of a namespace: passages embedded by one embedder. Vectors of two models are never in one index. */
export type IndexRow = {
  id: number
  namespace: string
  embedder: string
  /** The vector engine that has its points. */
  engine: string
  dimensions: number | null
  /** How many chunks readers see. */
  chunks: number
}

/** The columns of an {@link IndexRow}. */
export const INDEX_COLUMNS = 'id, namespace, embedder, engine, dimensions, chunks'

/** The row of an index in the form of the contract. */
export const indexOf = ({ id, namespace, embedder, engine, dimensions, chunks }: IndexRow): LedgerIndex => ({
  namespace,
  collection: `${id}`,
  embedder,
  engine,
  dimensions: dimensions ?? undefined,
  chunks,
})

/** How long a half-made index is kept for the next attempt, in milliseconds. */
export const REBUILD_KEPT_MS = 24 * 3_600_000

/** The id of the index that has a collection. */
export const indexIdOf = (collection: string): number => Number(collection)

/** For a view of a namespace without an index: no row has this id. */
export const NO_INDEX = { id: -1, dimensions: undefined }

/**
 * Refuses an index with visible chunks whose vectors are of another embedder, or in another engine.
 *
 * @throws SluiceError `embedder_changed`, `engine_changed`
 */
export function checkIndex(
  { namespace, embedder, engine, chunks }: Omit<IndexRow, 'id' | 'dimensions'>,
  wanted: Pick<IndexRequest, 'embedder' | 'engine'>,
): void {
  if (chunks === 0) return
  if (embedder !== wanted.embedder)
    throw new SluiceError('embedder_changed', { namespace, was: embedder, now: wanted.embedder })
  if (engine !== wanted.engine)
    throw new SluiceError('engine_changed', { namespace, was: engine, now: wanted.engine })
}
