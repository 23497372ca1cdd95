import { isRecordChunk } from '../../documents/citation.ts'
import type { Cutter, DocumentFacts, OpenHeading, Piece, TextSplitter } from '../../contract/splitter.ts'
import { isObject } from '../../kit/json.ts'
import { checkChunkSizes, type ChunkSizes } from '../chunk-sizes.ts'
import { splitterId } from '../splitter-id.ts'
import type { StreamedText } from '../streamed-text.ts'
import { StreamingCutter } from '../streaming-cutter.ts'
import { codeKindOf, guessCodeKind } from './code-kinds.ts'
import { CodeLines } from './code-lines.ts'
import { headsOf } from './heads.ts'
import { Outline } from './outline.ts'
import { ProseLines } from './prose-lines.ts'
import { RankedBreaks } from './ranked-breaks.ts'
import { RecordLines } from './record-lines.ts'
import { SluiceAlgorithm } from './sluice-algorithm.ts'

/** A higher one cuts files again: increase it when the chunks of the same text change. */
const REVISION = 2

/** How much of a text is looked at to tell what it is. */
const SAMPLE = 4096

/**
 * Cuts at sections, paragraphs, rows, definitions and sentences, and tells what is above each chunk: its headings, the file and
 * the functions of code, the columns of a table.
 *
 * @throws RangeError for invalid sizes
 */
export function sluiceSplitter(sizes: ChunkSizes): TextSplitter {
  checkChunkSizes(sizes)
  const { chunkSize, chunkOverlap } = sizes
  return {
    id: splitterId('sluice', { chunkSize, chunkOverlap, revision: REVISION }),
    split(text) {
      const cutter = openSluiceCutter(sizes)
      return [...cutter.push(text), ...cutter.end()]
    },
    open: (document) => openSluiceCutter(sizes, document),
  }
}

/** A cutter for a text that arrives in parts. @param round units that are processed at once */
export const openSluiceCutter = (sizes: ChunkSizes, document?: DocumentFacts, round?: number): Cutter =>
  new SluiceCutter(sizes, document, round)

class SluiceCutter implements Cutter {
  readonly #sizes: ChunkSizes
  readonly #document: DocumentFacts | undefined
  readonly #outline: Outline
  readonly #round: number | undefined
  #begin = ''
  #cutter: StreamingCutter | undefined

  constructor(sizes: ChunkSizes, document: DocumentFacts | undefined, round: number | undefined) {
    this.#sizes = sizes
    this.#round = round
    this.#document = document
    this.#outline = new Outline(isPage(document) ? document?.before : undefined)
  }

  push(part: string): Piece[] {
    if (this.#cutter) return this.#cutter.push(part)
    this.#begin += part
    return this.#begin.length < SAMPLE ? [] : this.#start()
  }

  end(): Piece[] {
    return this.#cutter ? this.#cutter.end() : [...this.#start(), ...this.#cutter!.end()]
  }

  headings(): OpenHeading[] {
    return this.#outline.end()
  }

  #start(): Piece[] {
    const begin = this.#begin
    this.#begin = ''
    this.#cutter = new StreamingCutter((text) => this.#algorithm(text, begin.slice(0, SAMPLE)), this.#round)
    return this.#cutter.push(begin)
  }

  #algorithm(text: StreamedText, sample: string): SluiceAlgorithm {
    const outline = this.#outline
    const breaks = new RankedBreaks()
    const to = { text, breaks, outline }
    const { name = '', metadata = {} } = this.#document ?? {}
    const isRecord = isRecordChunk(metadata)
    const named = isRecord ? undefined : codeKindOf(name)
    const kind = isRecord ? undefined : (named ?? guessCodeKind(sample))
    const lines = isRecord ? new RecordLines(to) : kind ? new CodeLines(to, kind) : new ProseLines(to)
    const heads = headsOf(metadata, { isRecord, file: named === undefined ? undefined : name })
    return new SluiceAlgorithm(text, { ...this.#sizes, lines, breaks, outline, heads })
  }
}

/** Whether a document is a page, whose headings go on from the page before. */
const isPage = (document: DocumentFacts | undefined): boolean =>
  isObject(document?.metadata.loc) && document.metadata.loc.pageNumber !== undefined
