import { Link } from '@tanstack/react-router'
import { useStore } from 'zustand'
import { CopyButton } from '../../../parts/copy-button.tsx'
import { Note } from '../../../parts/note.tsx'
import { TextBox } from '../../../parts/text-box.tsx'
import type { FlowRequests } from '../../../server/flow-requests.ts'
import { textsOf } from '../configuration/line-list.ts'
import { useOpenFlow } from '../open-flow.ts'
import { chatPageOf, embedWarnings, frameLine, widgetLines } from './embed-lines.ts'
import styles from './show-api.module.css'

/** The flow as a chat on a web page: the lines to copy, who may use them, and a preview. */
export function EmbedChat({ requests, id }: { requests: FlowRequests; id: string }) {
  const { configuration } = useOpenFlow()
  const { chatbotConfig, isPublic } = useStore(configuration, ({ stored }) => stored)
  const allowedOrigins = textsOf(chatbotConfig.allowedOrigins)
  const flow = { origin: location.origin, id: requests.id, slug: requests.slug }
  const warnings = embedWarnings({
    needsKey: requests.key !== null,
    allowedOrigins,
    isLocal: ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname),
  })
  return (
    <div className={styles.columns}>
      <section className={styles.sample} aria-label="Chat on a page">
        {warnings.map((warning) => (
          <Note key={warning} kind="warning">
            {warning}
          </Note>
        ))}
        <Lines title="A button that opens a chat" text={widgetLines(flow)} />
        <Lines title="The chat page in a frame" text={frameLine(flow)} />
        <h2>Allowed sites</h2>
        {allowedOrigins.length === 0 ? (
          <p className={styles.quiet}>None is listed.</p>
        ) : (
          <ul className={styles.origins}>
            {allowedOrigins.map((origin) => (
              <li key={origin}>{origin}</li>
            ))}
          </ul>
        )}
        <p className={styles.quiet}>
          <Link to="/flows/$id/configuration" params={{ id }} hash="origins">
            Change the allowed sites
          </Link>
        </p>
        <h2>A page of its own</h2>
        <p>
          <a href={chatPageOf(flow)} target="_blank" rel="noopener">
            {chatPageOf(flow)}
          </a>
        </p>
        <p className={styles.quiet}>
          {isPublic && requests.key === null
            ? 'Everybody who can reach this server can open it.'
            : isPublic
              ? 'Only managers can open it, because the flow needs a key.'
              : 'Only managers can open it until it is switched on.'}{' '}
          <Link to="/flows/$id/configuration" params={{ id }} hash="chat">
            Chat page in Configuration
          </Link>
        </p>
      </section>
      <section className={styles.preview} aria-label="Preview">
        <h2>Preview</h2>
        <iframe src={`/chatbot/${encodeURIComponent(requests.slug)}`} title="Preview of the chat page" />
      </section>
    </div>
  )
}

function Lines({ title, text }: { title: string; text: string }) {
  return (
    <div className={styles.box}>
      <div className={styles.boxHead}>
        <h2>{title}</h2>
        <CopyButton text={text} />
      </div>
      <TextBox label={title}>{text}</TextBox>
    </div>
  )
}
