import { useQuery } from '@tanstack/react-query'
import { Mic, Paperclip, Send, SlidersHorizontal, Square, X } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { focusFirst } from '../../../parts/focus-first.ts'
import { LoadFailure } from '../../../parts/load-failure.tsx'
import { complain } from '../../../parts/toast.tsx'
import { messageOf } from '../../../server/call.ts'
import type { ChatWindow } from '../../../server/chat.ts'
import { getFlowRequests } from '../../../server/flow-requests.ts'
import type { NewQuestion } from './chat-store.ts'
import styles from './composer.module.css'
import { readOverrides } from './overrides-text.ts'
import { acceptedFiles, fileRules, questionUploads, takesFiles } from './question-files.ts'
import { RecordingBar } from './recording-bar.tsx'
import { useRecording } from './use-recording.ts'
import { StartFormView } from '../../../parts/start-form.tsx'
import { startForm } from '../../../parts/starter-prompts.ts'

type ComposerProps = {
  flowId: string
  chatId: string | undefined
  settings: ChatWindow | undefined
  answering: boolean
  isNew: boolean
  hint: string | undefined
  overrides: object | undefined
  onOverrides(overrides: object | undefined): void
  onSend(question: NewQuestion): void
  onStop(): void
}

const draftKey = (flowId: string) => `sluice.draft.${flowId}`

/** Where a question is written. A draft stays when the page is left or loaded again. */
export function Composer(props: ComposerProps) {
  const { flowId, chatId, settings, answering, isNew, hint, overrides, onOverrides, onSend, onStop } = props
  const [text, setText] = useState(() => sessionStorage.getItem(draftKey(flowId)) ?? '')
  const [files, setFiles] = useState<File[]>([])
  const [isReading, setReading] = useState(false)
  const [isSetting, setSetting] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const sender = useRef<HTMLButtonElement>(null)
  const microphone = useRef<HTMLButtonElement>(null)
  /** What gets the focus once the bar of a recording is gone. */
  const next = useRef<typeof sender>(undefined)
  const rules = fileRules(settings)
  const form = isNew ? startForm(settings?.flowData) : undefined
  useEffect(() => {
    if (text === '') sessionStorage.removeItem(draftKey(flowId))
    else sessionStorage.setItem(draftKey(flowId), text)
  }, [text, flowId])

  const add = (more: Iterable<File>) => setFiles((all) => [...all, ...more].slice(0, 20))
  const recording = useRecording((file) => {
    add([file])
    // Enter sends it.
    next.current = sender
  })
  const isRecording = recording.now.state !== 'idle'
  useEffect(() => {
    if (isRecording) return
    next.current?.current?.focus()
    next.current = undefined
  }, [isRecording])
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (answering || isReading || isRecording || (text.trim() === '' && files.length === 0)) return
    setReading(true)
    try {
      const place = { flowId, chatId: chatId ?? 'new' }
      const uploads = files.length > 0 ? await questionUploads(files, rules, place) : undefined
      onSend({ question: text.trim(), uploads })
      setText('')
      setFiles([])
    } catch (error) {
      complain('The question was not sent', messageOf(error))
    } finally {
      setReading(false)
    }
  }

  if (form && !answering) return <StartFormView form={form} onStart={onSend} />
  return (
    <div className={styles.bottom}>
      {isSetting ? <Overrides flowId={flowId} overrides={overrides} onOverrides={onOverrides} /> : null}
      <form
        className={styles.composer}
        onSubmit={(event) => void send(event)}
        onDragOver={(event) => takesFiles(rules) && event.preventDefault()}
        onDrop={(event) => {
          if (!takesFiles(rules) || event.dataTransfer.files.length === 0) return
          event.preventDefault()
          add(event.dataTransfer.files)
        }}
      >
        {files.length > 0 ? (
          <ul className={styles.files}>
            {files.map((file, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name
              <li key={at}>
                <span title={file.name}>{file.name}</span>
                <button
                  type="button"
                  aria-label={`Remove ${file.name}`}
                  onClick={() => setFiles(files.toSpliced(at, 1))}
                >
                  <X aria-hidden="true" />
                </button>
              </li>
            ))}
          </ul>
        ) : null}
        <textarea
          aria-label="Message"
          placeholder={hint ?? 'Ask the flow'}
          rows={1}
          value={text}
          ref={focusFirst}
          onChange={(event) => setText(event.target.value)}
          onPaste={(event) => {
            if (!takesFiles(rules) || event.clipboardData.files.length === 0) return
            event.preventDefault()
            add(event.clipboardData.files)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) void send(event)
          }}
        />
        {recording.now.state !== 'idle' ? (
          <div className={styles.row}>
            <RecordingBar
              recording={recording.now}
              onStop={recording.stop}
              onCancel={() => {
                next.current = microphone
                recording.cancel()
              }}
            />
          </div>
        ) : (
          <div className={styles.row}>
            {takesFiles(rules) ? (
              <>
                <Button look="quiet" square aria-label="Add files" onClick={() => picker.current?.click()}>
                  <Paperclip aria-hidden="true" />
                </Button>
                <input
                  ref={picker}
                  type="file"
                  hidden
                  multiple
                  aria-label="Files"
                  accept={acceptedFiles(rules)}
                  onChange={(event) => {
                    add(event.target.files ?? [])
                    event.target.value = ''
                  }}
                />
              </>
            ) : null}
            <Button
              look="quiet"
              square
              aria-label="Overrides"
              aria-expanded={isSetting}
              onClick={() => setSetting(!isSetting)}
            >
              <SlidersHorizontal aria-hidden="true" />
            </Button>
            {overrides && !isSetting ? <span className={styles.note}>with overrides</span> : null}
            {rules.speech ? (
              <Button
                look="quiet"
                square
                ref={microphone}
                aria-label="Record the question"
                disabled={answering || isReading}
                onClick={() => void recording.start()}
              >
                <Mic aria-hidden="true" />
              </Button>
            ) : null}
            <span className={styles.gap} />
            {answering ? (
              <Button onClick={onStop}>
                <Square aria-hidden="true" /> Stop
              </Button>
            ) : (
              <Button
                look="main"
                type="submit"
                ref={sender}
                disabled={isReading || (text.trim() === '' && files.length === 0)}
              >
                <Send aria-hidden="true" /> Send
              </Button>
            )}
          </div>
        )}
      </form>
    </div>
  )
}

/** Overrides of the next questions, as JSON; which ones have an effect is said beside it. */
function Overrides({
  flowId,
  overrides,
  onOverrides,
}: Pick<ComposerProps, 'flowId' | 'overrides' | 'onOverrides'>) {
  const [text, setText] = useState(() => (overrides ? JSON.stringify(overrides, null, 2) : ''))
  const { problem } = readOverrides(text)
  const { data, error, refetch } = useQuery({
    queryKey: ['flow-requests', flowId],
    queryFn: () => getFlowRequests(flowId),
  })
  const enabled = (data?.nodes ?? [])
    .filter(({ requests }) => requests.includes('prediction'))
    .flatMap(({ inputs }) => inputs.filter((input) => input.enabled).map(({ name }) => name))
  const variables = (data?.variables ?? []).filter((one) => one.enabled).map(({ name }) => `vars.${name}`)
  const names = [...new Set([...enabled, ...variables])]
  return (
    <div className={styles.overrides}>
      <label htmlFor="overrides">Overrides of the next questions</label>
      <textarea
        id="overrides"
        value={text}
        rows={3}
        placeholder='{"temperature": 0}'
        spellCheck={false}
        aria-invalid={problem !== undefined}
        onChange={(event) => {
          setText(event.target.value)
          onOverrides(readOverrides(event.target.value).overrides)
        }}
      />
      {problem === undefined ? null : <p className={styles.problem}>{problem}</p>}
      <LoadFailure error={error} onAgain={refetch} what="What may be overridden cannot be listed" />
      <p className={styles.note}>
        {data === undefined
          ? ''
          : names.length === 0
            ? 'No input of this flow may be overridden: allow it in its configuration.'
            : `These have an effect: ${names.join(', ')}`}
      </p>
    </div>
  )
}
