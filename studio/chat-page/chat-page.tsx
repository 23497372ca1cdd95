import { RotateCcw, Send, Square } from 'lucide-react'
import { type FormEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../parts/button.tsx'
import { focusFirst } from '../parts/focus-first.ts'
import { LoadFailure } from '../parts/load-failure.tsx'
import { Loading } from '../parts/load-state.tsx'
import { ScrollBox } from '../parts/scroll-box.tsx'
import { StartFormView } from '../parts/start-form.tsx'
import { startForm, starterPrompts } from '../parts/starter-prompts.ts'
import { type ChatWindow, chatWindow } from '../server/chat.ts'
import styles from './chat-page.module.css'
import { createVisitorChat, type VisitorChat } from './conversation.ts'
import { VisitorTurn } from './visitor-turn.tsx'
import { windowSettings } from './window-settings.ts'

/** The page of a flow for its visitors. */
export function ChatPage({ flowId }: { flowId: string }) {
  const [store] = useState(() => createVisitorChat(flowId))
  const chat = useStore(store)
  const { settings, failure, load } = useSettings(flowId)
  const { title, welcome, errorMessage, footer, feedback } = windowSettings(settings)
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    document.title = title
  }, [title])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has grown is measured, not read
  useLayoutEffect(() => {
    const column = box.current
    if (column) column.scrollTop = column.scrollHeight
  }, [chat.turns])

  const isEmpty = chat.turns.length === 0
  const form = isEmpty ? startForm(settings?.flowData) : undefined
  const last = chat.turns.length - 1
  const isReady = chat.state === 'ready'
  const waits = chat.turns[last]?.answer?.action !== undefined && isReady
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <h1>{title}</h1>
        {isEmpty ? null : (
          <Button look="quiet" onClick={chat.restart}>
            <RotateCcw aria-hidden="true" /> New conversation
          </Button>
        )}
      </header>
      <ScrollBox ref={box} className={styles.scroller} aria-label="Messages">
        <LoadFailure error={failure} onAgain={load} />
        {settings || failure ? null : <Loading />}
        {isEmpty && settings && !form ? (
          <div className={styles.empty}>
            <p>{welcome}</p>
            <ul>
              {starterPrompts(settings.starterPrompts).map((prompt) => (
                <li key={prompt}>
                  <Button onClick={() => chat.send({ question: prompt })}>{prompt}</Button>
                </li>
              ))}
            </ul>
          </div>
        ) : null}
        <ol className={styles.turns} aria-label="Conversation">
          {chat.turns.map((turn, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a turn keeps its place
            <li key={at}>
              <VisitorTurn
                turn={turn}
                errorMessage={errorMessage}
                waits={waits && at === last}
                onDecide={chat.decide}
                onAgain={settings && isReady && at === last ? chat.askAgain : undefined}
                onRate={feedback && turn.answer?.id ? (rating) => chat.rate(at, rating) : undefined}
              />
            </li>
          ))}
        </ol>
      </ScrollBox>
      {form ? (
        <StartFormView form={form} onStart={chat.send} />
      ) : settings ? (
        <Question state={chat.state} onSend={(question) => chat.send({ question })} onStop={chat.stop} />
      ) : null}
      {footer === '' ? null : <p className={styles.footer}>{footer}</p>}
    </main>
  )
}

function Question({
  state,
  onSend,
  onStop,
}: {
  state: VisitorChat['state']
  onSend(question: string): void
  onStop(): void
}) {
  const [text, setText] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (state !== 'ready' || text.trim() === '') return
    onSend(text.trim())
    setText('')
  }
  return (
    <form className={styles.composer} onSubmit={send}>
      <textarea
        aria-label="Message"
        placeholder="Ask a question"
        rows={1}
        value={text}
        // In a frame the page around it keeps the focus.
        ref={window.self === window.top ? focusFirst : undefined}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send(event)
        }}
      />
      {state !== 'ready' ? (
        <Button disabled={state === 'stopping'} onClick={onStop}>
          <Square aria-hidden="true" /> {state === 'stopping' ? 'Stopping…' : 'Stop'}
        </Button>
      ) : (
        <Button look="main" type="submit" disabled={text.trim() === ''}>
          <Send aria-hidden="true" /> Send
        </Button>
      )}
    </form>
  )
}

type Settings = { settings?: ChatWindow; failure?: unknown }

/** The settings of the chat window; a failure says why there are none. Neither while they are loaded. */
function useSettings(flowId: string): Settings & { load(): void } {
  const [found, setFound] = useState<Settings>({})
  const load = useCallback(() => {
    setFound({})
    chatWindow(flowId).then(
      (settings) => setFound({ settings }),
      (failure: unknown) => setFound({ failure }),
    )
  }, [flowId])
  useEffect(load, [load])
  return { ...found, load }
}
