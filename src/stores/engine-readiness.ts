import type { Dependency } from '../contract/dependency.ts'
import type { Ledger, LedgerIndex } from '../contract/ledger.ts'
import type { SeparateEngine } from '../contract/vector-engine.ts'
import { SluiceError } from '../kit/errors.ts'
import { requireCollection } from './require-collection.ts'

/** How long what was found counts, in milliseconds. A look asks each engine once for each collection, and probes come every few seconds. */
const FRESH_MS = 15_000

/**
 * A look that takes long, over many collections, is made again after so many times its own time. One that has found a failure may have waited
 * for an engine that is silent: whether that is over should be known soon.
 */
const TIMES_ITS_OWN = 20
const TIMES_AFTER_FAILURE = 1

/**
 * The collections of separate engines as what a server needs: without one, the questions to its namespace fail and all others are
 * answered. A look goes on in the background; meanwhile the result of the last one counts.
 *
 * @param engineOf the engine that has an index; undefined where no card of this process has named it
 */
export function engineReadiness(
  ledger: Pick<Ledger, 'contents' | 'find'>,
  {
    isUsed,
    engineOf,
    now = () => performance.now(),
  }: {
    isUsed(): boolean
    engineOf(index: LedgerIndex): SeparateEngine | undefined
    now?: () => number
  },
): Dependency {
  let isLooking = false
  let last: { failure: SluiceError | undefined; freshUntil: number } | undefined

  /** The failure of the first namespace that has one. */
  async function firstFailure(): Promise<SluiceError | undefined> {
    for (const namespace of (await ledger.contents()).keys()) {
      const index = await ledger.find(namespace)
      const engine = index && engineOf(index)
      if (!engine) continue
      try {
        await requireCollection(engine, index, { writes: true })
      } catch (error) {
        return error instanceof SluiceError ? error : new SluiceError('not_ready')
      }
    }
    return undefined
  }

  async function look(): Promise<void> {
    isLooking = true
    const began = now()
    const failure = await firstFailure().catch(() => undefined)
    const ended = now()
    const times = failure ? TIMES_AFTER_FAILURE : TIMES_ITS_OWN
    last = { failure, freshUntil: ended + Math.max(FRESH_MS, times * (ended - began)) }
    isLooking = false
  }

  return {
    name: 'vector engines',
    isSoft: true,
    isUsed,
    async check() {
      if (!isLooking && (!last || now() >= last.freshUntil)) void look()
      return last ? last.failure : 'checking'
    },
  }
}
