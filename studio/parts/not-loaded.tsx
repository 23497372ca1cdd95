import { TriangleAlert } from 'lucide-react'
import styles from './not-loaded.module.css'
import { numberText } from './units.ts'

/** How many files of a load failed, as a warning, and how many had no text, quietly. Nothing where all were loaded. */
export function NotLoaded({ failed, empty }: { failed: number; empty: number }) {
  return (
    <>
      {failed > 0 ? (
        <span className={styles.failed}>
          <TriangleAlert aria-hidden="true" />
          {numberText(failed)} failed
        </span>
      ) : null}
      {failed > 0 && empty > 0 ? ' ' : null}
      {empty > 0 ? <span className={styles.empty}>{numberText(empty)} empty</span> : null}
    </>
  )
}
