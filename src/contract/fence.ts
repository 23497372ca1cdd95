/** Metadata of a key: each chunk that the key loads gets them, and the key finds only chunks that have them. */
export type Pins = Readonly<Record<string, string>>

/** The limits of the documents that a pinned key works on. `id` is part of the stored names of their sources. */
export type Fence = {
  readonly id: string
  readonly pins: Pins
  /** The most chunks that its documents may have. */
  readonly mostChunks?: number | undefined
}
