import type { DroppedKind } from '../../contract/file-parser.ts'
import type { DroppedItem } from '../reader.ts'

/** Counts what is left out of the pages of a file, page after page. */
export class DroppedFromPages {
  readonly #kinds = new Map<DroppedKind, { count: number; page: number; lastPage: number }>()
  readonly #unreadable = new Set<number>()

  add(kind: DroppedKind, count: number, page: number): void {
    if (count === 0) return
    const known = this.#kinds.get(kind)
    if (!known) this.#kinds.set(kind, { count, page, lastPage: page })
    else [known.count, known.lastPage] = [known.count + count, page]
  }

  /** Pages in any order, also again. */
  addUnreadable(...pages: readonly number[]): void {
    for (const page of pages) this.#unreadable.add(page)
  }

  /** An item per kind with its first and last page; unreadable pages that follow one another are an item. */
  *items(): Generator<DroppedItem> {
    for (const [kind, { count, ...place }] of this.#kinds)
      yield { dropped: { kind, count, place: placeOf(place) } }
    for (const { page, lastPage } of stretches([...this.#unreadable].sort((a, b) => a - b)))
      yield {
        dropped: { kind: 'unreadablePage', count: lastPage - page + 1, place: placeOf({ page, lastPage }) },
      }
  }
}

type Pages = { page: number; lastPage: number }

const placeOf = ({ page, lastPage }: Pages): { page: number; lastPage?: number } =>
  page === lastPage ? { page } : { page, lastPage }

function stretches(pages: readonly number[]): Pages[] {
  const found: Pages[] = []
  for (const page of pages) {
    const last = found.at(-1)
    if (last && last.lastPage === page - 1) last.lastPage = page
    else found.push({ page, lastPage: page })
  }
  return found
}
