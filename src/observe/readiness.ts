import { setTimeout } from 'node:timers/promises'
import type { Dependency, DependencyState, Readiness } from '../contract/dependency.ts'
import { SluiceError } from '../kit/errors.ts'

/** How long a check may take, in milliseconds: proxies ask every few seconds, and wait as long at most. */
const PATIENCE_MS = 3000

type Result = Awaited<ReturnType<Dependency['check']>>

/**
 * Checks what a server needs, all at the same time. What does not answer in time is away. Calls at the same time share the checks.
 *
 * @param isStopping whether the server is about to stop: then it is not ready, whatever it has
 */
export function createReadiness(
  needed: readonly Dependency[],
  {
    patienceMs = PATIENCE_MS,
    isStopping = () => false,
  }: { patienceMs?: number; isStopping?: () => boolean } = {},
): () => Promise<Readiness> {
  const checked = needed.map((one) => ({ one, check: sharedCheck(one, patienceMs) }))
  return async () => {
    const used = checked.filter(({ one }) => one.isUsed?.() ?? true)
    const found = await Promise.all(used.map(({ check }) => check()))
    const away = used.flatMap(({ one }, at) => {
      const failure = found[at]
      return failure instanceof SluiceError ? [{ ...one, failure }] : []
    })
    return {
      dependencies: found.map((result, at) => stateOf(used[at]!.one.name, result)),
      degraded: away.filter(({ isSoft }) => isSoft).map(({ name }) => name),
      failure: isStopping() ? new SluiceError('stopping') : away.find(({ isSoft }) => !isSoft)?.failure,
    }
  }
}

/** A check that callers share while it runs. */
function sharedCheck(dependency: Dependency, patienceMs: number): () => Promise<Result> {
  let running: Promise<Result> | undefined
  return () => {
    running ??= checkInTime(dependency, patienceMs).finally(() => {
      running = undefined
    })
    return running
  }
}

async function checkInTime({ name, check }: Dependency, patienceMs: number): Promise<Result> {
  const late = new AbortController()
  const silence = setTimeout(patienceMs, undefined, { ref: false, signal: late.signal }).then(
    () => new SluiceError('dependency_silent', { name, seconds: patienceMs / 1000 }),
  )
  try {
    return await Promise.race([check(), silence])
  } finally {
    silence.catch(() => {})
    late.abort()
  }
}

function stateOf(name: string, result: Result): DependencyState {
  if (result === undefined) return { name, state: 'ok' }
  if (result === 'checking') return { name, state: 'checking' }
  return { name, state: 'away', reason: result.message }
}
