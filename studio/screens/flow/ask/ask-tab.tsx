import { Link, useParams, useSearch } from '@tanstack/react-router'
import { MessagesSquare, TextSearch } from 'lucide-react'
import { isDirty } from '../../../drawing/history.ts'
import { Button } from '../../../parts/button.tsx'
import { Note } from '../../../parts/note.tsx'
import { useEditorState } from '../editor.ts'
import { useOpenFlow } from '../open-flow.ts'
import { waysToAsk } from './answering.ts'
import styles from './ask-tab.module.css'
import { ChatView } from './chat-view.tsx'
import { SearchView } from './search-view.tsx'

/** Questions to the flow: its chunks that match, or an answer of its model. */
export function AskTab() {
  const { id } = useParams({ from: '/flows/$id/ask' })
  const address = useSearch({ from: '/flows/$id/ask' })
  const { saving } = useOpenFlow()
  const graph = useEditorState((state) => state.graph)
  const dirty = useEditorState((state) => isDirty(state.history))
  const ways = waysToAsk(graph)
  const view = address.view ?? (address.q !== undefined || !ways.chat ? 'search' : 'chat')
  return (
    <main className={styles.ask}>
      <header className={styles.head}>
        <h1 className={styles.hidden}>Ask</h1>
        {ways.search && ways.chat ? (
          <nav className={styles.views} aria-label="Ways to ask">
            <Link
              to="/flows/$id/ask"
              params={{ id }}
              search={(all) => ({ ...all, view: 'chat' as const })}
              className={styles.view}
              aria-current={view === 'chat' ? 'page' : undefined}
              activeProps={{}}
            >
              <MessagesSquare aria-hidden="true" /> Chat
            </Link>
            <Link
              to="/flows/$id/ask"
              params={{ id }}
              search={(all) => ({ ...all, view: 'search' as const })}
              className={styles.view}
              aria-current={view === 'search' ? 'page' : undefined}
              activeProps={{}}
            >
              <TextSearch aria-hidden="true" /> Search
            </Link>
          </nav>
        ) : null}
        {dirty ? (
          <p className={styles.unsaved}>
            The saved flow answers, without your last changes.{' '}
            <Button onClick={() => void saving.save()} disabled={saving.isSaving}>
              Save
            </Button>
          </p>
        ) : null}
      </header>
      {!ways.search && !ways.chat ? (
        <div className={styles.nothing}>
          <h2>This flow cannot be asked yet</h2>
          <p>Add a vector store to search its documents, or an agent or a chain to talk to it.</p>
          <Link to="/flows/$id" params={{ id }}>
            To the canvas
          </Link>
        </div>
      ) : view === 'chat' && !ways.chat ? (
        <div className={styles.nothing}>
          <Note kind="warning">This flow has no agent and no chain that could answer.</Note>
        </div>
      ) : view === 'chat' ? (
        <ChatView flowId={id} />
      ) : (
        <SearchView flowId={id} />
      )}
    </main>
  )
}
