const MB = 2 ** 20

/**
 * What one file may cost. A file that goes over answers `file_over_limit`; no honest file of a corpus of 1,600
 * comes near (its maxima stand in the comments).
 */
export const FILE_LIMITS = {
  /** Bytes of a PDF, Office or HTML file: they are held whole (20.8 MB). */
  documentBytes: 50 * MB,
  /** Characters of a JSON value at the top of a file: an element of its array, else all of it. Text, CSV and JSONL stream. */
  jsonBytes: 100 * MB,
  /** Characters that come out of a file that does not stream (15.5 M). */
  textLength: 64_000_000,
  /** Characters that come out of a file that streams, beyond `textLength`, for each of its bytes. */
  textRatio: 100,
  /** Characters of a part of a document: the server takes so many at a time. */
  partLength: 64 * 1024,
  /** Characters that come out of a JSON file, beyond `textLength`, for each of its bytes: keys are repeated in paths. */
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
  /** Mistakes in one XML part before it is given up. */
  xmlErrors: 50,
  /** Pages of a PDF (619). */
  pdfPages: 5000,
  /** Cells of a workbook (1 M). */
  cells: 5_000_000,
  /** Bytes of the cells that a row of a workbook has as metadata, as JSON; its text has all of them. */
  rowMetadataBytes: 8 * 1024,
  jsonDepth: 512,
  jsonNodes: 5_000_000,
  htmlDepth: 1000,
  /** Elements of a page. */
  htmlElements: 1_000_000,
  /** Characters of one line of JSONL or one row of CSV. */
  lineLength: 16_000_000,
}

export type FileLimits = Readonly<typeof FILE_LIMITS>
