import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { LoadFailure } from '../../../parts/load-failure.tsx'
import { complain, tell } from '../../../parts/toast.tsx'
import { messageOf } from '../../../server/call.ts'
import { addQuestions, listRated, type RatedQuestion } from '../../../server/questions.ts'
import styles from './questions.module.css'

type RatedAnswersProps = { flowId: string; onChange(): Promise<void> }

/** What visitors asked and rated. A person confirms which passages answer: the visitor rated the answer, not them. */
export function RatedAnswers({ flowId, onChange }: RatedAnswersProps) {
  const queries = useQueryClient()
  const queryKey = ['rated-questions', flowId]
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => listRated(flowId) })
  const rated = data?.data ?? []
  if (rated.length === 0)
    return <LoadFailure error={error} onAgain={refetch} what="What visitors rated cannot be listed" />
  const confirm = async ({ text }: RatedQuestion, judgements: RatedQuestion['judgements']) => {
    try {
      await addQuestions(flowId, [{ text, origin: 'feedback', judgements }])
      tell('The question is kept with the flow')
      await Promise.all([onChange(), queries.invalidateQueries({ queryKey })])
    } catch (error) {
      complain('The question was not kept', messageOf(error))
    }
  }
  return (
    <section className={styles.list} aria-label="Rated by visitors">
      <h3>Rated by visitors</h3>
      <p className={styles.quiet}>
        Confirm what visitors have asked: tick the passages that answer the question. A rating alone does not
        say which do.
      </p>
      <ul className={styles.proposals}>
        {rated.slice(0, 20).map((one) => (
          <Rated key={one.messageId} rated={one} onConfirm={(judgements) => void confirm(one, judgements)} />
        ))}
      </ul>
    </section>
  )
}

function Rated({
  rated,
  onConfirm,
}: {
  rated: RatedQuestion
  onConfirm(judgements: RatedQuestion['judgements']): void
}) {
  const { text, rating, judgements } = rated
  const isGood = rating === 'THUMBS_UP'
  const [right, setRight] = useState<ReadonlySet<number>>(() => new Set(isGood ? [0] : []))
  const toggle = (at: number) =>
    setRight((now) => (now.has(at) ? new Set([...now].filter((one) => one !== at)) : new Set([...now, at])))
  return (
    <li className={styles.proposal}>
      <div>
        <strong>
          {isGood ? <ThumbsUp aria-label="Rated good" /> : <ThumbsDown aria-label="Rated bad" />} {text}
        </strong>
        {judgements.map(({ source, passage }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the passages of an answer do not move
          <label key={at} className={styles.passage}>
            <input type="checkbox" checked={right.has(at)} onChange={() => toggle(at)} />
            <span>
              {source}: “{passage?.quote.slice(0, 160)}
              {(passage?.quote.length ?? 0) > 160 ? '…' : ''}”
            </span>
          </label>
        ))}
      </div>
      <Button
        disabled={right.size === 0}
        onClick={() => onConfirm(judgements.map((one, at) => ({ ...one, grade: right.has(at) ? 1 : 0 })))}
      >
        <Check aria-hidden="true" /> Confirm
      </Button>
    </li>
  )
}
