import { RotateCcw } from 'lucide-react'
import { messageOf } from '../server/call.ts'
import { Button } from './button.tsx'
import styles from './load-failure.module.css'
import { Note } from './note.tsx'

type LoadFailureProps = {
  /** Nothing is shown for null. */
  error: unknown
  onAgain(): unknown
  /** What was not loaded, before the reason: "The executions cannot be listed". */
  what?: string | undefined
}

/** Why something was not loaded, with a button that tries again. */
export function LoadFailure({ error, onAgain, what }: LoadFailureProps) {
  if (!error) return null
  return (
    <Note kind="failure">
      <div className={styles.failure}>
        <span>
          {what === undefined ? '' : `${what}: `}
          {messageOf(error)}
        </span>
        <Button onClick={() => void onAgain()}>
          <RotateCcw aria-hidden="true" /> Try again
        </Button>
      </div>
    </Note>
  )
}
