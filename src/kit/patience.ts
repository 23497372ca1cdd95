import { AsyncLocalStorage } from 'node:async_hooks'

/** What work waits for: the name of the server, why, and since when (milliseconds since 1970). */
export type ServerWait = { server: string; reason: string; since: number }

/** A wait that has begun. */
export type OpenWait = {
  /** The newest reason. */
  note(reason: string): void
  end(): void
}

/** How long work may wait for a server outside that refuses its calls or does not answer. */
export type Patience =
  /**
   * Somebody waits for the answer, until this time (of `performance.now()`). `afterMs`: with each answer of the server the end moves, to
   * so many milliseconds later: for work whose calls may be many.
   */
  | { until: number; afterMs?: number }
  /** Nobody waits: a job. `isExpected`: the server has answered before, perhaps to another process. */
  | { signal: AbortSignal; begin(server: string, reason: string): OpenWait; isExpected?: boolean }

const storage = new AsyncLocalStorage<Patience>()

/** The patience of the running work; undefined where it has no own. It is not handed down: between the two are ten calls of an engine. */
export const currentPatience = (): Patience | undefined => storage.getStore()

export const withPatience = <T>(patience: Patience, work: () => Promise<T>): Promise<T> =>
  storage.run(patience, work)

/** Does work that others wait for too: it has not the patience of the first who asks. */
export const withoutPatience = <T>(work: () => Promise<T>): Promise<T> => storage.exit(work)

/** Does work of a request, in at most so many milliseconds. Work that has a patience already keeps it. */
export const withinTime = <T>(
  { ms, isExtended = false }: { ms: number; isExtended?: boolean },
  work: () => Promise<T>,
): Promise<T> =>
  currentPatience()
    ? work()
    : withPatience({ until: performance.now() + ms, ...(isExtended ? { afterMs: ms } : {}) }, work)

/** Lets the running job wait for its server from the first call on: what is known here came from it. */
export function expectServer(): void {
  const patience = currentPatience()
  if (patience && 'signal' in patience) patience.isExpected = true
}

/** The patience of a job. @param onChange gets the oldest of its waits, and undefined when none is left */
export function patienceOfJob(
  signal: AbortSignal,
  onChange: (wait: ServerWait | undefined) => void,
): Patience {
  const open = new Set<ServerWait>()
  let told: string | undefined
  const tell = () => {
    const [oldest] = [...open].sort((a, b) => a.since - b.since)
    const text = oldest && JSON.stringify(oldest)
    if (text === told) return
    told = text
    onChange(oldest && { ...oldest })
  }
  return {
    signal,
    begin(server, reason) {
      const wait = { server, reason, since: Date.now() }
      open.add(wait)
      tell()
      return {
        note(newest) {
          wait.reason = newest
          tell()
        },
        end() {
          open.delete(wait)
          tell()
        },
      }
    },
  }
}
