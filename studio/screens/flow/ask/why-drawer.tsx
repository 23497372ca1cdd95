import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../../../parts/button.tsx'
import { CopyButton } from '../../../parts/copy-button.tsx'
import { Note } from '../../../parts/note.tsx'
import { thousandthsText } from '../../../parts/score-total.ts'
import type { FlowHits } from '../../../server/ask.ts'
import { againstHit, whyRows, whySentence } from './why-parts.ts'
import styles from './why-drawer.module.css'

type WhyDrawerProps = {
  found: FlowHits
  /** The place of the hit, from 1. */
  place: number
  onClose(): void
}

/** Why a hit stands where it does: the sum of its score, the words of the question, and what separates it from the next one. */
export function WhyDrawer({ found, place, onClose }: WhyDrawerProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const hit = found.docs[place - 1]
  const title = `Why this chunk is ${place === 1 ? 'first' : `hit ${place}`}`
  return (
    <aside
      className={styles.drawer}
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <header className={styles.head}>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <Button look="quiet" square aria-label="Close" onClick={onClose}>
          <X aria-hidden="true" />
        </Button>
      </header>
      {hit?.parts ? (
        <Explained found={found} hit={hit} place={place} />
      ) : (
        <Note>
          {hit ? 'The server has not told the parts of this score.' : 'The answer has no such hit.'}
        </Note>
      )}
    </aside>
  )
}

function Explained({ found, hit, place }: { found: FlowHits; hit: FlowHits['docs'][number]; place: number }) {
  const { rows, sum } = whyRows(hit, found.explanation?.settings.mode)
  const widest = Math.max(1, ...rows.map(({ thousandths }) => Math.abs(thousandths)))
  const words = found.words ?? []
  const next = found.docs[place === 1 ? 1 : place - 2]
  const sentence = whySentence(hit, words)
  return (
    <>
      {sentence === '' ? null : <p>{sentence}</p>}
      <table className={styles.sum}>
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col">measured</th>
            <th scope="col">× weight</th>
            <th scope="col">= score</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map(({ part, colour, measured, place: rank, factor, thousandths }) => (
            <tr key={part}>
              <th scope="row">{part}</th>
              <td>
                {measured}
                {rank === undefined ? null : <span className={styles.rank}>{rank}</span>}
              </td>
              <td>{factor === undefined ? '' : Number(factor.toPrecision(3))}</td>
              <td>{thousandthsText(thousandths)}</td>
              <td className={styles.barCell} aria-hidden="true">
                <span
                  className={styles.bar}
                  data-colour={thousandths < 0 ? 'below' : colour}
                  style={{ width: `${(Math.abs(thousandths) / widest) * 100}%` }}
                />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              {hit.scores.rerank === undefined ? 'Sum, which is the score' : 'Sum, before the reranker'}
            </th>
            <td>{thousandthsText(sum)}</td>
            <td />
          </tr>
        </tfoot>
      </table>
      <Words hit={hit} words={words} />
      {hit.mmr?.closest == null ? null : (
        <p className={styles.quiet}>
          MMR: relevance {hit.mmr.relevance.toFixed(3)}, likeness {hit.mmr.likeness.toFixed(3)} to hit{' '}
          {1 + found.docs.findIndex(({ id }) => id === hit.mmr?.closest)}.
        </p>
      )}
      {next ? (
        <>
          <h3>Against hit {place === 1 ? 2 : place - 1}</h3>
          <p className={styles.quiet}>{againstHit(hit, next)}</p>
        </>
      ) : null}
      <div className={styles.actions}>
        <CopyButton label="Copy as JSON" text={JSON.stringify(hit, null, 2)} />
        <CopyButton label="Link to this" text={window.location.href} />
      </div>
    </>
  )
}

function Words({ hit, words }: { hit: FlowHits['docs'][number]; words: NonNullable<FlowHits['words']> }) {
  const { terms } = hit
  if (!terms)
    return hit.scores.keyword === null ? null : (
      <Note>Another server searches the words, or the key has pins: their rarity is not told.</Note>
    )
  const here = new Set(terms.map(({ word }) => word?.toLowerCase()))
  const absent = words.filter(({ word, holders }) => holders !== null && !here.has(word.toLowerCase()))
  const common = words.filter(({ holders }) => holders === null).map(({ word }) => word)
  return (
    <>
      <h3>Words of the question</h3>
      <table className={styles.words}>
        <thead>
          <tr>
            <th scope="col">Word</th>
            <th scope="col">in texts</th>
            <th scope="col">here</th>
            <th scope="col">BM25</th>
            <th scope="col">share</th>
          </tr>
        </thead>
        <tbody>
          {terms.map(({ word, holders, texts, times, score, share }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two terms can have one word
            <tr key={at}>
              <th scope="row">{word ?? '(several)'}</th>
              <td>
                {holders} of {texts}
              </td>
              <td>{times}×</td>
              <td>{score.toFixed(2)}</td>
              <td>{Math.round(share * 100)} %</td>
            </tr>
          ))}
          {absent.map(({ word, holders, texts }) => (
            <tr key={word} className={styles.quiet}>
              <th scope="row">{word}</th>
              <td>
                {holders} of {texts}
              </td>
              <td colSpan={3}>not here</td>
            </tr>
          ))}
          {common.length === 0 ? null : (
            <tr className={styles.quiet}>
              <th scope="row">{common.join(', ')}</th>
              <td colSpan={4}>not counted: too common</td>
            </tr>
          )}
        </tbody>
      </table>
    </>
  )
}
