import { Link } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import rows from '../../../parts/row-table.module.css'
import { ScrollBox } from '../../../parts/scroll-box.tsx'
import { complain, tell } from '../../../parts/toast.tsx'
import { messageOf } from '../../../server/call.ts'
import {
  addQuestions,
  type Question,
  type QuestionResult,
  type QuestionRun,
  removeQuestion,
} from '../../../server/questions.ts'
import { measureText, rightText } from './question-text.ts'
import styles from './questions.module.css'

/** How many rows are shown at first. */
const SHOWN = 100

const FILTERS = [
  ['all', 'All'],
  ['worse', 'Worse'],
  ['better', 'Better'],
  ['none', 'Not found'],
  ['uncounted', 'Not counted'],
] as const
type Filter = (typeof FILTERS)[number][0]

const ORDER = ['worse', 'better', 'uncounted', 'new', 'same'] as const

type QuestionTableProps = {
  flowId: string
  questions: readonly Question[]
  /** Null where they were not asked yet; undefined while that is not known. */
  run: QuestionRun | null | undefined
  onChange(): Promise<void>
}

/** The accepted questions with what came of them in the last run, those that became worse first. */
export function QuestionTable({ flowId, questions, run, onChange }: QuestionTableProps) {
  const [filter, setFilter] = useState<Filter>('all')
  const [limit, setLimit] = useState(SHOWN)
  const results = new Map(run?.results.map((one) => [one.question, one]))
  const all = questions
    .map((question) => ({ question, result: results.get(question.id) }))
    .toSorted((one, other) => rank(one.result) - rank(other.result))
  const counts = new Map(
    FILTERS.map(([name]) => [name, all.filter(({ result }) => fits(name, result)).length]),
  )
  const shown = all.filter(({ result }) => fits(filter, result))

  const remove = async (question: Question) => {
    try {
      await removeQuestion(flowId, question.id)
      tell('The question was removed', {
        label: 'Undo',
        onSelect: () => void addQuestions(flowId, [question]).then(onChange, failed),
      })
      await onChange()
    } catch (error) {
      failed(error)
    }
  }
  return (
    <section className={styles.list} aria-label="List of questions">
      {run ? (
        <fieldset className={styles.chips} aria-label="Show">
          {FILTERS.map(([name, label]) => (
            <label key={name} data-kind={name}>
              <input type="radio" name="shown" checked={filter === name} onChange={() => setFilter(name)} />
              {label} {counts.get(name)}
            </label>
          ))}
        </fieldset>
      ) : null}
      <ScrollBox className={rows.frame} aria-label="Questions and results">
        <table className={rows.table}>
          <thead>
            <tr>
              <th scope="col">Question</th>
              <th scope="col">Right answer</th>
              <th scope="col">Before</th>
              <th scope="col">Place</th>
              <th scope="col">nDCG@10</th>
              <th scope="col" aria-label="Actions" />
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, limit).map(({ question, result }) => (
              <tr key={question.id} data-change={result?.change}>
                <td className={styles.question}>
                  <Link
                    to="/flows/$id/ask"
                    params={(now) => ({ id: now.id! })}
                    search={{ view: 'search', q: question.text }}
                    title={question.text}
                  >
                    {question.text}
                  </Link>
                </td>
                <td className={rows.wide} title={rightText(question)}>
                  {rightText(question)}
                  {result?.gone ? <span className={styles.gone}> gone: {result.gone.join(', ')}</span> : null}
                </td>
                <td className={styles.number}>{result?.was === undefined ? '' : (result.was ?? '–')}</td>
                <td className={styles.number}>
                  {result ? (
                    <Place result={result} />
                  ) : run === undefined ? null : (
                    <span className={rows.quiet}>not asked yet</span>
                  )}
                </td>
                <td className={styles.number}>{result ? measureText(result.ndcg10) : ''}</td>
                <td className={rows.actions}>
                  <Button
                    look="quiet"
                    square
                    aria-label={`Remove ${question.text}`}
                    onClick={() => void remove(question)}
                  >
                    <Trash2 aria-hidden="true" />
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {shown.length === 0 ? <p className={styles.quiet}>No question of this kind.</p> : null}
      {shown.length > limit ? (
        <Button onClick={() => setLimit(limit + SHOWN)}>
          Show {Math.min(SHOWN, shown.length - limit)} more
        </Button>
      ) : null}
    </section>
  )
}

function Place({ result: { place, change, uncounted } }: { result: QuestionResult }) {
  if (uncounted !== undefined)
    return <span className={styles.mark}>{uncounted === 'gone' ? 'gone' : 'not judged'}</span>
  return (
    <>
      {place ?? 'not found'}
      {change === 'worse' || change === 'better' ? (
        <span className={styles.mark} data-kind={change}>
          {change}
        </span>
      ) : null}
    </>
  )
}

const rank = (result: QuestionResult | undefined) => (result ? ORDER.indexOf(result.change) : ORDER.length)

function fits(filter: Filter, result: QuestionResult | undefined): boolean {
  if (filter === 'all') return true
  if (filter === 'none')
    return result !== undefined && result.uncounted === undefined && result.place === null
  return result?.change === filter
}

const failed = (error: unknown) => complain('The question was not changed', messageOf(error))
