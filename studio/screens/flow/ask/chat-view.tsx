import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowDown } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../parts/button.tsx'
import { chatWindow } from '../../../server/chat.ts'
import { chatOf, type NewQuestion } from './chat-store.ts'
import { LoadFailure } from '../../../parts/load-failure.tsx'
import { Loading } from '../../../parts/load-state.tsx'
import { ScrollBox } from '../../../parts/scroll-box.tsx'
import styles from './chat-view.module.css'
import { Composer } from './composer.tsx'
import { ConversationList } from './conversation-list.tsx'
import { starterPrompts } from '../../../parts/starter-prompts.ts'
import { TurnView } from './turn-view.tsx'

/** How near to the end the reader must be for the screen to follow the answer, in pixels. */
const NEAR_END = 60

/** The conversations with the flow, and the one that is open. */
export function ChatView({ flowId }: { flowId: string }) {
  const { chat: chatId } = useSearch({ from: '/flows/$id/ask' })
  const navigate = useNavigate({ from: '/flows/$id/ask' })
  const queries = useQueryClient()
  const store = chatOf(flowId)
  const chat = useStore(store)
  const settings = useQuery({ queryKey: ['chat-window', flowId], queryFn: () => chatWindow(flowId) })
  const [overrides, setOverrides] = useState<object>()
  const answering = chat.state === 'answering'

  // An address without a conversation comes from another tab of the flow: the one that was open is shown again.
  const isNew = useRef(true)
  useEffect(() => {
    const { chatId: open, open: show } = store.getState()
    const comesBack = isNew.current && chatId === undefined && open !== undefined
    isNew.current = false
    if (comesBack) void navigate({ search: (all) => ({ ...all, view: 'chat', chat: open }), replace: true })
    else show(chatId)
  }, [store, chatId, navigate])
  useEffect(() => {
    if (!answering) void queries.invalidateQueries({ queryKey: ['conversations', flowId] })
  }, [answering, queries, flowId])

  const show = (id: string | undefined, replace = false) =>
    void navigate({ search: (all) => ({ ...all, view: 'chat', chat: id }), replace })
  const send = (question: NewQuestion) => {
    const id = chat.send({ ...question, overrides })
    if (id !== chatId) show(id)
  }
  const starters = starterPrompts(settings.data?.starterPrompts)
  const last = chat.turns.length - 1
  const waits = chat.turns[last]?.answer?.action !== undefined && !answering

  return (
    <div className={styles.columns}>
      <ConversationList flowId={flowId} open={chat.chatId} onOpen={show} />
      <div className={styles.middle}>
        <Scroller growth={chat.turns} turns={chat.turns.length} key={chat.chatId ?? 'new'}>
          <LoadFailure error={chat.failure} onAgain={chat.readAgain} />
          {chat.state === 'loading' ? <Loading /> : null}
          {chat.turns.length === 0 && chat.state !== 'loading' && chat.failure === undefined ? (
            <div className={styles.empty}>
              <h2>Talk to this flow</h2>
              <p>Answers come as they are written, with the sources and the tool calls behind them.</p>
              {starters.length > 0 ? (
                <ul className={styles.starters}>
                  {starters.map((prompt) => (
                    <li key={prompt}>
                      <Button onClick={() => send({ question: prompt })}>{prompt}</Button>
                    </li>
                  ))}
                </ul>
              ) : null}
            </div>
          ) : null}
          <ol className={styles.turns} aria-label="Conversation">
            {chat.turns.map((turn, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a turn keeps its place
              <li key={at}>
                <TurnView
                  flowId={flowId}
                  turn={turn}
                  decided={chat.turns[at - 1]?.answer?.action !== undefined}
                  waits={waits && at === last}
                  busy={answering}
                  after={last - at}
                  onDecide={chat.decide}
                  onAskAgain={(question) => chat.askAgain(at, question, overrides)}
                  onRate={(rating, content) => chat.rate(at, rating, content)}
                />
              </li>
            ))}
          </ol>
        </Scroller>
        <Composer
          key={flowId}
          flowId={flowId}
          chatId={chat.chatId}
          settings={settings.data}
          answering={answering}
          isNew={chat.turns.length === 0}
          hint={waits ? 'Approve or reject the call above, or ask something else' : undefined}
          overrides={overrides}
          onOverrides={setOverrides}
          onSend={send}
          onStop={chat.stop}
        />
      </div>
    </div>
  )
}

/** A column that follows its growth while the reader is at its end, and otherwise stays where the reader put it. */
function Scroller({
  growth,
  turns,
  children,
}: {
  growth: unknown
  /** A new turn is the reader's own act: it is shown, wherever the reader was. */
  turns: number
  children: React.ReactNode
}) {
  const box = useRef<HTMLElement>(null)
  const follows = useRef(true)
  const [isAway, setAway] = useState(false)
  const shown = useRef(turns)
  if (turns > shown.current) follows.current = true
  shown.current = turns
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has grown is measured, not read
  useLayoutEffect(() => {
    const column = box.current
    if (column && follows.current) column.scrollTop = column.scrollHeight
  }, [growth])
  const toEnd = () => {
    box.current?.scrollTo({ top: box.current.scrollHeight })
    follows.current = true
    setAway(false)
  }
  return (
    <div className={styles.scrolled}>
      <ScrollBox
        ref={box}
        className={styles.scroller}
        aria-label="Messages"
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          follows.current = scrollHeight - scrollTop - clientHeight < NEAR_END
          setAway(!follows.current)
        }}
      >
        {children}
      </ScrollBox>
      {isAway ? (
        <Button square className={styles.toEnd} aria-label="To the end" onClick={toEnd}>
          <ArrowDown aria-hidden="true" />
        </Button>
      ) : null}
    </div>
  )
}
