import type { SluiceError } from '../kit/errors.ts'

/** Something that the server needs for its work, such as its database. */
export type Dependency = {
  /** A name for operators: `database`, `disk`. */
  name: string
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

/** Whether a server is ready. `failure` is that of the first dependency that is away. */
export type Readiness = { dependencies: DependencyState[]; failure: SluiceError | undefined }
