import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Hourglass, MessageSquarePlus, Trash2 } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { LoadState } from '../../../parts/load-state.tsx'
import { complain, tell } from '../../../parts/toast.tsx'
import { agoText, countText, numberText } from '../../../parts/units.ts'
import { messageOf } from '../../../server/call.ts'
import { type Conversation, deleteMessages, listConversations } from '../../../server/chat.ts'
import styles from './conversation-list.module.css'

type ConversationListProps = {
  flowId: string
  open: string | undefined
  onOpen(chatId: string | undefined): void
}

/** The conversations with the flow, the last used first; a search looks in all messages. */
export function ConversationList({ flowId, open, onOpen }: ConversationListProps) {
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [leaving, setLeaving] = useState<Conversation>()
  const queries = useQueryClient()
  const wanted = useDeferredValue(search)
  const listed = useQuery({
    queryKey: ['conversations', flowId, wanted, page],
    queryFn: () => listConversations(flowId, page, wanted),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const { data } = listed
  const pages = Math.ceil((data?.total ?? 0) / 50)
  const remove = async ({ chatId }: Conversation) => {
    setLeaving(undefined)
    try {
      await deleteMessages(flowId, chatId)
      tell('The conversation was deleted')
      if (chatId === open) onOpen(undefined)
    } catch (error) {
      complain('The conversation was not deleted', messageOf(error))
    }
    await queries.invalidateQueries({ queryKey: ['conversations', flowId] })
  }
  return (
    <aside className={styles.side} aria-label="Conversations">
      <div className={styles.head}>
        <Button className={styles.fresh} onClick={() => onOpen(undefined)}>
          <MessageSquarePlus aria-hidden="true" /> New conversation
        </Button>
        <input
          type="search"
          aria-label="Search conversations"
          placeholder="Search"
          value={search}
          onChange={(event) => {
            setSearch(event.target.value)
            setPage(1)
          }}
        />
      </div>
      <LoadState of={listed} what="The conversations cannot be listed" />
      {data?.total === 0 ? (
        <p className={styles.quiet}>
          {wanted === '' ? 'There is no conversation yet.' : `No message has “${wanted}”.`}
        </p>
      ) : null}
      <ul className={styles.list}>
        {data?.data.map((one) => (
          <li key={one.chatId} className={styles.row} data-open={one.chatId === open}>
            <button
              type="button"
              className={styles.link}
              aria-current={one.chatId === open ? 'true' : undefined}
              onClick={() => onOpen(one.chatId)}
            >
              <span className={styles.title} title={one.title}>
                {one.title || 'Without a question'}
              </span>
              <span className={styles.facts}>
                {one.waits ? (
                  <span className={styles.waits}>
                    <Hourglass aria-hidden="true" /> waits for you
                  </span>
                ) : (
                  <>
                    {agoText(one.updatedDate)} · {countText(one.messages, 'message')}
                    {one.chatType === 'EXTERNAL' ? ' · visitor' : ''}
                  </>
                )}
              </span>
            </button>
            <Button
              look="quiet"
              square
              className={styles.remove}
              aria-label={`Delete ${one.title || 'the conversation'}`}
              onClick={() => setLeaving(one)}
            >
              <Trash2 aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
      {pages > 1 ? (
        <div className={styles.pages}>
          <Button look="quiet" disabled={page === 1} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          <span>
            {page} of {numberText(pages)}
          </span>
          <Button look="quiet" disabled={page >= pages} onClick={() => setPage(page + 1)}>
            Older
          </Button>
        </div>
      ) : null}
      <Dialog
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title="Delete this conversation?"
        about={leaving?.title}
        actions={
          <>
            <Button onClick={() => setLeaving(undefined)}>Keep it</Button>
            <Button look="danger" onClick={() => leaving && void remove(leaving)}>
              Delete
            </Button>
          </>
        }
      >
        <p>Its messages, its pictures and the documents that were sent with it are deleted.</p>
      </Dialog>
    </aside>
  )
}
