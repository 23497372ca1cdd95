import type { JsonObject } from '../../kit/json.ts'

/** A call that custom code makes, as the code wrote it: untrusted. */
export type GuestCall = { url: string; method: string; headers: Record<string, string>; body?: string }

/** The answer as the code sees it. */
export type GuestAnswer = {
  status: number
  statusText: string
  url: string
  headers: [name: string, value: string][]
  text: string
}

export type RunRequest = {
  code: string
  values: JsonObject
  /** Global variables without a value. */
  unset: readonly string[]
  cpuMs: number
  memoryBytes: number
}

/** Message from the main program to the thread. */
export type ToThread =
  | { type: 'run'; request: RunRequest }
  | { type: 'answer'; id: number; answer?: GuestAnswer; error?: string }
  /** The time of a wait is over. */
  | { type: 'woken'; id: number }

/**
 * Message from the thread to the main program. `spent`: the thread must be replaced, because its memory has grown or
 * something broke.
 */
export type FromThread =
  | { type: 'call'; id: number; call: GuestCall }
  | { type: 'wait'; id: number; ms: number }
  | { type: 'done'; text?: string; error?: string; spent: boolean }
