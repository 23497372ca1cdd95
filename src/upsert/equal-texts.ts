import type { KnownText } from '../contract/ledger.ts'

type Known = KnownText['chunks'][number]

/** The chunks of one source that have the same text. */
export type EqualTexts = {
  /** The chunk with these metadata. */
  find(metadataHash: string): Pick<Known, 'id' | 'fresh' | 'range'> | undefined
  /** The first chunk of the store, by id, that is free. A chunk that was not free once never becomes free again. */
  firstHeld(isFree: (id: number) => boolean): number | undefined
}

/** For few equal texts: every look-up scans the list. */
export const listedTexts = (known: KnownText['chunks']): EqualTexts => ({
  find: (metadataHash) => known.find((chunk) => chunk.metadataHash === metadataHash),
  firstHeld: (isFree) => known.find(({ id, fresh }) => !fresh && isFree(id))?.id,
})

/** From this many equal texts in a source on they are kept in memory, instead of being read again for each chunk. */
export const MANY_EQUAL_TEXTS = 16

/**
 * For many equal texts of one source, such as rows of a table that differ in their metadata only: every look-up takes
 * constant time. Read from the store once; chunks of the run are added later. About 100 bytes a chunk.
 */
export class ManyEqualTexts implements EqualTexts {
  /** By metadata: the id of a chunk of the store, or `null` for a chunk of this run. */
  readonly #byMetadata = new Map<string, number | null>()
  /** Ids of the chunks of the store, in order. */
  readonly #held: number[] = []
  /** All chunks of the store before this index are taken. */
  #next = 0
  /** Whether the store has a vector for the text. */
  embedded: boolean

  /** @param brought metadata hashes of chunks of this run that the store may not have found yet */
  constructor({ embedded, chunks }: KnownText, brought: Iterable<string>) {
    this.embedded = embedded
    for (const { id, metadataHash, fresh } of chunks) {
      if (!this.#byMetadata.has(metadataHash)) this.#byMetadata.set(metadataHash, fresh ? null : id)
      if (!fresh) this.#held.push(id)
    }
    for (const metadataHash of brought) this.bring(metadataHash)
  }

  /** Adds a chunk of this run. */
  bring(metadataHash: string): void {
    if (!this.#byMetadata.has(metadataHash)) this.#byMetadata.set(metadataHash, null)
  }

  find(metadataHash: string): { id: number; fresh: boolean } | undefined {
    const id = this.#byMetadata.get(metadataHash)
    if (id === undefined) return undefined
    return id === null ? { id: -1, fresh: true } : { id, fresh: false }
  }

  firstHeld(isFree: (id: number) => boolean): number | undefined {
    while (this.#next < this.#held.length && !isFree(this.#held[this.#next]!)) this.#next++
    return this.#held[this.#next]
  }
}
