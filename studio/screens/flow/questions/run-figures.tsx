import { lazy, Suspense } from 'react'
import { Note } from '../../../parts/note.tsx'
import { agoText, countText, momentText } from '../../../parts/units.ts'
import type { QuestionRun, QuestionRunHead } from '../../../server/questions.ts'
import { loadPart } from '../../../server/load-part.ts'
import { changesText, differenceText, measureText, shareText, uncountedText } from './question-text.ts'
import styles from './questions.module.css'

const RunCurve = lazy(() =>
  loadPart(() => import('../../../charts/run-curve.tsx')).then(({ RunCurve: curve }) => ({ default: curve })),
)

const CAUSES = { asked: 'asked by hand', upsert: 'after an upsert' } as const

/** The figures of the last run beside those of the one before, and the runs over time. */
export function RunFigures({ run, runs }: { run: QuestionRun; runs: readonly QuestionRunHead[] }) {
  const { measures, before, revision, cause, finishedAt } = run
  const was = before?.measures
  const cards = [
    [
      'Right hit first',
      shareText(measures.first),
      was && was.first !== null ? `${shareText(was.first)} before` : '',
    ],
    ['nDCG@10', measureText(measures.ndcg10), differenceText(measures.ndcg10, was?.ndcg10)],
    ['Recall@10', measureText(measures.recall10), differenceText(measures.recall10, was?.recall10)],
    [
      'Time of a query, p95',
      measures.p95 === null ? '–' : `${measures.p95.toFixed(1)} ms`,
      measures.p50 === null ? '' : `half within ${measures.p50.toFixed(1)} ms`,
    ],
  ] as const
  const uncounted = uncountedText(run)
  return (
    <section className={styles.figures} aria-label="Last run">
      <p className={styles.quiet} title={momentText(finishedAt)}>
        Last run: revision {revision}, {CAUSES[cause]}, {agoText(finishedAt)},{' '}
        {countText(measures.asked, 'question')}. {changesText(run)}.
      </p>
      <div className={styles.board} data-curve={runs.length > 1}>
        <dl className={styles.cards}>
          {cards.map(([name, value, about]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
              <dd className={styles.about}>{about}</dd>
            </div>
          ))}
        </dl>
        {runs.length > 1 ? (
          <div className={styles.curve}>
            <Suspense fallback={null}>
              <RunCurve runs={runs} />
            </Suspense>
          </div>
        ) : null}
      </div>
      {uncounted === '' ? null : <Note kind="warning">{uncounted}.</Note>}
    </section>
  )
}
