import { Check, Hourglass, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import { TextBlock } from './text-block.tsx'
import { headerText } from './tool-calls.tsx'
import styles from './waiting-call.module.css'
import type { WaitingCall } from './waiting-calls.ts'

type WaitingCallViewProps = {
  /** The tool calls that wait; none where a flow asks a person by itself. */
  calls: readonly WaitingCall[]
  /** Whether a reason is taken. */
  feedback: boolean
  disabled?: boolean
  onDecide(type: 'proceed' | 'reject', reason: string): void
}

/** What a person has to decide: the request that would be sent, and the two answers. */
export function WaitingCallView({ calls, feedback, disabled = false, onDecide }: WaitingCallViewProps) {
  const [reason, setReason] = useState('')
  const [call] = calls
  return (
    <section className={styles.card} aria-label="A decision for you">
      <h3 className={styles.title}>
        <Hourglass aria-hidden="true" />
        {call ? (
          <span>
            May the flow call <strong>{call.tool}</strong>?
          </span>
        ) : (
          'The flow waits for your decision'
        )}
      </h3>
      {call?.request ? (
        <>
          <p className={styles.request}>
            <strong>{call.request.method}</strong> {call.request.address}
          </p>
          <TextBlock label="Body" value={call.request.body} />
          <details className={styles.more}>
            <summary>Headers and input of the model</summary>
            <TextBlock label="Headers" value={headerText(call.request.headers)} />
            <TextBlock label="Input" value={call.toolInput} />
          </details>
        </>
      ) : call ? (
        <TextBlock label="Input" value={call.toolInput} />
      ) : null}
      {feedback ? (
        <input
          className={styles.reason}
          aria-label="Reason"
          placeholder="Reason, for the model (optional)"
          value={reason}
          disabled={disabled}
          onChange={(event) => setReason(event.target.value)}
          onKeyDown={(event) => {
            // Enter must not approve by mistake.
            if (event.key === 'Enter') event.preventDefault()
          }}
        />
      ) : null}
      <div className={styles.actions}>
        <Button look="main" disabled={disabled} onClick={() => onDecide('proceed', reason)}>
          <Check aria-hidden="true" /> Approve
        </Button>
        <Button look="danger" disabled={disabled} onClick={() => onDecide('reject', reason)}>
          <X aria-hidden="true" /> Reject
        </Button>
      </div>
    </section>
  )
}
