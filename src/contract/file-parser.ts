import type { DocumentPart } from './document.ts'

/** The file types that the product reads. `text` is any other text: markdown, code, logs. */
export const FILE_TYPES = ['csv', 'docx', 'html', 'json', 'jsonl', 'pdf', 'pptx', 'text', 'xlsx'] as const
export type FileType = (typeof FILE_TYPES)[number]

/** How to read a file; each format uses its own options. */
export type ParseOptions = {
  /** PDF: a document per page, or one for the whole file. */
  usage?: 'perPage' | 'perFile'
  /** CSV: read only this column. */
  columnName?: string
  /** JSON: a document per element that is an object, unsplit; without it and `pointers`, a document per record. */
  separateByObject?: boolean
  /** JSON: keys or RFC 6901 pointers of the texts that become documents. JSONL: the pointer of the text. */
  pointers?: string[]
  /** JSON, JSONL: metadata keys, with the pointers to their values in each item. */
  metadataPointers?: Record<string, string>
  password?: string
  /** PDF: the languages of pages without text, as the program tesseract names them; by default English. */
  ocrLanguages?: readonly string[]
  /** HTML: read only the elements that match this CSS selector. */
  selector?: string
  /** HTML: the encoding in the HTTP header, used if the bytes do not prove one. */
  encoding?: string
  /** HTML: the address of the page. Its links become metadata `links`, on a part that is yielded even without text. */
  linksFrom?: string
  /** SQLite: the SELECT whose rows become documents. */
  query?: string
  /** SQLite: the columns that become text; all by default. */
  contentColumns?: string[]
  /** SQLite: the columns that become metadata. */
  metadataColumns?: string[]
}

export type ParseRequest = {
  /** Path of the file on this machine. */
  path: string
  /** Name for users: errors contain it, and its ending helps to detect the type. */
  name: string
  /** `sqlite` is never detected in an upload: only the loader for databases uses it. */
  type: FileType | 'sqlite'
  options?: ParseOptions
}

/** What a reader leaves out of the text, by kind. */
export const DROPPED_KINDS = [
  /** Lines that stand on many pages: headers and footers, kept once. */
  'repeatedLine',
  'pageNumber',
  'hiddenSheet',
  /** A page whose text cannot be read: a scan, or a font without a map to Unicode. */
  'unreadablePage',
  /** Text behind a limit. */
  'cutText',
  /** A picture, also as the output of a notebook. */
  'picture',
  /** A file in the file that no reader reads. */
  'attachment',
] as const
export type DroppedKind = (typeof DROPPED_KINDS)[number]

/** Something of a file that is not in its text. Never has the text itself. */
export type Dropped = {
  kind: DroppedKind
  /** How many: lines, pages, sheets, characters of cut text, pictures, files. */
  count: number
  /** Where in the file; without it, in all of the file. */
  place?: { page?: number; lastPage?: number; sheet?: string; part?: string }
}

/** Some parts of a file's documents, notes for the person who sent it ("sheet Budget is hidden"), and what was left out. */
export type ParsedBatch = { parts: DocumentPart[]; notes: string[]; dropped?: Dropped[] }

/**
 * Reads files in separate processes, so that a hostile file cannot affect others.
 *
 * Parts come in batches, in file order. Metadata has what the format knows (`loc.pageNumber`, `rowNum`…), never
 * `source`: the loader adds that. A file without text gives no part.
 *
 * @throws SluiceError `file_unreadable`, `file_encrypted`, `file_over_limit`, `file_timeout`, `file_crashed`;
 *    `stopping` after `close()`; the reason of the signal
 */
export type FileParser = {
  parse(request: ParseRequest, signal?: AbortSignal): AsyncIterable<ParsedBatch>
  /**
   * What decides about the text of a file besides its bytes and the revision of its reader: the languages of the program for pages
   * without text. Undefined where nothing does; absent where nothing ever does.
   */
  variant?(type: FileType, options?: ParseOptions): Promise<string | undefined>
  close(): Promise<void>
}
