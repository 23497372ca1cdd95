import { Square } from 'lucide-react'
import { Button } from '../../../parts/button.tsx'
import { focusFirst } from '../../../parts/focus-first.ts'
import styles from './recording-bar.module.css'
import { clockText } from './recording-rules.ts'
import type { RecordingState } from './use-recording.ts'

type RecordingBarProps = {
  recording: Exclude<RecordingState, { state: 'idle' }>
  onStop(): void
  onCancel(): void
}

/** What the microphone does, in the place of the buttons of a question. Escape gives the recording up. */
export function RecordingBar({ recording, onStop, onCancel }: RecordingBarProps) {
  const isRecording = recording.state === 'recording'
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a key for all that is in it
    <div
      className={styles.bar}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onCancel()
      }}
    >
      <span className={isRecording ? styles.live : styles.dot} aria-hidden="true" />
      <span role="status">{isRecording ? 'Recording' : 'Waiting for the microphone'}</span>
      {isRecording ? (
        <span role="timer" aria-label="Length of the recording">
          {clockText(recording.seconds)}
        </span>
      ) : null}
      <span className={styles.gap} />
      <Button ref={isRecording ? undefined : focusFirst} onClick={onCancel}>
        Cancel
      </Button>
      {isRecording ? (
        <Button look="main" ref={focusFirst} onClick={onStop}>
          <Square aria-hidden="true" /> Stop recording
        </Button>
      ) : null}
    </div>
  )
}
