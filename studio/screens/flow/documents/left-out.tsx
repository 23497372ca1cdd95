import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { DroppedAnswer } from '../../../../src/api/dropped.ts'
import { LoadFailure } from '../../../parts/load-failure.tsx'
import { ScrollBox } from '../../../parts/scroll-box.tsx'
import { readSourceText } from '../../../server/documents.ts'
import styles from './left-out.module.css'

type LeftOutProps = { flow: string; source: string; onPlace(row: DroppedAnswer): void }

/** How many rows are shown before all are asked for. */
const SHOWN = 4

/** What is not in the text of a document, in a quiet line; a row whose position is known leads there. */
export function LeftOut({ flow, source, onPlace }: LeftOutProps) {
  const [all, setAll] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['left out', flow, source],
    queryFn: () => readSourceText(flow, { source, version: 'newest', start: 0, length: 1 }),
  })
  const box = useRef<HTMLElement>(null)
  // The button that had the focus is gone.
  useEffect(() => {
    if (all) box.current?.focus({ preventScroll: true })
  }, [all])
  if (error)
    return <LoadFailure error={error} what="What was left out of the text cannot be read" onAgain={refetch} />
  const rows = data?.dropped ?? []
  if (rows.length === 0) return null
  const shown = all || rows.length <= SHOWN + 1 ? rows : rows.slice(0, SHOWN)
  return (
    <ScrollBox
      ref={box}
      className={styles.leftOut}
      tabIndex={all ? 0 : undefined}
      aria-label="Left out of the text"
    >
      <span>Left out:</span>
      <ul>
        {shown.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows stay as they are, and two may be equal
          <li key={at}>
            {row.position === null ? (
              row.text
            ) : (
              <button type="button" title="Show its place in the text" onClick={() => onPlace(row)}>
                {row.text}
              </button>
            )}
          </li>
        ))}
      </ul>
      {shown.length < rows.length ? (
        <button type="button" onClick={() => setAll(true)}>
          Show {rows.length - shown.length} more
        </button>
      ) : null}
    </ScrollBox>
  )
}
