import { type LeadingRows, findHeader, repeatsHeader, type TableRow } from './table-header.ts'

/** How many rows are buffered until the header is found, and how many characters of them. */
const BUFFERED_ROWS = 30
const BUFFERED_CHARACTERS = 1_000_000

/**
 * Splits the rows of a table, pushed one by one, into titles, header and data. The first rows are buffered until the
 * header is found; later rows are returned at once. Rows that repeat the header are left out.
 */
export class TableStart<R extends TableRow> {
  readonly #find: (rows: readonly R[]) => LeadingRows
  #buffered: R[] | undefined = []
  #characters = 0
  /** The rows above the header, once it is found. */
  titles: readonly R[] = []
  header: R | undefined
  /** How many rows were left out because they repeat the header. */
  repeated = 0

  /** @param find how the header is found among the first rows */
  constructor(find: (rows: readonly R[]) => LeadingRows = findHeader) {
    this.#find = find
  }

  /** Adds a row, and returns the rows of data that are known now. */
  push(row: R): R[] {
    if (!this.#buffered) return this.#isData(row) ? [row] : []
    this.#buffered.push(row)
    for (const { text } of row.cells) this.#characters += text.length
    const isFull = this.#buffered.length === BUFFERED_ROWS || this.#characters > BUFFERED_CHARACTERS
    return isFull ? this.#decide(this.#buffered) : []
  }

  /** The rows of data that are still buffered; called after the last row. */
  end(): R[] {
    return this.#buffered ? this.#decide(this.#buffered) : []
  }

  #decide(rows: R[]): R[] {
    const { titles, hasHeader } = this.#find(rows)
    this.#buffered = undefined
    this.titles = rows.slice(0, titles)
    if (hasHeader) this.header = rows[titles]
    return rows.slice(hasHeader ? titles + 1 : titles).filter((row) => this.#isData(row))
  }

  #isData(row: R): boolean {
    if (!this.header || !repeatsHeader(row, this.header)) return true
    this.repeated++
    return false
  }
}
