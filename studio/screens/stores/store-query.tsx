import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import forms from '../../forms/forms.module.css'
import { Button } from '../../parts/button.tsx'
import { LoadFailure } from '../../parts/load-failure.tsx'
import { queryFlow } from '../../server/ask.ts'
import type { DocumentStore } from '../../server/document-stores.ts'
import { HitList } from '../../parts/hit-list.tsx'
import styles from './stores.module.css'

type StoreQueryProps = { store: DocumentStore; question: string; onAsk(question: string): void }

/** A question to the store, and the chunks that match it as the Ask tab of its flow shows them. */
export function StoreQuery({ store, question, onAsk }: StoreQueryProps) {
  const [text, setText] = useState(question)
  const [asTyped, setAsTyped] = useState(false)
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['store-query', store.id, question, asTyped],
    queryFn: () => queryFlow(store.id, { query: question, ...(asTyped ? { spelling: false } : {}) }),
    enabled: question !== '',
    placeholderData: keepPreviousData,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsTyped(false)
    if (text.trim() === question) void refetch()
    else onAsk(text.trim())
  }
  return (
    <section className={styles.section} aria-label="Search">
      <div className={styles.sectionHead}>
        <h2>Search</h2>
        <Link to="/flows/$id/ask" params={{ id: store.slug }} search={{}}>
          Filters and search settings
        </Link>
      </div>
      <form className={styles.ask} onSubmit={submit}>
        <input
          type="search"
          className={forms.control}
          aria-label="Question to the store"
          placeholder="What do the documents say about…"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button look="main" type="submit" disabled={text.trim() === ''}>
          <Search aria-hidden="true" />
          Search
        </Button>
      </form>
      {question === '' ? null : (
        <>
          <LoadFailure error={error} onAgain={refetch} />
          {data === undefined && isFetching ? <p className={styles.quiet}>Searching…</p> : null}
          {data?.docs.length === 0 ? (
            <p className={styles.quiet} role="status">
              No chunk of this store matches.
            </p>
          ) : null}
          {data && data.docs.length > 0 ? (
            <HitList
              flowId={store.slug}
              found={data}
              stale={isPlaceholderData}
              onAsTyped={() => setAsTyped(true)}
            />
          ) : null}
        </>
      )}
    </section>
  )
}
