import { ChevronRight } from 'lucide-react'
import { Fragment } from 'react'
import rowTable from '../../../parts/row-table.module.css'
import type { ComparedAnswer, ComparedRow } from '../../../server/compare.ts'
import styles from './compare.module.css'
import { kindOfRow } from './compare-text.ts'
import { cutPieces } from './cut-marks.ts'

type CompareRowsProps = {
  rows: readonly ComparedRow[]
  variant: number
  /** Of the baseline and of the variant. */
  names: readonly [string, string]
  opened: string | undefined
  onOpen(question: string | undefined): void
}

/** Questions with the places of their right answers; an opened one shows both hits. */
export function CompareRows({ rows, variant, names, opened, onOpen }: CompareRowsProps) {
  if (rows.length === 0) return <p className={styles.quiet}>There are no such questions.</p>
  return (
    <div className={rowTable.frame}>
      <table className={`${rowTable.table} ${styles.rows}`}>
        <thead>
          <tr>
            <th scope="col">Question</th>
            <th scope="col">Right document</th>
            <th scope="col">{names[0]}</th>
            <th scope="col">{names[1]}</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const kind = kindOfRow(row, variant)
            const isOpen = opened === row.id
            const panel = `hits-${row.id}`
            return (
              <Fragment key={row.id}>
                <tr data-kind={kind}>
                  <td>
                    <button
                      type="button"
                      className={styles.question}
                      aria-expanded={isOpen}
                      aria-controls={panel}
                      onClick={() => onOpen(isOpen ? undefined : row.id)}
                    >
                      <ChevronRight aria-hidden="true" />
                      {row.text}
                    </button>
                  </td>
                  <td className={rowTable.wide}>{row.sources.join(', ')}</td>
                  <td>{row.answers[0]!.place ?? '–'}</td>
                  <td>{row.answers[variant]!.place ?? '–'}</td>
                  <td>
                    <span className={styles.mark} data-kind={kind}>
                      {kind}
                    </span>
                  </td>
                </tr>
                {isOpen ? (
                  <tr id={panel}>
                    <td colSpan={5} className={styles.hits}>
                      <BothHits before={row.answers[0]!} after={row.answers[variant]!} names={names} />
                    </td>
                  </tr>
                ) : null}
              </Fragment>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

type BothHitsProps = { before: ComparedAnswer; after: ComparedAnswer; names: readonly [string, string] }

function BothHits({ before, after, names }: BothHitsProps) {
  if (!before.hit && !after.hit)
    return <p className={styles.quiet}>No hits are kept where all variants answer alike.</p>
  return (
    <div className={styles.both}>
      <OneHit name={names[0]} answer={before} other={after} />
      <OneHit name={names[1]} answer={after} other={before} />
    </div>
  )
}

function OneHit({ name, answer, other }: { name: string; answer: ComparedAnswer; other: ComparedAnswer }) {
  const { hit } = answer
  if (!hit)
    return (
      <article>
        <h3>{name}</h3>
        <p className={styles.quiet}>No hit</p>
      </article>
    )
  const isSameSource = other.hit?.source === hit.source
  const pieces = (isSameSource && cutPieces(hit.text, other.hit!.text)) || [
    { text: hit.text, isShared: false },
  ]
  return (
    <article>
      <h3>
        {name} · {answer.place === null ? 'none is right; the first hit' : `place ${hit.place}`} ·{' '}
        {hit.score.toFixed(3)}
      </h3>
      <p className={styles.quiet}>{hit.source}</p>
      <p className={styles.text}>
        {pieces.map(({ text, isShared }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text in their order
          <Fragment key={at}>
            {at > 0 ? (
              <span className={styles.cut} title="the other variant was cut here">
                ✂ cut
              </span>
            ) : null}
            {isShared ? <mark className={styles.shared}>{text}</mark> : text}
          </Fragment>
        ))}
      </p>
    </article>
  )
}
