import { Link } from '@tanstack/react-router'
import {
  ArrowDown,
  ArrowUp,
  CircleCheck,
  CircleX,
  Copy,
  Download,
  EllipsisVertical,
  KeyRound,
  LoaderCircle,
  LockOpen,
  Trash2,
  TriangleAlert,
} from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { NotLoaded } from '../../parts/not-loaded.tsx'
import { agoText, countText, momentText, numberText } from '../../parts/units.ts'
import { type FlowSummary, NO_KEY_YET } from '../../server/flows.ts'
import { type FlowSearch, type FlowSort, sortedBy, startsUp } from './find-flows.ts'
import { useFlowActions } from './flow-actions.ts'
import styles from './flow-table.module.css'

/** How many rows are drawn at first, and how many more at the end of the list. */
const ROWS = 100

const COLUMNS: { sort: FlowSort; title: string; right?: true; wide?: true }[] = [
  { sort: 'name', title: 'Name' },
  { sort: 'documents', title: 'Documents', right: true, wide: true },
  { sort: 'chunks', title: 'Chunks', right: true },
  { sort: 'upsert', title: 'Last upsert' },
  { sort: 'problems', title: 'Problems' },
  { sort: 'changed', title: 'Changed', wide: true },
]

type FlowTableProps = {
  flows: FlowSummary[]
  search: FlowSearch
  onSearch(search: FlowSearch): void
  onDelete(flow: FlowSummary): void
}

/** The flows as a table that is sorted by its heads. Rows are added while it is scrolled. */
export function FlowTable({ flows, search, onSearch, onDelete }: FlowTableProps) {
  const [shown, setShown] = useState(ROWS)
  const end = useRef<HTMLDivElement>(null)
  const more = flows.length > shown
  useEffect(() => {
    if (!more || !end.current) return
    const watcher = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) setShown((count) => count + ROWS)
    })
    watcher.observe(end.current)
    return () => watcher.disconnect()
  }, [more])
  const { sort = 'changed', up = startsUp(sort) } = search
  return (
    <>
      <table className={styles.table} aria-label="Flows">
        <thead>
          <tr>
            {COLUMNS.map(({ sort: column, title, right, wide }) => (
              <th
                key={column}
                scope="col"
                data-right={right}
                data-wide={wide}
                aria-sort={sort === column ? (up ? 'ascending' : 'descending') : 'none'}
              >
                <button type="button" onClick={() => onSearch(sortedBy(search, column))}>
                  {title}
                  {sort === column ? (
                    up ? (
                      <ArrowUp aria-hidden="true" />
                    ) : (
                      <ArrowDown aria-hidden="true" />
                    )
                  ) : null}
                </button>
              </th>
            ))}
            <th scope="col">
              <span className={styles.plainHead}>Access</span>
            </th>
            <th scope="col" aria-label="Actions" />
          </tr>
        </thead>
        <tbody>
          {flows.slice(0, shown).map((flow) => (
            <FlowRow key={flow.id} flow={flow} onDelete={() => onDelete(flow)} />
          ))}
        </tbody>
      </table>
      {more ? <div ref={end} className={styles.end} /> : null}
      <p className={styles.count} role="status">
        {countText(flows.length, 'flow')}
      </p>
    </>
  )
}

function FlowRow({ flow, onDelete }: { flow: FlowSummary; onDelete(): void }) {
  const { duplicate, download } = useFlowActions()
  return (
    <tr>
      <th scope="row" className={styles.nameCell}>
        <Link className={styles.name} to="/flows/$id" params={{ id: flow.slug }} title={flow.name}>
          {flow.name}
        </Link>
        <span className={styles.about} title={flow.slug}>
          {flow.type === 'AGENTFLOW' ? 'Agent flow' : 'Chat flow'} · {flow.slug}
        </span>
      </th>
      <td data-right="true" data-wide="true">
        {flow.documents === 0 ? <Nothing /> : numberText(flow.documents)}
      </td>
      <td data-right="true">{flow.chunks === 0 ? <Nothing /> : numberText(flow.chunks)}</td>
      <td>
        <LastUpsert last={flow.lastUpsert} slug={flow.slug} />
      </td>
      <td>
        {flow.problemCount === 0 ? (
          <Nothing label="No problems" />
        ) : (
          <Link
            to="/flows/$id"
            params={{ id: flow.slug }}
            className={styles.problems}
            title={flow.problem ?? undefined}
          >
            <TriangleAlert aria-hidden="true" />
            {countText(flow.problemCount, 'problem')}
          </Link>
        )}
      </td>
      <td data-wide="true">
        <span title={momentText(flow.updatedDate)}>{agoText(flow.updatedDate)}</span>
      </td>
      <td>
        {flow.key === null ? (
          <span className={styles.access} title="Callers need no key">
            <LockOpen aria-hidden="true" />
            open
          </span>
        ) : (
          <span className={styles.access} title={keyTitle(flow.key)}>
            <KeyRound aria-hidden="true" />
            <span className={styles.keyName}>
              {flow.key.name ?? (flow.key.id === NO_KEY_YET ? 'closed' : 'deleted key')}
            </span>
          </span>
        )}
      </td>
      <td>
        <Menu
          button={
            <Button look="quiet" square aria-label={`Actions for ${flow.name}`}>
              <EllipsisVertical />
            </Button>
          }
        >
          <MenuItem icon={<Copy />} onSelect={() => void duplicate(flow)}>
            Duplicate
          </MenuItem>
          <MenuItem icon={<Download />} onSelect={() => void download(flow)}>
            Export
          </MenuItem>
          <MenuLine />
          <MenuItem icon={<Trash2 />} danger onSelect={onDelete}>
            Delete
          </MenuItem>
        </Menu>
      </td>
    </tr>
  )
}

function keyTitle({ id, name }: NonNullable<FlowSummary['key']>): string {
  if (name !== null) return `Callers need the key ${name}`
  const why =
    id === NO_KEY_YET ? 'until you choose a key in its configuration' : 'because its key was deleted'
  return `Closed to all but managers, ${why}`
}

const Nothing = ({ label }: { label?: string }) => (
  <span className={styles.nothing}>
    <span aria-hidden={label !== undefined}>–</span>
    {label === undefined ? null : <span className={styles.spoken}>{label}</span>}
  </span>
)

const STATES = {
  queued: { icon: LoaderCircle, look: styles.running, word: 'queued' },
  running: { icon: LoaderCircle, look: styles.running, word: 'running' },
  done: { icon: CircleCheck, look: styles.good, word: '' },
  failed: { icon: CircleX, look: styles.bad, word: 'failed' },
  cancelled: { icon: CircleX, look: styles.nothing, word: 'cancelled' },
}

function LastUpsert({ last, slug }: { last: FlowSummary['lastUpsert']; slug: string }) {
  if (last === null) return <Nothing label="Never" />
  if (last.state === 'done' && last.failed + last.empty > 0) {
    const told = (
      <>
        {last.failed > 0 ? null : <CircleCheck aria-hidden="true" className={styles.good} />}
        <NotLoaded failed={last.failed} empty={last.empty} />
      </>
    )
    const files = last.failed > 0 ? 'failed' : 'empty'
    const facts = { className: styles.upsert, title: `${agoText(last.at)}, ${momentText(last.at)}` }
    // The job of an old upsert is not kept; failed files stay in the list of documents.
    return last.jobId === null ? (
      <Link to="/flows/$id/documents" params={{ id: slug }} search={{}} {...facts}>
        {told}
      </Link>
    ) : (
      <Link to="/flows/$id/history" params={{ id: slug }} search={{ record: last.jobId, files }} {...facts}>
        {told}
      </Link>
    )
  }
  const { icon: Icon, look, word } = STATES[last.state]
  const reason = last.error ? `: ${last.error.message}` : ''
  return (
    <span className={styles.upsert} title={`${momentText(last.at)}${reason}`}>
      <Icon aria-hidden="true" className={look} />
      {word === '' ? agoText(last.at) : `${word} ${agoText(last.at)}`}
    </span>
  )
}
