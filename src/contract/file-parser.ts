import type { DocumentPart } from './document.ts'

/** The kinds of file the product reads. `text` is any text that is none of the others: markdown, code, logs. */
export const FILE_TYPES = ['csv', 'docx', 'html', 'json', 'jsonl', 'pdf', 'pptx', 'text', 'xlsx'] as const
export type FileType = (typeof FILE_TYPES)[number]

/** How a file is to be read; each format looks at its own. */
export type ParseOptions = {
  /** PDF: a document per page, or one for the whole file. */
  usage?: 'perPage' | 'perFile'
  /** CSV: take only this column. */
  columnName?: string
  /** JSON: a document per element that is an object, whole; without it and `pointers`, a document per record. */
  separateByObject?: boolean
  /** JSON: keys or RFC 6901 pointers whose texts are taken. JSONL: the pointer of the text. */
  pointers?: string[]
  /** JSON, JSONL: metadata keys and the pointers that give their values, item by item. */
  metadataPointers?: Record<string, string>
  password?: string
  /** HTML: take only the elements that this CSS selector meets. */
  selector?: string
  /** HTML: the encoding that came with the page, believed where its bytes prove nothing. */
  encoding?: string
  /** HTML: the address of the page. Where it leads is then metadata `links`, on a part that comes even without text. */
  linksFrom?: string
  /** SQLite: the one SELECT whose rows are the documents. */
  query?: string
  /** SQLite: the columns that make the text; all of them unless given. */
  contentColumns?: string[]
  /** SQLite: the columns that become metadata. */
  metadataColumns?: string[]
}

export type ParseRequest = {
  /** Where the bytes lie on this machine. */
  path: string
  /** What people call the file; errors name it, and its ending helps to tell the type. */
  name: string
  /** A database is never an upload: only the loader that asks it names it. */
  type: FileType | 'sqlite'
  options?: ParseOptions
}

/** A stretch of a file's documents, and what the person who sent it should know ("sheet Budget is hidden"). */
export type ParsedBatch = { parts: DocumentPart[]; notes: string[] }

/**
 * Reads files in processes of their own, so that a hostile one can hurt nobody else.
 *
 * Parts come in batches in the order of the file. Metadata holds what the format knows (`loc.pageNumber`, `rowNum`…),
 * never `source`: the loader adds that. Throws SluiceError `file_unreadable`, `file_encrypted`, `file_over_limit`,
 * `file_timeout`, `file_crashed`, after `close()` also `stopping`; the signal's reason where that ends it. A file
 * without text gives no part.
 */
export type FileParser = {
  parse(request: ParseRequest, signal?: AbortSignal): AsyncIterable<ParsedBatch>
  close(): Promise<void>
}
