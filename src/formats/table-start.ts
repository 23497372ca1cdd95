import { type LeadingRows, findHeader, repeatsHeader, type TableRow } from './table-header.ts'

/** How many rows are held until the header is known, and how many characters of them. */
const HELD_ROWS = 30
const HELD_CHARACTERS = 1_000_000

/**
 * Parts the rows of a table, which come one after another, into titles, header and data. The first rows are held until
 * the header is known; later ones go through at once. Rows that repeat the header are left out.
 */
export class TableStart<R extends TableRow> {
  readonly #find: (rows: readonly R[]) => LeadingRows
  #held: R[] | undefined = []
  #characters = 0
  /** The rows above the header, once it is known. */
  titles: readonly R[] = []
  header: R | undefined

  /** @param find how the header is found among the first rows */
  constructor(find: (rows: readonly R[]) => LeadingRows = findHeader) {
    this.#find = find
  }

  /** Takes a row, and returns the rows of data that are known by then. */
  push(row: R): R[] {
    if (!this.#held) return this.#isData(row) ? [row] : []
    this.#held.push(row)
    for (const { text } of row.cells) this.#characters += text.length
    const isFull = this.#held.length === HELD_ROWS || this.#characters > HELD_CHARACTERS
    return isFull ? this.#decide(this.#held) : []
  }

  /** The rows of data that are still held, once there are no more rows. */
  end(): R[] {
    return this.#held ? this.#decide(this.#held) : []
  }

  #decide(rows: R[]): R[] {
    const { titles, hasHeader } = this.#find(rows)
    this.#held = undefined
    this.titles = rows.slice(0, titles)
    if (hasHeader) this.header = rows[titles]
    return rows.slice(hasHeader ? titles + 1 : titles).filter((row) => this.#isData(row))
  }

  #isData(row: R): boolean {
    return !this.header || !repeatsHeader(row, this.header)
  }
}
