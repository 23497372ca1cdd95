import { setTimeout } from 'node:timers/promises'
import type { Dependency, DependencyState, Readiness } from '../contract/dependency.ts'
import { SluiceError } from '../kit/errors.ts'

/** How long a check may take, in milliseconds. Probes of containers often wait for ten seconds. */
const PATIENCE_MS = 8000

/** Checks what a server needs, all at the same time. What does not answer in time is away. */
export function createReadiness(
  needed: readonly Dependency[],
  patienceMs = PATIENCE_MS,
): () => Promise<Readiness> {
  return async () => {
    const found = await Promise.all(needed.map((one) => checkInTime(one, patienceMs)))
    return {
      dependencies: found.map((result, at) => stateOf(needed[at]!.name, result)),
      failure: found.find((result) => result instanceof SluiceError),
    }
  }
}

async function checkInTime({ name, check }: Dependency, patienceMs: number) {
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

function stateOf(name: string, result: SluiceError | 'checking' | undefined): DependencyState {
  if (result === undefined) return { name, state: 'ok' }
  if (result === 'checking') return { name, state: 'checking' }
  return { name, state: 'away', reason: result.message }
}
