import type { TextSplitter } from '../../contract/splitter.ts'
import { recursiveSplitter } from '../../text/recursive.ts'
import type { TextElement } from './elements.ts'

export const CHUNKING_STRATEGIES = ['None', 'basic', 'by_title', 'by_page', 'by_similarity'] as const
export type ChunkingStrategy = (typeof CHUNKING_STRATEGIES)[number]

export type Chunking = {
  strategy: ChunkingStrategy
  /** Maximum characters of a chunk. */
  maxCharacters: number
  /** A chunk with this many characters takes no further element. */
  newAfter: number
  /** A section with fewer characters is joined with the next one, if both fit. */
  combineUnder: number
}

export type ElementChunk = { category: TextElement['category'] | 'CompositeElement'; text: string }

const BETWEEN = '\n\n'

/**
 * Joins the elements of one document to chunks, as Unstructured does: whole elements up to a size, with `by_title` a
 * new chunk at each title, tables separately; longer elements are cut. `None` leaves elements as they are.
 */
export class ElementChunker {
  readonly #chunking: Chunking
  readonly #splitter: TextSplitter
  /** The texts of the current chunk, and their total length. */
  #texts: string[] = []
  #length = 0
  /** The last chunk of the section before, while it may still be joined with the next one. */
  #held = ''

  constructor(chunking: Chunking) {
    this.#chunking = chunking
    this.#splitter = recursiveSplitter({ chunkSize: chunking.maxCharacters, chunkOverlap: 0 })
  }

  /** Adds an element. Returns the chunks that are complete. */
  push({ category, text }: TextElement): ElementChunk[] {
    const { strategy, maxCharacters, newAfter } = this.#chunking
    if (strategy === 'None') return [{ category, text }]
    if (category === 'Table')
      return [...this.end(), ...this.#cut(text).map((piece) => ({ category, text: piece }))]
    const chunks: ElementChunk[] = []
    if (strategy === 'by_title' && category === 'Title') chunks.push(...this.#endSection())
    for (const piece of this.#cut(text)) {
      const longer = this.#length + (this.#length > 0 ? BETWEEN.length : 0) + piece.length
      if (this.#length > 0 && (longer > maxCharacters || this.#length >= newAfter))
        chunks.push(...this.#endChunk())
      this.#length += (this.#length > 0 ? BETWEEN.length : 0) + piece.length
      this.#texts.push(piece)
    }
    return chunks
  }

  /** Ends the document. Returns the remaining chunks. */
  end(): ElementChunk[] {
    return [...this.#endSection(), ...this.#release()]
  }

  #cut(text: string): string[] {
    if (text.length <= this.#chunking.maxCharacters) return [text]
    return this.#splitter.split(text).map((piece) => piece.text)
  }

  /** A chunk is full: only the last of a section may be joined with the next section. */
  #endChunk(): ElementChunk[] {
    return [...this.#endSection(), ...this.#release()]
  }

  #endSection(): ElementChunk[] {
    const text = this.#texts.join(BETWEEN)
    this.#texts = []
    this.#length = 0
    if (text === '') return []
    const joined = this.#held === '' ? text : this.#held + BETWEEN + text
    const { combineUnder, maxCharacters } = this.#chunking
    const before = this.#held !== '' && joined.length > maxCharacters ? this.#release() : []
    this.#held = before.length > 0 ? text : joined
    return this.#held.length >= combineUnder ? [...before, ...this.#release()] : before
  }

  #release(): ElementChunk[] {
    const text = this.#held
    this.#held = ''
    return text === '' ? [] : [{ category: 'CompositeElement', text }]
  }
}
