import type { JsonObject } from '../../kit/json.ts'

/** What code of a flow's author wants to call, as it wrote it: nothing of it is believed. */
export type GuestCall = { url: string; method: string; headers: Record<string, string>; body?: string }

/** What it gets to see of the answer. */
export type GuestAnswer = {
  status: number
  statusText: string
  url: string
  headers: [name: string, value: string][]
  text: string
}

export type RunRequest = { code: string; values: JsonObject; cpuMs: number; memoryBytes: number }

/** From the program to the thread. */
export type ToThread =
  | { type: 'run'; request: RunRequest }
  | { type: 'answer'; id: number; answer?: GuestAnswer; error?: string }

/** From the thread to the program. `spent` asks for a new thread: this one has grown, or something broke. */
export type FromThread =
  | { type: 'call'; id: number; call: GuestCall }
  | { type: 'done'; text?: string; error?: string; spent: boolean }
