import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Note } from './note.tsx'
import { countText, millisecondsText } from './units.ts'
import type { FlowHits } from '../server/ask.ts'
import styles from './hit-list.module.css'
import { HitView } from './hit.tsx'
import { totalOf } from './score-total.ts'

const STAGES = {
  plan: 'reading the flow',
  embed: 'embedding',
  search: 'searching',
  rescore: 'rescoring',
  choose: 'choosing',
  highlight: 'marking sentences',
  expect: 'looking for what was expected',
} as const

type HitListProps = {
  flowId: string
  found: FlowHits
  stale: boolean
  /** Searches again without other spellings. */
  onAsTyped(): void
  /** Opens what the score of a hit is made of, by its place from 1. */
  onWhy?: ((place: number) => void) | undefined
  /** The hit of which that is open. */
  why?: number | undefined
  /** What can be done with a hit, at its end. */
  actionsOf?(hit: FlowHits['docs'][number], place: number): ReactNode
}

/** The chunks that were found, best first, and how long each stage took. */
export function HitList({ flowId, found, stale, onAsTyped, onWhy, why, actionsOf }: HitListProps) {
  const { docs, timeTaken, explanation, warnings = [], readings = [], unlikely } = found
  const best = Math.max(...docs.map(({ parts, score }) => (parts ? totalOf(parts) : score)), 0)
  return (
    <section className={styles.found} aria-label="Chunks" data-stale={stale} aria-busy={stale}>
      <p className={styles.summary} role="status">
        {docs.length === 0 ? 'No chunk' : countText(docs.length, 'chunk')} in {millisecondsText(timeTaken)}
        {explanation ? (
          <span className={styles.stages}>
            {Object.entries(explanation.stages)
              .flatMap(([stage, ms]) =>
                ms !== undefined && ms >= 0.05
                  ? `${STAGES[stage as keyof typeof STAGES]} ${millisecondsText(ms)}`
                  : [],
              )
              .join(' · ')}
          </span>
        ) : null}
      </p>
      {readings.length > 0 ? (
        <Note>
          {readings.map(({ word, readAs }) => (
            <span key={word}>
              No chunk has “{word}”, so {readAs.map((one) => `“${one}”`).join(' and ')}{' '}
              {readAs.length === 1 ? 'was' : 'were'} searched too.{' '}
            </span>
          ))}
          <Button onClick={onAsTyped}>Search as typed</Button>
        </Note>
      ) : null}
      {warnings.map(({ key, reason }) => (
        <Note key={`${key} ${reason}`} kind="warning">
          {key}: {reason}
        </Note>
      ))}
      {unlikely ? <Note>Probably none of these chunks answers the question.</Note> : null}
      {docs.length === 0 ? (
        <div className={styles.none}>
          <h2>Nothing was found</h2>
          <p>
            {explanation?.settings.filtered
              ? 'No chunk meets the filter. Take a condition away, or look at the values that are suggested.'
              : 'The flow has no chunks yet, or none with these words. Load documents with the green button.'}
          </p>
        </div>
      ) : (
        <ol className={styles.hits}>
          {docs.map((hit, at) => (
            <li key={hit.id} data-hit={hit.id}>
              <HitView
                {...{ flowId, hit, best }}
                place={at + 1}
                onWhy={onWhy && (() => onWhy(at + 1))}
                isWhy={why === at + 1}
                actions={actionsOf?.(hit, at + 1)}
              />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
