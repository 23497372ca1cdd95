import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from './button.tsx'
import styles from './pager.module.css'
import { numberText } from './units.ts'

type PagerProps = {
  /** From 1. */
  page: number
  limit: number
  total: number
  /** What is paged, for the labels of the buttons. */
  of: string
  onPage(page: number): void
}

/** Which rows are shown, and the way to the others; nothing where one page holds all. */
export function Pager({ page, limit, total, of, onPage }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / limit))
  if (last === 1 && page === 1) return null
  const first = (page - 1) * limit + 1
  return (
    <nav className={styles.pager} aria-label={`Pages of ${of}`}>
      <span role="status">
        {first > total ? '0' : `${numberText(first)}–${numberText(Math.min(total, page * limit))}`} of{' '}
        {numberText(total)}
      </span>
      <Button
        look="quiet"
        square
        aria-label={`Previous page of ${of}`}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <ChevronLeft />
      </Button>
      <Button
        look="quiet"
        square
        aria-label={`Next page of ${of}`}
        disabled={page >= last}
        onClick={() => onPage(page + 1)}
      >
        <ChevronRight />
      </Button>
    </nav>
  )
}
