import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { FileText, Trash2, Wrench } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { LoadState } from '../../../parts/load-state.tsx'
import { complain, tell } from '../../../parts/toast.tsx'
import { countText } from '../../../parts/units.ts'
import { messageOf } from '../../../server/call.ts'
import { isWithoutStore, listSources, removeSources, restoreSources } from '../../../server/documents.ts'
import { drawGraph } from '../../../drawing/graph.ts'
import { useEditorState } from '../editor.ts'
import { useOpenFlow } from '../open-flow.ts'
import { DocumentTable } from './document-table.tsx'
import styles from './documents.module.css'
import { FailedFiles, useFailedFiles } from './failed-files.tsx'
import { DOCUMENTS_PER_PAGE, type DocumentSearch, queryOf } from './find-documents.ts'
import { Pager } from './pager.tsx'
import { separateStore } from './separate-store.ts'
import { RepairDialog } from './repair-dialog.tsx'
import { SearchBox } from '../../../parts/search-box.tsx'

/** The documents of a flow; or those that were removed and can be restored. */
export function DocumentsTab() {
  const { id } = useParams({ from: '/flows/$id/documents' })
  const { flow } = useOpenFlow()
  const search = useSearch({ from: '/flows/$id/documents' })
  const navigate = useNavigate({ from: '/flows/$id/documents' })
  const show = (next: DocumentSearch) => void navigate({ search: next, replace: true })
  const listed = useQuery({
    queryKey: ['documents', id, queryOf(search)],
    queryFn: () => listSources(id, queryOf(search)),
    placeholderData: keepPreviousData,
  })
  const { data, error } = listed
  const queries = useQueryClient()
  const saved = useEditorState((state) => state.history.saved)
  const kinds = useEditorState((state) => state.kinds)
  const isSeparate = useMemo(() => separateStore(drawGraph(saved, kinds)) !== undefined, [saved, kinds])
  const [repairing, setRepairing] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { removed = false } = search
  const rows = data?.data ?? []
  const failed = useFailedFiles(id, search.search, 1).data?.total ?? 0
  const failures = removed ? 0 : failed
  const narrowed = search.search !== undefined || (search.page ?? 1) > 1
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: ['documents', id] })
    await queries.invalidateQueries({ queryKey: ['flows'] })
  }

  async function restore(sources: string[]): Promise<void> {
    try {
      const answer = await restoreSources(id, sources)
      if (answer.sources.length === 0)
        complain(
          `${sourcesText(sources)} cannot be restored`,
          'The time for it is over, or the same document was loaded again',
        )
      else tell(`${sourcesText(answer.sources)} restored`)
      setChosen(new Set())
    } catch (failure) {
      complain(`${sourcesText(sources)} cannot be restored`, messageOf(failure))
    }
    await refresh()
  }

  async function remove(sources: string[]): Promise<void> {
    try {
      const { numDeleted, restorableUntil } = await removeSources(id, sources)
      tell(
        `${sourcesText(sources)} removed, ${countText(numDeleted, 'chunk')}`,
        restorableUntil ? { label: 'Undo', onSelect: () => void restore(sources) } : undefined,
      )
      setChosen(new Set())
    } catch (failure) {
      complain(`${sourcesText(sources)} cannot be removed`, messageOf(failure))
    }
    await refresh()
  }

  return (
    <main className={styles.main}>
      <div className={styles.head}>
        <h2>{removed ? 'Removed documents' : 'Documents'}</h2>
        {data ? (
          <span className={styles.count} role="status">
            {countText(data.total, 'document')}
          </span>
        ) : null}
        <span className={styles.space} />
        <SearchBox
          label="Search documents"
          hint="Search by name"
          value={search.search ?? ''}
          onChange={(text) => {
            const { search: _, page: __, ...rest } = search
            show(text === '' ? rest : { ...rest, search: text })
          }}
        />
        {isSeparate && !removed ? (
          <Button onClick={() => setRepairing(true)}>
            <Wrench aria-hidden="true" />
            Check and repair
          </Button>
        ) : null}
        <Button onClick={() => show(removed ? {} : { removed: true })}>
          {removed ? <FileText aria-hidden="true" /> : <Trash2 aria-hidden="true" />}
          {removed ? 'All documents' : 'Removed'}
        </Button>
      </div>
      {repairing ? <RepairDialog flow={flow.id} onClose={() => setRepairing(false)} /> : null}
      {isWithoutStore(error) ? (
        <div className={styles.empty}>
          <FileText aria-hidden="true" />
          <h3>No vector store</h3>
          <p>Documents are loaded into a vector store. Put one on the canvas, and save the flow.</p>
        </div>
      ) : (
        <LoadState of={listed} />
      )}
      {chosen.size > 0 ? (
        <div className={styles.chosen} role="toolbar" aria-label="Selected documents">
          <span>{countText(chosen.size, 'document')} selected</span>
          {removed ? (
            <Button onClick={() => void restore([...chosen])}>Restore</Button>
          ) : (
            <Button look="danger" onClick={() => void remove([...chosen])}>
              <Trash2 aria-hidden="true" />
              Remove
            </Button>
          )}
          <Button look="quiet" onClick={() => setChosen(new Set())}>
            Clear
          </Button>
        </div>
      ) : null}
      {removed || isWithoutStore(error) ? null : <FailedFiles flow={id} search={search.search} />}
      {data && rows.length === 0 && !(failures > 0 && narrowed) ? (
        <Nothing removed={removed} narrowed={narrowed} />
      ) : null}
      {rows.length > 0 ? (
        <DocumentTable
          flow={id}
          rows={rows}
          search={search}
          chosen={chosen}
          onSearch={show}
          onChoose={setChosen}
          onRestore={removed ? (source) => void restore([source]) : undefined}
        />
      ) : null}
      <Pager
        label="Pages of documents"
        page={search.page ?? 1}
        pages={Math.ceil((data?.total ?? 0) / DOCUMENTS_PER_PAGE)}
        onPage={(page) => show({ ...search, page })}
      />
    </main>
  )
}

const sourcesText = (sources: readonly string[]): string =>
  sources.length === 1 ? sources[0]! : countText(sources.length, 'document')

function Nothing({ removed, narrowed }: { removed: boolean; narrowed: boolean }) {
  if (narrowed) return <p className={styles.quiet}>No document has this in its name.</p>
  return (
    <div className={styles.empty}>
      <FileText aria-hidden="true" />
      <h3>{removed ? 'No removed documents' : 'No documents yet'}</h3>
      <p>
        {removed
          ? 'Documents that are removed can be restored here for 30 days.'
          : 'Load some with the green Upsert button at the top right: it takes files by drop, and shows what becomes of each.'}
      </p>
    </div>
  )
}
