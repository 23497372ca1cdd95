/** The engines that `sluice engine check` knows. */
export const CHECKED_ENGINES = [
  'opensearch',
  'elasticsearch',
  'chroma',
  'qdrant',
  'pinecone',
  'pgvector',
] as const

export type CheckedEngine = (typeof CHECKED_ENGINES)[number]

export type EngineCheckRequest = {
  kind: CheckedEngine
  /** Several of one cluster with commas between them; `postgres://HOST:PORT/DATABASE` for pgvector. Without a password. */
  address: string
  /** The values of a credential by field; empty where the engine needs none. */
  credential: Record<string, string>
  /** What the names of collections begin with, before `sluice-check-` and a random word. */
  prefix: string | undefined
  /** The length of the vectors. */
  dimensions: number
}

/** `no`: it does not work, and no upsert needs it. `left out`: it was not tried. */
export type CheckOutcome = 'ok' | 'failed' | 'no' | 'left out'

export type CheckedStep = {
  step: string
  outcome: CheckOutcome
  /** What was found, or why it failed, without secrets. */
  found: string
  /** How long it took, in milliseconds. */
  ms: number
}

export type EngineCheck = {
  kind: CheckedEngine
  /** Tested with a server of our own only. */
  experimental: boolean
  /** The name that its collection had. */
  collection: string
  steps: CheckedStep[]
  /** Everything that an upsert needs works, and nothing was left behind. */
  ok: boolean
}
