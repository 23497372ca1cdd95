import { FileText } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Hit } from '../server/ask.ts'
import { DocumentLink } from './document-link.tsx'
import styles from './hit.module.css'
import { excerptOf, markedText } from './marked-text.ts'
import { shownParts, thousandthsText, totalOf } from './score-total.ts'

/** About how many characters of a chunk are shown at first. */
const EXCERPT = 420

type HitViewProps = {
  flowId: string
  hit: Hit
  place: number
  /** The best score of the answer, for the length of the bars. */
  best: number
  /** Opens what its score is made of; without it there is no such button. */
  onWhy?: (() => void) | undefined
  /** Whether that is open. */
  isWhy?: boolean
  actions?: ReactNode
}

/** A chunk that was found: where it comes from, why it is here, and its best sentence. */
export function HitView({ flowId, hit, place, best, onWhy, isWhy = false, actions }: HitViewProps) {
  const [whole, setWhole] = useState(false)
  const { pageContent, highlight, metadata, confidence } = hit
  const excerpt = excerptOf(pageContent, highlight, EXCERPT)
  const shown = whole ? { text: pageContent, highlight } : excerpt
  return (
    <article className={styles.hit} aria-label={`Chunk ${place}`} data-why={isWhy}>
      <header className={styles.head}>
        <span className={styles.place}>{place}</span>
        <Source flowId={flowId} hit={hit} />
        {confidence === null ? null : (
          <span
            className={styles.confidence}
            data-low={confidence < 0.1}
            title="The estimated probability that this chunk answers the question"
          >
            {Math.round(confidence * 100)} % confident
          </span>
        )}
      </header>
      <Scores hit={hit} best={best} />
      <p className={styles.text}>
        {markedText(shown.text, shown.highlight).map(({ text, sentence, word }, at) => {
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text do not move
          if (!sentence) return <span key={at}>{text}</span>
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text do not move
            <mark key={at} className={word ? styles.word : styles.sentence}>
              {text}
            </mark>
          )
        })}
      </p>
      <footer className={styles.foot}>
        {onWhy ? (
          <button type="button" className={styles.more} aria-expanded={isWhy} onClick={onWhy}>
            Why?
          </button>
        ) : null}
        {excerpt.cut ? (
          <button type="button" className={styles.more} onClick={() => setWhole(!whole)}>
            {whole ? 'Show less' : 'Show the whole chunk'}
          </button>
        ) : null}
        <details className={styles.facts}>
          <summary>Metadata</summary>
          <dl>
            {[...Object.entries(metadata), ['chunk', hit.id] as const].map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
              </div>
            ))}
          </dl>
        </details>
        {actions}
      </footer>
    </article>
  )
}

function Source({ flowId, hit: { id, metadata } }: { flowId: string; hit: Hit }) {
  const { source } = metadata
  const page = pageOf(metadata.loc)
  if (typeof source !== 'string' || source === '')
    return <span className={styles.source}>Without a source</span>
  return (
    <DocumentLink flowId={flowId} source={source} chunk={id} className={styles.source}>
      <FileText aria-hidden="true" />
      <span>{source}</span>
      {page === undefined ? null : <span className={styles.page}>page {page}</span>}
    </DocumentLink>
  )
}

function pageOf(loc: unknown): number | undefined {
  const page = typeof loc === 'object' && loc !== null && 'pageNumber' in loc ? loc.pageNumber : undefined
  return typeof page === 'number' ? page : undefined
}

/** The score as a bar of its parts, those of rescoring together; the longest bar is that of the best chunk. */
function Scores({ hit: { score, scores, parts }, best }: { hit: Hit; best: number }) {
  if (!parts) return null
  const length = (part: number) => `${best > 0 ? Math.max(0, (part / best) * 100) : 0}%`
  const { vector, keyword, rerank } = scores
  const rescored = totalOf(parts) - parts.vector - parts.keyword
  const { of, sum } = shownParts(parts)
  const [meaning, words] = [of.get('vector') ?? 0, of.get('keyword') ?? 0]
  const facts = [
    thousandthsText(sum),
    ...(vector === null ? [] : [`meaning ${thousandthsText(meaning)}`]),
    ...(keyword === null ? [] : [`words ${thousandthsText(words)}`]),
    ...(parts.sentence === undefined ? [] : [`rescored ${thousandthsText(sum - meaning - words)}`]),
    ...(rerank === undefined ? [] : [`reranked ${score.toFixed(3)}`]),
  ]
  const measured = [
    ...(vector === null ? [] : [`cosine ${vector.toFixed(4)}`]),
    ...(keyword === null ? [] : [`BM25 ${keyword.toFixed(2)}`]),
    ...[...of].flatMap(([name, part]) =>
      name === 'vector' || name === 'keyword' ? [] : [`${name} ${thousandthsText(part)}`],
    ),
  ]
  return (
    <div className={styles.scores} title={measured.join(', ')}>
      <div className={styles.bars} aria-hidden="true">
        <span className={styles.vector} style={{ width: length(parts.vector) }} />
        <span className={styles.keyword} style={{ width: length(parts.keyword) }} />
        <span className={styles.rescored} style={{ width: length(rescored) }} />
      </div>
      <span className={styles.numbers}>{facts.join(' · ')}</span>
    </div>
  )
}
