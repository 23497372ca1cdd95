import type { DocumentPart } from './document.ts'

/** The file types that the product reads. `text` is any other text: markdown, code, logs. */
export const FILE_TYPES = [
  'csv',
  'doc',
  'docx',
  'eml',
  'epub',
  'html',
  'ics',
  'ipynb',
  'json',
  'jsonl',
  'mbox',
  'msg',
  'odp',
  'ods',
  'odt',
  'opml',
  'pdf',
  'pptx',
  'rtf',
  'subtitles',
  'text',
  'xls',
  'xlsx',
] as const
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
  /** Lines that stand on many pages: headers and footers, kept once; rows that repeat the header of their table. */
  'repeatedLine',
  'pageNumber',
  'hiddenSheet',
  /** An element of a page that a browser does not show. */
  'hiddenElement',
  /** Text that a tracked change deletes. */
  'deletedText',
  /** A page without text that can be read: a scan, a blank page, a font without a map to Unicode. */
  'unreadablePage',
  /** A part of the file that is damaged: some of its text may be there. */
  'damagedPart',
  /** A line that is not what its format says. */
  'skippedLine',
  /** A value that is no text where texts are read: an element without a value, a binary column. */
  'skippedValue',
  /** A value whose key occurs again later in the same object. */
  'repeatedKey',
  /** Bytes that are no character in the encoding of the text: U+FFFD stands for them. */
  'undecodedCharacter',
  /** Text behind a limit. */
  'cutText',
  /** Cells that are in the text and not in the metadata. */
  'cutMetadata',
  /** A picture, also as the output of a notebook. */
  'picture',
  /** A file in the file that no reader reads. */
  'attachment',
] as const
export type DroppedKind = (typeof DROPPED_KINDS)[number]

/** Where in its file something was left out. A slide counts as a page; `lastPage` of several. */
export type DroppedPlace = {
  page?: number
  lastPage?: number
  sheet?: string
  /** A part of the file by its name: `header`, the name of an attachment. */
  part?: string
}

/** Something of a file that is not in its text. Never has the text itself. */
export type Dropped = {
  kind: DroppedKind
  /** How many: lines, pages, sheets, characters of cut text, pictures, files. */
  count: number
  /** Where in the file; without it, in all of the file. */
  place?: DroppedPlace
  /** The sum of all others of its kind: only the first places are told. */
  more?: true
}

/** Some parts of a file's documents, notes for the person who sent it ("sheet Budget is hidden"), and what was left out. */
export type ParsedBatch = {
  parts: DocumentPart[]
  notes: string[]
  dropped?: Dropped[]
  /** Some text is missing for a reason that may pass, as a program that took too long: the same file should be read again. */
  passing?: true
}

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
