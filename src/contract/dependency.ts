import type { SluiceError } from '../kit/errors.ts'

/** Something that the server needs for its work, such as its database. */
export type Dependency = {
  /** A name for operators: `database`, `disk`. */
  name: string
  /** False while the server does not use it: then it is not listed. */
  isUsed?(): boolean
  /** Set where the server answers queries without it: while it is away, the server is ready and says what it lacks. */
  isSoft?: true
  /**
   * Resolves with nothing where it can be used, `checking` where that is not known yet, else with the reason, without
   * secrets. It never rejects.
   */
  check(): Promise<SluiceError | 'checking' | undefined>
}

export const DEPENDENCY_STATES = ['ok', 'checking', 'away'] as const

/** What a check found; `reason` only where it is away. */
export type DependencyState = {
  name: string
  state: (typeof DEPENDENCY_STATES)[number]
  reason?: string
}

/**
 * Whether a server is ready. `failure` is that of the first dependency that is away and without which it cannot answer; `degraded` has the
 * names of those that are away and without which it can.
 */
export type Readiness = {
  dependencies: DependencyState[]
  degraded: string[]
  failure: SluiceError | undefined
}
