import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react'
import type { UsedTool } from '../server/chat.ts'
import { TextBlock } from './text-block.tsx'
import styles from './tool-calls.module.css'
import { millisecondsText, sizeText } from './units.ts'
import work from './work-list.module.css'

type Exchange = NonNullable<NonNullable<UsedTool['trace']>['http']>[number]

/** Tool calls in order; each opens to what was sent and what came back. */
export function ToolCalls({ calls }: { calls: readonly (UsedTool & { pending?: boolean })[] }) {
  if (calls.length === 0) return null
  return (
    <ul className={work.list} aria-label="Tool calls">
      {calls.map((call, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls are only added at the end
        <li key={at}>
          <ToolCallView call={call} />
        </li>
      ))}
    </ul>
  )
}

function ToolCallView({ call }: { call: UsedTool & { pending?: boolean } }) {
  const { tool, toolInput, toolOutput, error, trace, pending } = call
  const http = trace?.http ?? []
  const [first] = http
  const state = pending ? 'running' : error === undefined ? 'done' : 'failed'
  return (
    <details className={work.item} data-state={state}>
      <summary className={work.line}>
        <StateIcon state={state} />
        <span className={`${work.name} ${styles.tool}`}>{tool}</span>
        {first ? (
          <span className={styles.address} title={first.address}>
            {first.method} {first.address}
          </span>
        ) : null}
        {first ? <Status exchange={first} /> : null}
        <span className={`${work.fact} ${styles.time}`}>
          {pending ? 'running…' : trace?.ms === undefined ? '' : millisecondsText(trace.ms)}
        </span>
      </summary>
      <div className={work.body}>
        <TextBlock label="Input from the model" value={toolInput} />
        {http.map((exchange, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
          <ExchangeView key={at} exchange={exchange} />
        ))}
        {pending ? null : <TextBlock label="Output to the model" value={toolOutput} />}
      </div>
    </details>
  )
}

const ICONS = { running: LoaderCircle, done: CircleCheck, failed: CircleAlert }
const WORDS = { running: 'running', done: 'succeeded', failed: 'failed' }

function StateIcon({ state }: { state: keyof typeof ICONS }) {
  const Icon = ICONS[state]
  return <Icon className={work.icon} role="img" aria-label={WORDS[state]} />
}

const Status = ({ exchange: { status } }: { exchange: Exchange }) => (
  <span className={styles.status} data-bad={status === null || status >= 400}>
    {status ?? 'no answer'}
  </span>
)

/** One HTTP call: its request, and the answer or why there is none. */
function ExchangeView({ exchange }: { exchange: Exchange }) {
  const { method, address, status, error, ms, bytes, complete, request, response } = exchange
  return (
    <section className={styles.exchange} aria-label={`${method} ${address}`}>
      <p className={styles.line}>
        <strong>{method}</strong> <span className={styles.whole}>{address}</span>
      </p>
      <TextBlock label="Request headers" value={headerText(request.headers)} />
      <TextBlock label="Request body" value={request.body} />
      <p className={styles.line}>
        {status === null ? (
          <span className={work.problem}>No answer: {error}</span>
        ) : (
          <>
            <Status exchange={exchange} /> {millisecondsText(ms)}, {complete ? '' : 'more than '}
            {sizeText(bytes)}
          </>
        )}
      </p>
      <TextBlock label="Response headers" value={headerText(response?.headers ?? {})} />
      <TextBlock label="Response body" value={response?.body} />
    </section>
  )
}

/** A line for each header. */
export const headerText = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
