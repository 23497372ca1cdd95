import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { queryFlow } from '../../../server/ask.ts'
import { LoadFailure } from '../../../parts/load-failure.tsx'
import type { AskAddress } from './ask-address.ts'
import { BelowCut } from './below-cut.tsx'
import { HitList } from '../../../parts/hit-list.tsx'
import { JudgeHit } from './judge-hit.tsx'
import { MissingDocument } from './missing-document.tsx'
import { type PastQuestion, pastQuestions, rememberQuestion, settingsOf } from './past-questions.ts'
import { PickAnswer } from './pick-answer.tsx'
import { SearchSettings } from './search-settings.tsx'
import { ScrollBox } from '../../../parts/scroll-box.tsx'
import { WhyDrawer } from './why-drawer.tsx'
import styles from './search-view.module.css'
import { useJudging } from './use-judging.ts'

/** Searches the store of the flow. The question and its settings are in the address. */
export function SearchView({ flowId }: { flowId: string }) {
  const address = useSearch({ from: '/flows/$id/ask' })
  const navigate = useNavigate({ from: '/flows/$id/ask' })
  const { q, mode, weight, topK, rerank, rescore, spelling, filter, hit, why, expect } = address
  const whyOf = why && hit !== undefined ? hit : undefined
  const [draft, setDraft] = useState(q ?? '')
  const [past, setPast] = useState(() => pastQuestions(flowId))
  const box = useRef<HTMLTextAreaElement>(null)
  const question = { query: q ?? '', mode, weight, topK, rerank, rescore, spelling, filter }
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['hits', flowId, question],
    queryFn: () => queryFlow(flowId, question),
    enabled: q !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  })
  const judging = useJudging(flowId, q, isPlaceholderData ? [] : (data?.docs ?? []))
  useEffect(() => box.current?.focus(), [])
  // Another address, such as a question of the list: the box shows its question.
  useEffect(() => setDraft(q ?? ''), [q])
  useEffect(() => {
    if (!data || isPlaceholderData || q === undefined) return
    const best = data.docs[0]?.metadata.source
    const { hit: _, why: __, expect: ___, ...settings } = address
    const asked = { address: { ...settings, view: 'search' as const }, hits: data.docs.length }
    setPast(rememberQuestion(flowId, { ...asked, best: typeof best === 'string' ? best : undefined }))
  }, [data, isPlaceholderData, q, flowId, address])

  const change = (more: Partial<AskAddress>, replace = true) =>
    void navigate({ search: (all) => ({ ...all, view: 'search', ...more }), replace })
  const ask = (event: FormEvent) => {
    event.preventDefault()
    const text = draft.trim()
    if (text === '') return box.current?.focus()
    if (text === q) void refetch()
    else change({ q: text, hit: undefined, why: undefined }, false)
  }
  const closeWhy = () => {
    change({ why: undefined, hit: undefined })
    const opener = whyOf === undefined ? null : `[aria-label="Chunk ${whyOf}"] [aria-expanded]`
    if (opener) document.querySelector<HTMLElement>(opener)?.focus()
  }

  return (
    <div className={styles.columns} data-why={whyOf !== undefined}>
      <ScrollBox className={styles.middle}>
        <form className={styles.form} onSubmit={ask}>
          <div className={styles.box}>
            <textarea
              ref={box}
              aria-label="Question"
              placeholder="What should the documents answer?"
              rows={1}
              value={draft}
              onChange={(event) => setDraft(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) ask(event)
              }}
            />
            <Button look="main" type="submit" disabled={isFetching && !isPlaceholderData && !data}>
              <Search aria-hidden="true" /> Search
            </Button>
          </div>
          <SearchSettings
            flowId={flowId}
            address={address}
            used={data?.explanation?.settings}
            onChange={change}
          />
        </form>
        {error ? (
          <LoadFailure error={error} what="The search failed" onAgain={refetch} />
        ) : data && q !== undefined ? (
          <>
            <LoadFailure
              error={judging.failure}
              what="How the hits were judged cannot be read"
              onAgain={judging.readAgain}
            />
            <HitList
              flowId={flowId}
              found={data}
              stale={isPlaceholderData}
              onAsTyped={() => change({ spelling: false })}
              onWhy={(place) =>
                place === whyOf ? closeWhy() : change({ hit: place, why: true }, whyOf !== undefined)
              }
              why={whyOf}
              actionsOf={(hit, place) => <JudgeHit {...{ hit, place, judging }} />}
            />
            {data.below ? (
              <BelowCut flowId={flowId} below={data.below} onMore={(most) => change({ topK: most })} />
            ) : null}
            <MissingDocument flowId={flowId} question={question} expect={expect} onChange={change} />
            <PickAnswer flowId={flowId} question={q} judging={judging} />
          </>
        ) : q !== undefined ? (
          <p className={styles.quiet}>Searching…</p>
        ) : (
          <div className={styles.empty}>
            <h2>Ask the documents of this flow</h2>
            <p>
              The answer is the chunks that fit best: their scores by meaning and by words, and the sentence
              that answers, marked.
            </p>
          </div>
        )}
      </ScrollBox>
      {whyOf !== undefined && data ? (
        <WhyDrawer key={whyOf} found={data} place={whyOf} onClose={closeWhy} />
      ) : (
        <PastQuestions past={past} q={q} />
      )}
    </div>
  )
}

function PastQuestions({ past, q }: { past: readonly PastQuestion[]; q: string | undefined }) {
  return (
    <aside className={styles.past} aria-label="Questions of this tab">
      <h2>Questions</h2>
      {past.length === 0 ? (
        <p className={styles.quiet}>Each question that you ask stays here, as long as the tab is open.</p>
      ) : (
        <ul>
          {past.map(({ address: asked, hits, best }) => (
            <li key={JSON.stringify(asked)}>
              <Link
                from="/flows/$id/ask"
                search={asked}
                className={styles.asked}
                aria-current={asked.q === q ? 'true' : undefined}
              >
                <span className={styles.question} title={asked.q}>
                  {asked.q}
                </span>
                <span className={styles.outcome} title={best}>
                  {[hits === 0 ? 'no chunk' : (best ?? `${hits} chunks`), ...settingsOf(asked)].join(' · ')}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </aside>
  )
}
