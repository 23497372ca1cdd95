import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { DocumentLink } from '../../../parts/document-link.tsx'
import type { FlowHits } from '../../../server/ask.ts'
import styles from './below-cut.module.css'

/** So many are named before it is opened. */
const NAMED = 3

type BelowCutProps = {
  flowId: string
  below: NonNullable<FlowHits['below']>
  /** Searches for so many chunks. */
  onMore(topK: number): void
}

/** What came just below the last hit, with its score: one row that opens to all of it. */
export function BelowCut({ flowId, below, onMore }: BelowCutProps) {
  const [isOpen, setOpen] = useState(false)
  const list = useId()
  const last = below.at(-1)
  if (!last) return null
  return (
    <section className={styles.below} aria-label="Cut off below">
      <div className={styles.row}>
        <p>
          Cut off below:{' '}
          {below.slice(0, NAMED).map(({ id, place, source, score }, at) => (
            <span key={id}>
              {at > 0 ? ' · ' : ''}
              {place}. {source ?? 'no name'} <span className={styles.score}>({score.toFixed(3)})</span>
            </span>
          ))}
          {below.length > NAMED ? ' · …' : ''}
        </p>
        <Button aria-expanded={isOpen} aria-controls={list} onClick={() => setOpen(!isOpen)}>
          <ChevronDown aria-hidden="true" className={styles.turned} />
          {isOpen ? 'Hide them' : below.length === 1 ? 'Show it' : `Show the next ${below.length}`}
        </Button>
      </div>
      {isOpen ? (
        <>
          <ol id={list} className={styles.list} aria-label="Chunks below the cut">
            {below.map(({ id, place, source, score, excerpt }) => (
              <li key={id}>
                <span className={styles.place}>{place}</span>
                <div>
                  {source === null ? (
                    <span>Without a source</span>
                  ) : (
                    <DocumentLink flowId={flowId} source={source} chunk={id}>
                      {source}
                    </DocumentLink>
                  )}
                  <p>{excerpt}</p>
                </div>
                <span className={styles.score}>{score.toFixed(3)}</span>
              </li>
            ))}
          </ol>
          <div>
            <Button onClick={() => onMore(last.place)}>Search for {last.place} chunks</Button>
          </div>
        </>
      ) : null}
    </section>
  )
}
