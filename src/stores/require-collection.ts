import type { LedgerIndex } from '../contract/ledger.ts'
import type { CollectionUse, SeparateEngine } from '../contract/vector-engine.ts'
import { SluiceError } from '../kit/errors.ts'
import { expectServer } from '../kit/patience.ts'

type Use = Pick<CollectionUse, 'writes'>

/**
 * Asks a separate engine for the collection of an index with visible chunks: gone, closed or another one it would find nothing, or have
 * chunks skipped that it does not have.
 *
 * @throws SluiceError `collection_unusable`, and what the engine fails with
 */
export async function requireCollection(
  engine: SeparateEngine,
  { collection, namespace, dimensions, chunks }: LedgerIndex,
  { writes }: Use,
): Promise<void> {
  if (chunks === 0) return
  // It has taken these chunks, perhaps from another process that has ended since.
  expectServer()
  const reason = await engine.fault(collection, { dimensions, writes })
  if (reason !== undefined)
    throw new SluiceError('collection_unusable', { engine: engine.name, namespace, reason })
}

/**
 * Does what an engine may refuse. Where its collection explains a failure, that is told in its place, with how many writes were refused
 * (`writes` of the failure).
 */
export async function explained<Result>(
  engine: SeparateEngine,
  index: LedgerIndex,
  use: Use,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    await requireCollection(engine, index, use).catch((better: unknown) => {
      if (!(better instanceof SluiceError) || better.code !== 'collection_unusable') return
      const { writes } = error instanceof SluiceError ? error.facts : {}
      if (writes === undefined) throw better
      throw new SluiceError(better.code, { ...better.facts, reason: `${better.facts.reason}; ${writes}` })
    })
    throw error
  }
}
