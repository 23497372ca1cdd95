import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from '../../../parts/button.tsx'
import { numberText } from '../../../parts/units.ts'
import styles from './documents.module.css'

type PagerProps = { label: string; page: number; pages: number; onPage(page: number): void }

/** Steps through pages; nothing where there is one page only. */
export function Pager({ label, page, pages, onPage }: PagerProps) {
  if (pages <= 1 && page <= 1) return null
  return (
    <nav className={styles.pager} aria-label={label}>
      <Button square aria-label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft />
      </Button>
      <span>
        Page {numberText(page)} of {numberText(pages)}
      </span>
      <Button square aria-label="Next page" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        <ChevronRight />
      </Button>
    </nav>
  )
}
