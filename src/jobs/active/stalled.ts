import type { ServerWait } from '../../kit/patience.ts'
import type { JobRecord } from '../../contract/job.ts'

/** How often the waits are looked at, in milliseconds; more often where the time is short. */
const LOOK_MS = 1000

/** What is known of a job that is queued or runs. */
type KnownJob = {
  readonly record: Pick<JobRecord, 'namespace' | 'state'>
  readonly serverWait: ServerWait | undefined
}

/**
 * Resolves once the work on a namespace has not gone on for `ms` milliseconds: its running job waits for a server outside, or no queued one
 * can begin, since all that run wait. Otherwise it never resolves; nor after the signal.
 */
export function stalled(
  active: ReadonlyMap<string, KnownJob>,
  { namespace, ms, signal }: { namespace: string; ms: number; signal: AbortSignal },
): Promise<ServerWait> {
  const waited = (wait: ServerWait | undefined) => wait !== undefined && Date.now() - wait.since >= ms

  function find(): ServerWait | undefined {
    const running = [...active.values()].filter(({ record }) => record.state === 'running')
    const own = running.find(({ record }) => record.namespace === namespace)
    if (own) return waited(own.serverWait) ? own.serverWait : undefined
    if (!running.every(({ serverWait }) => waited(serverWait))) return undefined
    return running[0]?.serverWait
  }

  return new Promise((resolve) => {
    const timer = setInterval(
      () => {
        const wait = find()
        if (!wait) return
        clearInterval(timer)
        resolve(wait)
      },
      Math.min(LOOK_MS, ms / 4),
    ).unref()
    signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  })
}
