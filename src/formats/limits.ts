const MB = 2 ** 20

/**
 * Limits for one file; a file that exceeds one fails with `file_over_limit`. In brackets: the maximum in a corpus of
 * 1,600 real files.
 */
export const FILE_LIMITS = {
  /** Bytes of a PDF, Office or HTML file, which is held in memory (20.8 MB). */
  documentBytes: 50 * MB,
  /**
   * Characters of a top-level JSON value: an element of the array, or the only value. Text, CSV and JSONL are
   * streamed.
   */
  jsonBytes: 100 * MB,
  /** Characters of text from a file that is not streamed (15.5 M). */
  textLength: 64_000_000,
  /** Characters of text from a streamed file: this many for each of its bytes, beyond `textLength`. */
  textRatio: 100,
  /** Characters in one part of a document: the server handles one part at a time. */
  partLength: 64 * 1024,
  /** The same for a JSON file, where paths repeat keys. */
  jsonRatio: 2,
  /** Files inside a ZIP (321). */
  zipEntries: 5000,
  /** Bytes of all files inside a ZIP once inflated (7.8 MB). */
  zipBytes: 512 * MB,
  /** Bytes of one file inside a ZIP once inflated, counted while inflating (37 MB: a million cells). */
  zipEntryBytes: 256 * MB,
  /** Inflated to deflated bytes of a file above 1 MB inside a ZIP (41; bombs reach 1,027). */
  zipRatio: 200,
  /** Nested XML elements (24). */
  xmlDepth: 256,
  /** Errors in one XML part before reading it fails. */
  xmlErrors: 50,
  /** Nested groups of rich text. */
  rtfDepth: 1000,
  /** Pages of a PDF (619). */
  pdfPages: 5000,
  /** Cells of a workbook (1 M). */
  cells: 5_000_000,
  /** Bytes of metadata, as JSON, from the cells of one row of a workbook; its text has all cells. */
  rowMetadataBytes: 8 * 1024,
  /** Characters of the outputs of one cell of a notebook, and of its source; the rest is cut. */
  notebookOutput: 256 * 1024,
  notebookSource: 4 * MB,
  jsonDepth: 512,
  jsonNodes: 5_000_000,
  htmlDepth: 1000,
  /** Elements of a page, lines of an outline. */
  htmlElements: 1_000_000,
  /** Files inside a mail, with those of mails inside it. */
  insideFiles: 1000,
  /** Bytes of all files inside a mail, decoded: they are held in memory. */
  insideBytes: 200 * MB,
  /** Files inside one another: the attachment of a mail in a mail has depth 2. */
  insideDepth: 10,
  /** Seconds that a file inside a mail may take, seen where its reader yields something. */
  insideSeconds: 30,
  /** Parts of a mail, and bytes of the header of each. */
  mailParts: 20_000,
  mailHeaderBytes: 1 * MB,
  /** Bytes of a text of a mail; the rest is cut. */
  mailTextBytes: 20 * MB,
  /** Characters of one line of JSONL or one row of CSV. */
  lineLength: 16_000_000,
}

export type FileLimits = Readonly<typeof FILE_LIMITS>
