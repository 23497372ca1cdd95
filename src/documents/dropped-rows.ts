import type { DroppedCount } from '../contract/dropped-rows.ts'
import { droppedText } from './dropped-text.ts'
import type { Dropped, DroppedKind, DroppedPlace } from '../contract/file-parser.ts'

/** How many places a document has at most; what comes after them is one row of its kind with `more`. */
export const MOST_DROPPED_ROWS = 100

/** The most characters of the name of a sheet or part. */
const NAME_LENGTH = 200

/**
 * Collects what is left out of one document. Neighbours become one row: the same kind in the same sheet or part, on the same page or
 * the next one. However much there is, it holds `MOST_DROPPED_ROWS` rows and one more of each kind.
 */
export class DroppedRows {
  readonly #rows: Dropped[] = []
  /** The last row of each kind and part: the only one that can have a neighbour. */
  readonly #last = new Map<string, Dropped>()
  readonly #more = new Map<DroppedKind, Dropped>()

  add({ kind, count, place, more }: Dropped): void {
    if (!(count > 0)) return
    const there = place && definedPlace(place)
    const key = JSON.stringify([kind, there?.sheet, there?.part, there?.page === undefined])
    const before = more ? undefined : this.#last.get(key)
    if (before && joins(before.place, there)) {
      before.count += count
      if (there?.page !== undefined) before.place = spanning(before.place!, there)
    } else if (more || this.#rows.length >= MOST_DROPPED_ROWS) {
      const rest = this.#more.get(kind)
      if (rest) rest.count += count
      else this.#more.set(kind, { kind, count, more: true })
    } else {
      const row: Dropped = { kind, count, ...(there ? { place: there } : {}) }
      this.#rows.push(row)
      this.#last.set(key, row)
    }
  }

  get rows(): Dropped[] {
    return [...this.#rows, ...this.#more.values()]
  }
}

/** How much of each kind was left out, in the order of the rows. */
export function countDropped(rows: readonly Dropped[]): DroppedCount[] {
  const counts = new Map<DroppedKind, number>()
  for (const { kind, count } of rows) counts.set(kind, (counts.get(kind) ?? 0) + count)
  return [...counts].map(([kind, count]) => ({ kind, count, text: droppedText({ kind, count }) }))
}

const lastPageOf = ({ page, lastPage }: DroppedPlace): number | undefined => lastPage ?? page

function joins(before: DroppedPlace | undefined, place: DroppedPlace | undefined): boolean {
  if (place?.page === undefined) return true
  return place.page >= before!.page! && place.page <= lastPageOf(before!)! + 1
}

function spanning(before: DroppedPlace, place: DroppedPlace): DroppedPlace {
  const last = Math.max(lastPageOf(before)!, lastPageOf(place)!)
  return last > before.page! ? { ...before, lastPage: last } : before
}

/** Without names that are longer than anyone reads, and without a last page that is the first. */
function definedPlace({ page, lastPage, sheet, part }: DroppedPlace): DroppedPlace | undefined {
  const place: DroppedPlace = {
    ...(page === undefined ? {} : { page }),
    ...(page === undefined || lastPage === undefined || lastPage <= page ? {} : { lastPage }),
    ...(sheet === undefined ? {} : { sheet: sheet.slice(0, NAME_LENGTH).toWellFormed() }),
    ...(part === undefined ? {} : { part: part.slice(0, NAME_LENGTH).toWellFormed() }),
  }
  return Object.keys(place).length === 0 ? undefined : place
}
