import { useQuery } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { Button } from '../../../parts/button.tsx'
import { LoadState } from '../../../parts/load-state.tsx'
import { complain } from '../../../parts/toast.tsx'
import { countText } from '../../../parts/units.ts'
import { messageOf } from '../../../server/call.ts'
import {
  changeQuestion,
  listQuestions,
  type Question,
  refuseProposals,
  removeQuestion,
} from '../../../server/questions.ts'
import styles from './questions.module.css'

type ProposalsProps = { flowId: string; count: number; onChange(): Promise<void> }

/** Questions that this program has made from the documents: each waits to be accepted or refused. */
export function Proposals({ flowId, count, onChange }: ProposalsProps) {
  const listed = useQuery({
    queryKey: ['questions', flowId, 'proposed'],
    queryFn: () => listQuestions(flowId, { state: 'proposed', limit: 200 }),
    enabled: count > 0,
  })
  if (count === 0) return null
  const doing = async (work: Promise<unknown>) => {
    try {
      await work
      await onChange()
    } catch (failure) {
      complain('The proposal was not changed', messageOf(failure))
    }
  }
  return (
    <section className={styles.list} aria-label="Proposals">
      <div className={styles.head}>
        <h3>{countText(count, 'proposal')}</h3>
        <div className={styles.actions}>
          <Button onClick={() => void doing(refuseProposals(flowId))}>Refuse all</Button>
        </div>
      </div>
      <p className={styles.quiet}>
        Five words of a sentence of your documents, some replaced by near ones; no language model wrote them.
        They are asked only when you accept them. They may warn, and never choose: on nine collections they
        ordered ten variants about as well as ten to twenty real questions, and 13 % of the significant
        differences that they showed pointed the wrong way.
      </p>
      <LoadState of={listed} />
      <ul className={styles.proposals}>
        {listed.data?.data.map((one) => (
          <Proposal
            key={one.id}
            question={one}
            onAccept={() => void doing(changeQuestion(flowId, one.id, { state: 'accepted' }))}
            onRefuse={() => void doing(removeQuestion(flowId, one.id))}
          />
        ))}
      </ul>
    </section>
  )
}

function Proposal({
  question: { text, judgements },
  onAccept,
  onRefuse,
}: {
  question: Question
  onAccept(): void
  onRefuse(): void
}) {
  const [judgement] = judgements
  return (
    <li className={styles.proposal}>
      <div>
        <strong>{text}</strong>
        {judgement ? (
          <p className={styles.quiet}>
            {judgement.source}: “{judgement.passage?.quote}”
          </p>
        ) : null}
      </div>
      <Button look="quiet" square aria-label={`Accept ${text}`} onClick={onAccept}>
        <Check aria-hidden="true" />
      </Button>
      <Button look="quiet" square aria-label={`Refuse ${text}`} onClick={onRefuse}>
        <X aria-hidden="true" />
      </Button>
    </li>
  )
}
