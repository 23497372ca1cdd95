import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { FileUp, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useActions } from '../../actions/use-actions.ts'
import { AccountMenu } from '../../parts/account-menu.tsx'
import { Button } from '../../parts/button.tsx'
import { MainNav } from '../../parts/main-nav.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { TopBar } from '../../parts/top-bar.tsx'
import { countText } from '../../parts/units.ts'
import { type FlowSummary, listFlows } from '../../server/flows.ts'
import { DeleteFlow } from './delete-flow.tsx'
import { DeletedFlows } from './deleted-flows.tsx'
import { findFlows, type FlowSearch } from './find-flows.ts'
import styles from './flow-list.module.css'
import { FlowTable } from './flow-table.tsx'
import { ImportFlow } from './import-flow.tsx'
import { NewFlow } from './new-flow.tsx'
import { LoadState } from '../../parts/load-state.tsx'

/** All flows of the server, or those that were deleted. */
export function FlowList() {
  const search = useSearch({ from: '/flows' })
  const navigate = useNavigate({ from: '/flows' })
  const listed = useQuery({ queryKey: ['flows'], queryFn: listFlows })
  const flows = listed.data
  const [open, setOpen] = useState<'new' | 'import'>()
  const [deleting, setDeleting] = useState<FlowSummary>()
  const show = (next: FlowSearch) => void navigate({ search: next, replace: true })
  const found = findFlows(flows ?? [], search)
  useActions(() => [
    { id: 'new flow', label: 'New flow', group: 'Here', words: 'create template', run: () => setOpen('new') },
    { id: 'import flow', label: 'Import a flow', group: 'Here', run: () => setOpen('import') },
  ])

  return (
    <div className={styles.screen}>
      <TopBar actions={<AccountMenu />}>
        <MainNav />
      </TopBar>
      <main className={styles.main}>
        <div className={styles.head}>
          <h1>{search.deleted ? 'Deleted flows' : 'Flows'}</h1>
          {search.deleted ? (
            <Button onClick={() => show({})}>All flows</Button>
          ) : (
            <>
              {flows && flows.length > 0 ? (
                <SearchBox
                  label="Search flows"
                  value={search.q ?? ''}
                  onChange={(q) => {
                    const { q: _, ...rest } = search
                    show(q === '' ? rest : { ...rest, q })
                  }}
                />
              ) : null}
              <Button onClick={() => show({ deleted: true })}>
                <Trash2 aria-hidden="true" />
                Deleted
              </Button>
              <Button onClick={() => setOpen('import')}>
                <FileUp aria-hidden="true" />
                Import
              </Button>
              <Button look="main" onClick={() => setOpen('new')}>
                <Plus aria-hidden="true" />
                New flow
              </Button>
            </>
          )}
        </div>
        {search.deleted ? (
          <DeletedFlows />
        ) : (
          <>
            <LoadState of={listed} />
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
              <p className={styles.quiet}>
                No flow has “{search.q?.trim()}” in its name, slug or key.{' '}
                <button type="button" className={styles.textButton} onClick={() => show({})}>
                  Show all {countText(flows.length, 'flow')}
                </button>
              </p>
            ) : null}
            {found.length > 0 ? (
              <FlowTable flows={found} search={search} onSearch={show} onDelete={setDeleting} />
            ) : null}
          </>
        )}
      </main>
      {open === 'new' ? <NewFlow onClose={() => setOpen(undefined)} /> : null}
      {open === 'import' ? <ImportFlow onClose={() => setOpen(undefined)} /> : null}
      {deleting ? <DeleteFlow flow={deleting} onClose={() => setDeleting(undefined)} /> : null}
    </div>
  )
}
