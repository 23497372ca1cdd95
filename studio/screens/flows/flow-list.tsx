import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Copy, Download, EllipsisVertical, FileUp, Plus, Search, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { AccountMenu } from '../../parts/account-menu.tsx'
import { Button } from '../../parts/button.tsx'
import { MainNav } from '../../parts/main-nav.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Note } from '../../parts/note.tsx'
import { TopBar } from '../../parts/top-bar.tsx'
import { agoText, countText } from '../../parts/units.ts'
import { messageOf } from '../../server/call.ts'
import { type Flow, listFlows } from '../../server/flows.ts'
import { DeleteFlow } from './delete-flow.tsx'
import styles from './flow-list.module.css'
import { useFlowActions } from './flow-actions.ts'
import { ImportFlow } from './import-flow.tsx'
import { NewFlow } from './new-flow.tsx'

/** All flows of the server. */
export function FlowList() {
  const { data: flows, error, isPending } = useQuery({ queryKey: ['flows'], queryFn: listFlows })
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<'new' | 'import'>()
  const [deleting, setDeleting] = useState<Flow>()
  const found = (flows ?? [])
    .filter(({ name, slug }) => `${name} ${slug}`.toLowerCase().includes(search.trim().toLowerCase()))
    .sort((a, b) => b.updatedDate.localeCompare(a.updatedDate))

  return (
    <div className={styles.screen}>
      <TopBar actions={<AccountMenu />}>
        <MainNav />
      </TopBar>
      <main className={styles.main}>
        <div className={styles.head}>
          <h1>Flows</h1>
          {flows && flows.length > 0 ? (
            <label className={styles.search}>
              <Search aria-hidden="true" />
              <input
                type="search"
                aria-label="Search flows"
                placeholder="Search"
                value={search}
                onChange={(event) => setSearch(event.target.value)}
              />
            </label>
          ) : null}
          <Button onClick={() => setOpen('import')}>
            <FileUp aria-hidden="true" />
            Import
          </Button>
          <Button look="main" onClick={() => setOpen('new')}>
            <Plus aria-hidden="true" />
            New flow
          </Button>
        </div>
        {error ? <Note kind="failure">{messageOf(error)}</Note> : null}
        {isPending ? <p className={styles.quiet}>Loading…</p> : null}
        {flows?.length === 0 ? (
          <div className={styles.empty}>
            <h2>No flows yet</h2>
            <p>A flow loads documents into a vector store, or answers questions about them.</p>
            <Button look="main" onClick={() => setOpen('new')}>
              <Plus aria-hidden="true" />
              New flow
            </Button>
          </div>
        ) : null}
        {flows && flows.length > 0 && found.length === 0 ? (
          <p className={styles.quiet}>No flow has “{search.trim()}” in its name.</p>
        ) : null}
        <ul className={styles.list} aria-label="Flows">
          {found.map((flow) => (
            <FlowRow key={flow.id} flow={flow} onDelete={() => setDeleting(flow)} />
          ))}
        </ul>
      </main>
      {open === 'new' ? <NewFlow onClose={() => setOpen(undefined)} /> : null}
      {open === 'import' ? <ImportFlow onClose={() => setOpen(undefined)} /> : null}
      {deleting ? <DeleteFlow flow={deleting} onClose={() => setDeleting(undefined)} /> : null}
    </div>
  )
}

function FlowRow({ flow, onDelete }: { flow: Flow; onDelete(): void }) {
  const { duplicate, download } = useFlowActions()
  return (
    <li className={styles.row}>
      <Link className={styles.link} to="/flows/$id" params={{ id: flow.slug }}>
        <span className={styles.name}>{flow.name}</span>
        <span className={styles.facts}>
          <span className={styles.kind}>{flow.type === 'AGENTFLOW' ? 'Agent flow' : 'Chat flow'}</span>
          <span>{countText(nodeCount(flow.flowData), 'node')}</span>
          <span>changed {agoText(flow.updatedDate)}</span>
          {flow.apikeyid === null ? null : <span>closed by a key</span>}
        </span>
      </Link>
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
    </li>
  )
}

function nodeCount(flowData: string): number {
  try {
    const { nodes } = JSON.parse(flowData) as { nodes?: unknown[] }
    return nodes?.length ?? 0
  } catch {
    return 0
  }
}
