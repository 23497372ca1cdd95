import { useEffect, useMemo, useRef } from 'react'
import type { SourceQuestionsAnswer } from '../../../../src/api/source-trace.ts'
import { countText, numberText } from '../../../parts/units.ts'
import type { Chunk } from '../../../server/documents.ts'
import { headingsText } from '../../../parts/job-text.ts'
import { ChunkQuestions } from './chunk-questions.tsx'
import { findParts } from './find-parts.ts'
import styles from './document-screen.module.css'

type ChunkListProps = {
  rows: Chunk[]
  /** How many chunks are before the page. */
  first: number
  /** Which questions have found which chunks; undefined where that is not known. */
  questions?: SourceQuestionsAnswer | undefined
  selected: string | undefined
  find: string | undefined
  onSelect(chunk: string): void
}

/** A page of chunks by position, each with its text; the selected one with its metadata. */
export function ChunkList({ rows, first, questions, selected, find, onSelect }: ChunkListProps) {
  const place = useRef<HTMLUListElement>(null)
  const found = useMemo(() => new Map(questions?.data.map((one) => [one.chunk, one])), [questions])
  useEffect(() => {
    if (selected !== undefined)
      place.current?.querySelector('[data-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  return (
    <ul className={styles.chunks} ref={place}>
      {rows.map((chunk, at) => (
        <li key={chunk.id} className={styles.chunk} data-chunk={at} data-selected={chunk.id === selected}>
          <button
            type="button"
            className={styles.choose}
            aria-pressed={chunk.id === selected}
            onClick={() => onSelect(chunk.id)}
          >
            <span className={styles.facts}>
              <strong>{numberText(first + at + 1)}</strong>
              {chunk.pageNumber === null ? null : <span>page {chunk.pageNumber}</span>}
              {headings(chunk) === '' ? null : <span>{headings(chunk)}</span>}
              <span>{countText(chunk.pageContent.length, 'character')}</span>
              <span title="An estimate">about {countText(chunk.tokens, 'token')}</span>
              {found.has(chunk.id) ? (
                <span title="Answers of conversations that had this chunk among their sources">
                  found for {countText(found.get(chunk.id)!.answers, 'answer')}
                </span>
              ) : null}
            </span>
            <span className={styles.words}>
              {findParts(chunk.pageContent, find).map(({ text, found, start }) =>
                found ? <mark key={start}>{text}</mark> : text,
              )}
            </span>
          </button>
          {chunk.id === selected ? <Metadata chunk={chunk} /> : null}
          {chunk.id === selected ? <ChunkQuestions found={found.get(chunk.id)} /> : null}
        </li>
      ))}
    </ul>
  )
}

const headings = ({ metadata }: Chunk) => headingsText(metadata)

const Metadata = ({ chunk }: { chunk: Chunk }) => (
  <dl className={styles.metadata}>
    {Object.entries(chunk.metadata).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
      </div>
    ))}
    {chunk.range ? (
      <div>
        <dt>position</dt>
        <dd>
          {numberText(chunk.range.start)} to {numberText(chunk.range.end)}
        </dd>
      </div>
    ) : null}
    <div>
      <dt>id</dt>
      <dd>
        <code>{chunk.id}</code>
      </dd>
    </div>
  </dl>
)
