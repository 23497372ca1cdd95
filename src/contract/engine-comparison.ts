import type { Embedder } from './embedder.ts'

/** Some points: how many, and the ids of the first. */
export type PointList = { count: number; first: string[] }

/** How a separate engine differs from the ledger. */
export type EngineDifferences = {
  /** The ledger has a chunk, and the engine no point for it. */
  missing: PointList
  /** The engine has a point, and the ledger no chunk for it. */
  surplus: PointList
  /** The point has another text or other metadata than the chunk. */
  differing: PointList
  /** The vector of the point is not the one that was written, by the check that was written with it. */
  damaged: PointList
}

/** A collection of a separate engine, compared with the ledger by ids, texts and metadata, and each vector with its check. */
export type EngineComparison = EngineDifferences & {
  /** Points that the ledger has chunks for, visible or not. */
  expected: number
  /** Points in the engine. */
  held: number
  /** Points of earlier versions, whose vectors have no check and were not compared. */
  unchecked: number
  /** About how many texts a repair would embed, where that was asked: a text of many points may be counted again. */
  toEmbed?: number
  /** Why texts cannot be embedded: the embedder is another one than that of the index, or has failed. Absent where it was not asked. */
  why?: string
  /**
   * What a repair did, how many texts it has embedded, and what it has left: missing and damaged points whose text has no
   * sound vector in the engine and could not be embedded.
   */
  repair?: { written: number; removed: number; embedded: number; left: EngineDifferences }
}

/** The steps of a comparison; the second and third are of a repair that finds something. Each reads all points and chunks. */
export const COMPARISON_STEPS = ['compare', 'repair', 'check'] as const

/**
 * How far a comparison is: how many points and chunks were read, and how many there are about.
 *
 * `found`: how many points differ, by the first step; `due`: how many of them are to be written. `written`, `embedded`, `removed`: as in {@link EngineComparison}
 */
export type ComparisonProgress = {
  step: (typeof COMPARISON_STEPS)[number]
  done: number
  total: number
  found: number
  due: number
  written: number
  embedded: number
  removed: number
}

/**
 * `embedder`: embeds the texts that have no vector in the engine any more, where it is that of the index.
 * `estimate`: counts these texts without a repair. `signal`: ends it; what was mended stays mended.
 */
export type ComparisonOptions = {
  repair: boolean
  estimate?: boolean | undefined
  progress?: ((progress: ComparisonProgress) => void) | undefined
  embedder?: Pick<Embedder, 'id' | 'limits' | 'embed'> | undefined
  signal?: AbortSignal | undefined
}

/** `progress`: called with the slugs of the flows of the engine that is compared. */
export type VerificationOptions = {
  flow?: string | undefined
  repair: boolean
  progress?: ((flows: readonly string[], progress: ComparisonProgress) => void) | undefined
}

/** The separate engine of a namespace, compared with the ledger. */
export type EngineVerification = {
  namespace: string
  /** The slugs of the flows with this namespace. */
  flows: string[]
  engine: string
} & ({ comparison: EngineComparison } | { failure: string })

/** What a comparison of all engines, or of those of a flow, finds. `left`: empty where only a flow was asked for. */
export type EnginesFound = { engines: EngineVerification[]; left: LeftPoints[] }

/** An engine that still has points of `indexes` removed indexes: of flows removed for good, and of reindexes. */
export type LeftPoints = {
  engine: string
  indexes: number
  /** Why nothing can delete them; absent where a server does so by itself. */
  lost?: string
}
