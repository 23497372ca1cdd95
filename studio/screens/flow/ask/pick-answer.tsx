import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import forms from '../../../forms/forms.module.css'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { LoadFailure } from '../../../parts/load-failure.tsx'
import { countText } from '../../../parts/units.ts'
import { searchChunks } from '../../../server/questions.ts'
import styles from './judge-hit.module.css'
import type { Judging } from './use-judging.ts'

type PickAnswerProps = { flowId: string; question: string; judging: Judging }

/** None of the hits is right: the passage that is, is looked for by its words and picked. */
export function PickAnswer({ flowId, question, judging }: PickAnswerProps) {
  const [isOpen, setOpen] = useState(false)
  const [draft, setDraft] = useState('')
  const [search, setSearch] = useState('')
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['picked', flowId, search],
    queryFn: () => searchChunks(flowId, search),
    enabled: isOpen && search !== '',
    placeholderData: keepPreviousData,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSearch(draft.trim())
  }
  return (
    <>
      <div>
        <Button look="quiet" onClick={() => setOpen(true)}>
          None is right: pick in a document
        </Button>
      </div>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        size="large"
        title="Pick the right answer"
        about={`What answers “${question}”? Look for words that stand in it.`}
      >
        <div className={styles.pick}>
          <form onSubmit={submit}>
            <input
              type="search"
              className={forms.control}
              aria-label="Words of the passage"
              placeholder="Words as the document has them"
              value={draft}
              onChange={(event) => setDraft(event.target.value)}
            />
            <Button type="submit" look="main" disabled={draft.trim() === ''}>
              <Search aria-hidden="true" /> Search
            </Button>
          </form>
          <LoadFailure error={error} onAgain={refetch} what="The documents cannot be searched" />
          <p className={styles.quiet} role="status">
            {search === '' || (error && !isFetching)
              ? ''
              : data && !isFetching
                ? `${countText(data.length, 'chunk has', 'chunks have')} such words`
                : 'Searching…'}
          </p>
          {search === '' ? null : (
            <ul>
              {(data ?? []).map((chunk) => (
                <li key={chunk.id} className={styles.chunk}>
                  <div>
                    <strong>{String(chunk.metadata.source)}</strong>
                    <p>{chunk.pageContent}</p>
                  </div>
                  <Button onClick={() => void judging.pick(chunk).then((isKept) => isKept && setOpen(false))}>
                    Right answer
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </div>
      </Dialog>
    </>
  )
}
