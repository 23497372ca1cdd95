import { Link } from '@tanstack/react-router'
import { Check, Copy, ListTree, Pencil, RotateCcw, ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { focusFirst } from '../../../parts/focus-first.ts'
import { Markdown } from '../../../parts/markdown.tsx'
import { Note } from '../../../parts/note.tsx'
import { RunSteps } from '../../../parts/run-steps.tsx'
import { complain } from '../../../parts/toast.tsx'
import { ToolCalls } from '../../../parts/tool-calls.tsx'
import { WaitingCallView } from '../../../parts/waiting-call.tsx'
import { waitingCalls } from '../../../parts/waiting-calls.ts'
import { messageOf } from '../../../server/call.ts'
import { SourceList } from './source-list.tsx'
import styles from './turn-view.module.css'
import type { Answer, Turn } from '../../../parts/turns.ts'

type TurnViewProps = {
  flowId: string
  turn: Turn
  /** The question is a decision about the call before it. */
  decided: boolean
  /** The answer waits for a decision. */
  waits: boolean
  /** An answer is being written, so that nothing can be asked. */
  busy: boolean
  /** How many turns come after this one. */
  after: number
  onDecide(type: 'proceed' | 'reject', reason: string): void
  onAskAgain(question: string): Promise<void>
  onRate(rating: 'THUMBS_UP' | 'THUMBS_DOWN', content?: string): Promise<void>
}

/** A question and its answer. */
export function TurnView(props: TurnViewProps) {
  const { flowId, turn, decided, waits, onDecide } = props
  const { question, files, answer } = turn
  const [draft, setDraft] = useState<string>()
  const askAgain = useAskAgain(props)
  return (
    <article className={styles.turn}>
      {decided ? (
        <p className={styles.decision}>{question}</p>
      ) : (
        <div className={styles.question}>
          {draft === undefined ? (
            question === '' ? null : (
              <p className={styles.asked}>{question}</p>
            )
          ) : (
            <form
              className={styles.editing}
              onSubmit={(event) => {
                event.preventDefault()
                setDraft(undefined)
                askAgain.ask(draft.trim())
              }}
            >
              <textarea
                aria-label="The question"
                ref={focusFirst}
                value={draft}
                onChange={(event) => setDraft(event.target.value)}
                onKeyDown={(event) => event.key === 'Escape' && setDraft(undefined)}
              />
              <div className={styles.actions}>
                <Button onClick={() => setDraft(undefined)}>Cancel</Button>
                <Button look="main" type="submit" disabled={draft.trim() === ''}>
                  Ask
                </Button>
              </div>
            </form>
          )}
          {files.length > 0 ? (
            <ul className={styles.files}>
              {files.map(({ name, url }) => (
                <li key={name} title={name}>
                  {url ? <img src={url} alt={name} /> : name}
                </li>
              ))}
            </ul>
          ) : null}
          {draft === undefined && turn.answer?.state !== 'answering' && question !== '' ? (
            <Button
              look="quiet"
              square
              className={styles.edit}
              aria-label="Edit the question"
              disabled={props.busy}
              onClick={() => setDraft(question)}
            >
              <Pencil aria-hidden="true" />
            </Button>
          ) : null}
        </div>
      )}
      {answer ? (
        <AnswerView
          flowId={flowId}
          answer={answer}
          listens={turn.uploads?.some(({ type }) => type === 'audio') ?? false}
        >
          {waits && answer.action ? (
            <WaitingCallView
              calls={waitingCalls(answer.action)}
              feedback={takesFeedback(answer)}
              onDecide={onDecide}
            />
          ) : null}
          {answer.state === 'ended' && !decided && !answer.action ? (
            <AnswerActions {...props} onAgain={() => askAgain.ask(question)} />
          ) : (
            <RunLink answer={answer} />
          )}
        </AnswerView>
      ) : (
        <p className={styles.quiet} role="status">
          There is no answer yet: it is still being written, or it was broken off.
        </p>
      )}
      {askAgain.dialog}
    </article>
  )
}

/** A person node says whether it takes a reason; a tool call always does. */
const takesFeedback = ({ action }: Answer): boolean =>
  action !== undefined &&
  (waitingCalls(action).length > 0 || JSON.stringify(action.data.input).includes('true'))

/** Asks a question again, after a warning where later turns would be deleted. */
function useAskAgain({ after, onAskAgain }: TurnViewProps) {
  const [waiting, setWaiting] = useState<string>()
  const run = (question: string) => {
    setWaiting(undefined)
    onAskAgain(question).catch((error: unknown) => complain('The question was not asked', messageOf(error)))
  }
  return {
    ask: (question: string) => (after > 0 ? setWaiting(question) : run(question)),
    dialog: (
      <Dialog
        open={waiting !== undefined}
        onClose={() => setWaiting(undefined)}
        title="Ask again from here?"
        actions={
          <>
            <Button onClick={() => setWaiting(undefined)}>Keep them</Button>
            <Button look="main" onClick={() => waiting !== undefined && run(waiting)}>
              Ask again
            </Button>
          </>
        }
      >
        <p>
          {after === 1
            ? 'The question after this one is deleted'
            : `The ${after} questions after this one are deleted`}
          , with its answer. To keep them, start a new conversation.
        </p>
      </Dialog>
    ),
  }
}

function AnswerView({
  flowId,
  answer,
  listens,
  children,
}: {
  flowId: string
  answer: Answer
  /** The question was spoken, and is not written down yet. */
  listens: boolean
  children: React.ReactNode
}) {
  const { state, text, thinking, tools, sources, steps, failure } = answer
  const isWaiting = state === 'answering' && text === ''
  return (
    <div className={styles.answer} aria-busy={state === 'answering'}>
      {steps.length > 0 ? (
        <details className={styles.run} open={state === 'answering'}>
          <summary>
            {steps.length} {steps.length === 1 ? 'step' : 'steps'}
          </summary>
          <RunSteps steps={steps} />
        </details>
      ) : null}
      {thinking === '' ? null : (
        <details className={styles.run}>
          <summary>Thinking</summary>
          <p className={styles.thinking}>{thinking}</p>
        </details>
      )}
      {steps.some(({ data }) => data !== undefined) ? null : <ToolCalls calls={tools} />}
      {text === '' ? null : <Markdown text={text} />}
      {isWaiting ? (
        <p className={styles.dots} role="status">
          <span />
          <span />
          <span />
          <span className={styles.hidden}>
            {listens ? 'The recording is being written down and answered' : 'The answer is being written'}
          </span>
        </p>
      ) : null}
      {failure ? <Failure failure={failure} hasText={text !== ''} /> : null}
      <SourceList flowId={flowId} sources={sources} />
      {children}
    </div>
  )
}

function Failure({ failure, hasText }: { failure: NonNullable<Answer['failure']>; hasText: boolean }) {
  if (failure.code === 'cancelled')
    return (
      <p className={styles.stopped}>{hasText ? 'The answer was stopped here.' : 'The answer was stopped.'}</p>
    )
  return (
    <Note kind="failure">
      {hasText ? 'The answer broke off: ' : ''}
      {failure.message}
      <span className={styles.code}>
        {failure.code}
        {failure.nodeId ? ` in ${failure.nodeId}` : ''}
      </span>
    </Note>
  )
}

/** Leads to the record of what the flow did for an answer. */
function RunLink({ answer: { state, executionId } }: { answer: Answer }) {
  if (state !== 'ended' || executionId === undefined) return null
  return (
    <Link to="/executions" search={{ open: executionId }} className={styles.runLink}>
      <ListTree aria-hidden="true" /> Show run
    </Link>
  )
}

function AnswerActions({ turn, busy, onRate, onAgain }: TurnViewProps & { onAgain(): void }) {
  const { question, answer } = turn
  const [copied, setCopied] = useState(false)
  const [comment, setComment] = useState<string>()
  const rate = (rating: 'THUMBS_UP' | 'THUMBS_DOWN', content?: string) =>
    onRate(rating, content).catch((error: unknown) => complain('The rating was not stored', messageOf(error)))
  if (!answer) return null
  return (
    <div className={styles.tools}>
      {answer.text === '' ? null : (
        <Button
          look="quiet"
          square
          aria-label="Copy the answer"
          onClick={() =>
            void navigator.clipboard.writeText(answer.text).then(
              () => setCopied(true),
              () => complain('The browser did not allow to copy'),
            )
          }
        >
          {copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
        </Button>
      )}
      {question === '' && !turn.uploads?.length ? null : (
        <Button look="quiet" square aria-label="Answer again" disabled={busy} onClick={onAgain}>
          <RotateCcw aria-hidden="true" />
        </Button>
      )}
      {answer.id === undefined || answer.failure ? null : (
        <>
          <Button
            look="quiet"
            square
            aria-label="A good answer"
            aria-pressed={answer.rating === 'THUMBS_UP'}
            onClick={() => void rate('THUMBS_UP')}
          >
            <ThumbsUp aria-hidden="true" />
          </Button>
          <Button
            look="quiet"
            square
            aria-label="A bad answer"
            aria-pressed={answer.rating === 'THUMBS_DOWN'}
            onClick={() => {
              void rate('THUMBS_DOWN')
              setComment('')
            }}
          >
            <ThumbsDown aria-hidden="true" />
          </Button>
        </>
      )}
      <RunLink answer={answer} />
      {comment === undefined ? null : (
        <form
          className={styles.comment}
          onSubmit={(event) => {
            event.preventDefault()
            setComment(undefined)
            if (comment.trim() !== '') void rate('THUMBS_DOWN', comment.trim())
          }}
        >
          <input
            aria-label="What is wrong with the answer"
            placeholder="What is wrong with it?"
            ref={focusFirst}
            maxLength={10_000}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
          <Button type="submit">Send</Button>
        </form>
      )}
    </div>
  )
}
