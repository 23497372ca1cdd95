import { Play, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { DropArea } from '../../../parts/drop-area.tsx'
import { Note } from '../../../parts/note.tsx'
import { TextBox } from '../../../parts/text-box.tsx'
import { messageOf } from '../../../server/call.ts'
import { type RunAnswer, runRequest } from '../../../server/run-request.ts'
import { formFieldsOf, isForm, jsonBodyOf, pathOf, type SampleRequest } from './sample-request.ts'
import styles from './show-api.module.css'

type RunSampleProps = {
  request: SampleRequest
  nodeIds: ReadonlySet<string>
  files: readonly File[]
  onFiles(files: File[]): void
}

/** Sends the request of the sample from here, and shows its answer as it comes. */
export function RunSample({ request, nodeIds, files, onFiles }: RunSampleProps) {
  const running = useRef<AbortController>(undefined)
  const [isRunning, setRunning] = useState(false)
  const [answer, setAnswer] = useState<RunAnswer>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => () => running.current?.abort(), [])
  const form = isForm(request)

  const run = async () => {
    const control = new AbortController()
    running.current = control
    setRunning(true)
    setAnswer(undefined)
    setFailure(undefined)
    try {
      await runRequest(
        pathOf(request),
        form ? { form: formFieldsOf(request, nodeIds), files } : { json: jsonBodyOf(request) },
        { signal: control.signal, onAnswer: setAnswer },
      )
    } catch (error) {
      setFailure(control.signal.aborted ? 'Stopped' : messageOf(error))
    } finally {
      setRunning(false)
    }
  }

  return (
    <section className={styles.run} aria-label="Run">
      {form ? (
        <DropArea
          label={
            files.length === 0 ? 'Choose files to run it here' : files.map(({ name }) => name).join(', ')
          }
          {...(files.length === 0 ? {} : { about: 'Choose others' })}
          multiple
          onFiles={(chosen) => onFiles(chosen.map(({ file }) => file))}
        />
      ) : null}
      <div className={styles.runHead}>
        {isRunning ? (
          <Button onClick={() => running.current?.abort()}>
            <Square aria-hidden="true" />
            Stop
          </Button>
        ) : (
          <Button look="main" disabled={form && files.length === 0} onClick={() => void run()}>
            <Play aria-hidden="true" />
            Run
          </Button>
        )}
        <span className={styles.quiet}>
          {form || request.kind === 'upsert-json'
            ? 'This loads into the flow, as the session of this browser.'
            : 'As the session of this browser, without a key.'}
        </span>
        {answer ? (
          <span className={styles.status} data-ok={answer.status < 400} role="status">
            {answer.status} in {answer.ms} ms
          </span>
        ) : null}
      </div>
      {failure === undefined ? null : <Note kind="failure">{failure}</Note>}
      {answer && answer.text !== '' ? (
        <div className={styles.answer}>
          <TextBox label="Answer" wraps>
            {readable(answer)}
          </TextBox>
        </div>
      ) : null}
    </section>
  )
}

/** JSON with indentation; anything else as it came. */
function readable({ contentType, text, isComplete }: RunAnswer): string {
  if (!isComplete || !contentType.startsWith('application/json')) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
