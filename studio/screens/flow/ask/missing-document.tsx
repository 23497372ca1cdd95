import { useQuery } from '@tanstack/react-query'
import { FileQuestion } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../parts/button.tsx'
import { DocumentLink } from '../../../parts/document-link.tsx'
import { LoadFailure } from '../../../parts/load-failure.tsx'
import { Note } from '../../../parts/note.tsx'
import { type ExpectedFound, type Question, queryFlow } from '../../../server/ask.ts'
import { listSources } from '../../../server/documents.ts'
import type { AskAddress } from './ask-address.ts'
import styles from './missing-document.module.css'

type MissingDocumentProps = {
  flowId: string
  /** The question with its settings. */
  question: Question
  /** The document or chunk that is looked for. */
  expect: string | undefined
  onChange(more: Partial<AskAddress>): void
}

/** So many names of documents are suggested. */
const SUGGESTED = 20

/** Where a document is that the answer should have: at which place, or which step left it out, and what shows it. */
export function MissingDocument({ flowId, question, expect, onChange }: MissingDocumentProps) {
  const [isOpen, setOpen] = useState(expect !== undefined)
  const [name, setName] = useState(expect ?? '')
  const box = useRef<HTMLInputElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const names = useId()
  useEffect(() => {
    if (expect === undefined) return
    setOpen(true)
    setName(expect)
  }, [expect])
  useEffect(() => {
    if (isOpen && expect === undefined) box.current?.focus()
  }, [isOpen, expect])
  const sources = useQuery({
    queryKey: ['suggested-sources', flowId, name],
    queryFn: () => listSources(flowId, { search: name.trim() || undefined, page: 1, limit: SUGGESTED }),
    enabled: isOpen,
    staleTime: 30_000,
    retry: false,
  })
  if (!isOpen)
    return (
      <div className={styles.closed}>
        <span>Something is not here?</span>
        <Button ref={opener} onClick={() => setOpen(true)}>
          <FileQuestion aria-hidden="true" /> Where is my document?
        </Button>
      </div>
    )
  const look = (event: FormEvent) => {
    event.preventDefault()
    const wanted = name.trim()
    if (wanted === '') return box.current?.focus()
    onChange({ expect: wanted })
  }
  return (
    <section className={styles.open} aria-label="Where is my document?">
      <form className={styles.form} onSubmit={look}>
        <label>
          Document, or id of a chunk
          <input
            ref={box}
            type="text"
            list={names}
            value={name}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              flushSync(() => setOpen(false))
              opener.current?.focus()
              setName('')
              onChange({ expect: undefined })
            }}
          />
        </label>
        <datalist id={names}>
          {(sources.data?.data ?? []).map(({ source }) => (
            <option key={source} value={source} />
          ))}
        </datalist>
        <Button type="submit">Look</Button>
      </form>
      {expect === undefined ? null : (
        <Outcome flowId={flowId} question={question} expect={expect} onChange={onChange} />
      )}
    </section>
  )
}

const CHUNK_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function Outcome({
  flowId,
  question,
  expect,
  onChange,
}: Omit<MissingDocumentProps, 'expect'> & { expect: string }) {
  const expected = CHUNK_ID.test(expect) ? { chunk: expect } : { source: expect }
  const { data, error, refetch } = useQuery({
    queryKey: ['expected', flowId, question, expected],
    queryFn: () => queryFlow(flowId, { ...question, expect: expected }),
    staleTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  })
  if (error)
    return <LoadFailure error={error} what="The document could not be looked for" onAgain={refetch} />
  if (!data) return <p className={styles.quiet}>Looking…</p>
  if (!data.expected) return <Note kind="warning">The server does not answer this question.</Note>
  return <Told flowId={flowId} told={data.expected} onChange={onChange} />
}

const MEASURES: Readonly<Record<ExpectedFound['measured'][number]['what'], string>> = {
  vector: 'score by meaning',
  keyword: 'score by words',
  score: 'score',
  likeness: 'likeness to the other chunk',
  rerank: 'score of the reranker',
  gain: 'what MMR compares',
  combinedPlace: 'place after both searches',
  rescoredPlace: 'place after rescoring',
  rerankedPlace: 'place after the reranker',
  place: 'place',
}

function Told({
  flowId,
  told,
  onChange,
}: {
  flowId: string
  told: ExpectedFound
  onChange: MissingDocumentProps['onChange']
}) {
  const { found, reason, remedy, chunk, measured, untold, change } = told
  const applied = change ? addressChange(change) : undefined
  return (
    <div className={styles.told} role="status" data-found={found}>
      <p className={styles.reason}>{reason}</p>
      {chunk?.source ? (
        <p className={styles.quiet}>
          The chunk that came furthest:{' '}
          <DocumentLink flowId={flowId} source={chunk.source} chunk={chunk.id}>
            {chunk.source}
          </DocumentLink>
        </p>
      ) : null}
      {measured.length === 0 ? null : (
        <table className={styles.measured}>
          <thead>
            <tr>
              <th scope="col" />
              <th scope="col">it had</th>
              <th scope="col">it needed</th>
            </tr>
          </thead>
          <tbody>
            {measured.map(({ what, had, needed }) => (
              <tr key={what}>
                <th scope="row">{MEASURES[what]}</th>
                <td>{numberText(had, needed)}</td>
                <td>{numberText(needed, had)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {untold.length === 0 ? null : (
        <Note>
          The vector store cannot tell the score by{' '}
          {untold.map((side) => (side === 'vector' ? 'meaning' : 'words')).join(' and by ')} of a chunk that
          it did not find.
        </Note>
      )}
      {remedy === null ? null : (
        <p className={styles.remedy}>
          <span>{remedy}</span>
          {applied ? <Button onClick={() => onChange(applied)}>Search so</Button> : null}
        </p>
      )}
    </div>
  )
}

/** The change as settings of this screen; undefined where it has no such setting. */
function addressChange({
  setting,
  to,
}: NonNullable<ExpectedFound['change']>): Partial<AskAddress> | undefined {
  if (setting === 'topK' && typeof to === 'number') return { topK: to }
  if (setting === 'rerank' || setting === 'rescore') return { [setting]: false }
  if (setting === 'mode' && (to === 'vector' || to === 'keyword' || to === 'hybrid')) return { mode: to }
  return undefined
}

/** With three digits as all scores have, or with as many more as tell it from the number beside it. */
function numberText(number: number | null, beside: number | null): string {
  if (number === null) return 'none'
  if (Number.isInteger(number)) return `${number}`
  const digits = [3, 4, 5].find((one) => beside === null || number.toFixed(one) !== beside.toFixed(one))
  return number.toFixed(digits ?? 6)
}
