import type { Alone } from '../contract/alone.ts'
import type { ChunkStores, EngineReach } from '../contract/chunk-store.ts'
import type { Clock } from '../kit/clock.ts'
import { coalesced } from '../kit/coalesced.ts'
import { reasonOf } from '../kit/errors.ts'
import type { Log } from '../kit/log.ts'
import type { UpsertEngine } from './engine.ts'

/** How often is looked for what is to be swept, in milliseconds. */
const EVERY_MS = 10_000

/**
 * How long what a load left stays for the next one, in milliseconds: a job that is tried again within this time uses it, and
 * embeds no text twice. With the time until it is seen, all begins to be swept within half a minute.
 */
const KEPT_MS = 20_000

export type InvisibleSweepOptions = {
  stores: Pick<ChunkStores, 'unswept' | 'find' | 'sweepRemoved'>
  engine: Pick<UpsertEngine, 'sweep'>
  /** Reaches the engines that only removed flows have named. */
  reach: EngineReach
  /** Whether a job of a namespace is queued or runs: it uses what is there, and sweeps the rest itself. */
  isBusy(namespace: string): boolean
  /** Of several servers one sweeps at a time. */
  alone: Alone
  log: Log
  clock?: Clock
  everyMs?: number
  keptMs?: number
}

export type InvisibleSweep = {
  /** Deletes what is left of removed flows, behind the request that removed them. A process that is started next goes on with it. */
  soon(): void
  /** Ends it between two steps. The rest is swept by the next start. */
  close(): Promise<void>
}

/**
 * Sweeps chunks that readers do not see and no run will sweep: of loads that failed or were cancelled, of processes that were
 * killed, of flows that were removed for good. A namespace is swept under its lease; a job that comes
 * meanwhile does not wait for the rest.
 */
export function startInvisibleSweep(options: InvisibleSweepOptions): InvisibleSweep {
  const { stores, engine, reach, isBusy, alone, log } = options
  const { clock = Date.now, everyMs = EVERY_MS, keptMs = KEPT_MS } = options
  /** When each namespace was first seen with chunks that are to be swept, after its last job. */
  const seen = new Map<string, number>()
  const closing = new AbortController()
  const { signal } = closing
  let round: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    if (signal.aborted) return
    const { namespaces, removed } = await stores.unswept()
    for (const namespace of seen.keys()) if (!namespaces.includes(namespace)) seen.delete(namespace)
    for (const namespace of namespaces)
      if (!seen.has(namespace) || isBusy(namespace)) seen.set(namespace, clock())
    if (removed && !signal.aborted) await attempt({}, () => stores.sweepRemoved(reach))
    for (const namespace of namespaces) {
      const goOn = () => !signal.aborted && !isBusy(namespace)
      if (goOn() && clock() - seen.get(namespace)! >= keptMs)
        await attempt({ namespace }, async () => engine.sweep(await stores.find(namespace), goOn, signal))
    }
  }

  /** What fails is tried again in the next round. */
  const attempt = (facts: object, work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) => {
      if (!signal.aborted) log.warn('invisible-not-swept', { ...facts, reason: reasonOf(error) })
    })

  const sweep = coalesced(() => attempt({}, () => alone('invisible', look)))
  const soon = () => {
    if (!signal.aborted) round = sweep()
  }
  const timer = setInterval(soon, everyMs).unref()
  return {
    soon,
    async close() {
      closing.abort()
      clearInterval(timer)
      await round
    },
  }
}
