import { RotateCcw, ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { Note } from '../parts/note.tsx'
import type { Answer, Turn } from '../parts/turns.ts'
import { countText } from '../parts/units.ts'
import { WaitingCallView } from '../parts/waiting-call.tsx'
import { waitingCalls } from '../parts/waiting-calls.ts'
import { messageOf } from '../server/call.ts'
import styles from './chat-page.module.css'

type Rating = 'THUMBS_UP' | 'THUMBS_DOWN'

type VisitorTurnProps = {
  turn: Turn
  /** What the owner wants to be shown in place of a failure. */
  errorMessage: string | undefined
  /** The answer waits for a decision. */
  waits: boolean
  onDecide(type: 'proceed' | 'reject', reason: string): void
  /** Asks again where the answer failed; undefined where that cannot be done now. */
  onAgain: (() => void) | undefined
  /** Undefined where answers are not rated. */
  onRate: ((rating: Rating) => Promise<void>) | undefined
}

/** A question of a visitor and its answer: its text and the names of its sources, without what only managers see. */
export function VisitorTurn({ turn, errorMessage, waits, onDecide, onAgain, onRate }: VisitorTurnProps) {
  const { question, answer } = turn
  return (
    <article className={styles.turn}>
      <p className={styles.question}>{question}</p>
      {answer ? (
        <div className={styles.answer} aria-busy={answer.state === 'answering'}>
          {answer.text === '' ? null : <Markdown text={answer.text} />}
          {answer.state === 'answering' && answer.text === '' ? (
            <p className={styles.quiet} role="status">
              The answer is being written…
            </p>
          ) : null}
          <Failure answer={answer} errorMessage={errorMessage} />
          {answer.failure && onAgain ? (
            <div>
              <Button look="quiet" onClick={onAgain}>
                <RotateCcw aria-hidden="true" /> Ask again
              </Button>
            </div>
          ) : null}
          <Sources answer={answer} />
          {waits && answer.action ? (
            <WaitingCallView calls={waitingCalls(answer.action)} feedback onDecide={onDecide} />
          ) : null}
          {answer.state === 'ended' && onRate ? <Rate rating={answer.rating} onRate={onRate} /> : null}
        </div>
      ) : null}
    </article>
  )
}

function Failure({
  answer: { failure },
  errorMessage,
}: {
  answer: Answer
  errorMessage: string | undefined
}) {
  if (!failure) return null
  if (failure.code === 'cancelled') return <p className={styles.quiet}>The answer was stopped.</p>
  return <Note kind="failure">{errorMessage ?? failure.message}</Note>
}

function Sources({ answer: { sources } }: { answer: Answer }) {
  const names = new Set(
    sources.flatMap(({ metadata: { source } }) => (typeof source === 'string' ? [source] : [])),
  )
  if (sources.length === 0) return null
  return (
    <details className={styles.sources}>
      <summary>
        {names.size === 0 ? countText(sources.length, 'passage') : `Sources: ${[...names].join(', ')}`}
      </summary>
      <ol>
        {sources.map(({ pageContent }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change, and a passage may occur twice
          <li key={at}>{pageContent}</li>
        ))}
      </ol>
    </details>
  )
}

function Rate({ rating, onRate }: { rating: Rating | undefined; onRate(rating: Rating): Promise<void> }) {
  const [failure, setFailure] = useState<string>()
  const rate = (one: Rating) =>
    void onRate(one).then(
      () => setFailure(undefined),
      (error: unknown) => setFailure(messageOf(error)),
    )
  return (
    <div className={styles.rating}>
      <Button
        look="quiet"
        square
        aria-label="Good answer"
        aria-pressed={rating === 'THUMBS_UP'}
        onClick={() => rate('THUMBS_UP')}
      >
        <ThumbsUp aria-hidden="true" />
      </Button>
      <Button
        look="quiet"
        square
        aria-label="Bad answer"
        aria-pressed={rating === 'THUMBS_DOWN'}
        onClick={() => rate('THUMBS_DOWN')}
      >
        <ThumbsDown aria-hidden="true" />
      </Button>
      {failure === undefined ? null : <Note kind="failure">{failure}</Note>}
    </div>
  )
}
