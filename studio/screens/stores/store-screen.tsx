import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { EllipsisVertical, Pencil, Plus, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { EmptyList, ListScreen } from '../../parts/list-screen.tsx'
import { LoadFailure } from '../../parts/load-failure.tsx'
import type { LoadStateProps } from '../../parts/load-state.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Note } from '../../parts/note.tsx'
import { complain } from '../../parts/toast.tsx'
import { countText } from '../../parts/units.ts'
import { UseList } from '../../parts/used-by.tsx'
import { messageOf } from '../../server/call.ts'
import { type DocumentStore, getDocumentStore, refreshDocumentStore } from '../../server/document-stores.ts'
import { AddLoader } from './add-loader.tsx'
import { DeleteStore, usesOfStore } from './delete-store.tsx'
import { LoaderTable } from './loader-table.tsx'
import { StateMark } from './state-mark.tsx'
import { StoreState } from './store-failure.tsx'
import { StoreForm } from './store-form.tsx'
import { StoreJobs, useStoreJobs } from './store-jobs.tsx'
import { StoreQuery } from './store-query.tsx'
import { storeWords } from './store-words.ts'
import styles from './stores.module.css'

/** One document store: its loaders, what they load, and questions to it. */
export function StoreScreen() {
  const { store: id } = useParams({ from: '/document-stores/$store' })
  const read = useQuery({ queryKey: ['document-stores', id], queryFn: () => getDocumentStore(id) })
  if (read.data) return <OpenStore key={read.data.id} store={read.data} read={read} />
  return (
    <ListScreen title="Document store" about="" actions={<AllStores />}>
      <StoreState of={read} />
    </ListScreen>
  )
}

const AllStores = () => <Link to="/document-stores">All document stores</Link>

type OpenStoreProps = { store: DocumentStore; read: LoadStateProps['of'] }

function OpenStore({ store, read }: OpenStoreProps) {
  const { search = '' } = useSearch({ from: '/document-stores/$store' })
  const navigate = useNavigate({ from: '/document-stores/$store' })
  const queries = useQueryClient()
  const { jobs, ...listed } = useStoreJobs(store.id)
  const [open, setOpen] = useState<'loader' | 'rename' | 'delete'>()
  const close = () => setOpen(undefined)
  const refresh = () =>
    void refreshDocumentStore(store.id)
      .then(() => queries.invalidateQueries({ queryKey: ['jobs'] }))
      .catch((failure: unknown) => complain('The store was not refreshed', messageOf(failure)))
  const add = (
    <Button look="main" onClick={() => setOpen('loader')}>
      <Plus aria-hidden="true" />
      Add a loader
    </Button>
  )
  return (
    <ListScreen
      title={store.name}
      about={store.description}
      actions={
        <>
          <AllStores />
          {store.loaders.length > 0 ? (
            <Button title="Loads again with all loaders; nothing is there twice" onClick={refresh}>
              <RefreshCw aria-hidden="true" />
              Refresh all
            </Button>
          ) : null}
          {add}
          <Menu
            button={
              <Button look="quiet" square aria-label={`Actions for ${store.name}`}>
                <EllipsisVertical />
              </Button>
            }
          >
            <MenuItem icon={<Pencil />} onSelect={() => setOpen('rename')}>
              Rename
            </MenuItem>
            <MenuLine />
            <MenuItem icon={<Trash2 />} danger onSelect={() => setOpen('delete')}>
              Delete
            </MenuItem>
          </Menu>
        </>
      }
    >
      <div className={styles.sections}>
        <StoreState of={read} />
        <Facts store={store} />
        <LoadFailure error={listed.error} onAgain={listed.refetch} what="The loads cannot be listed" />
        <StoreJobs store={store} jobs={jobs} />
        <section className={styles.section} aria-label="Loaders of the store">
          <h2>Loaders</h2>
          {store.loaders.length === 0 ? (
            <EmptyList title="No loaders yet">
              <p>
                A loader brings documents: files from here, or a text that you type. They are cut into chunks,
                embedded, and can be searched at once.
              </p>
              {add}
            </EmptyList>
          ) : (
            <LoaderTable store={store} jobs={jobs} />
          )}
        </section>
        {store.totalChunks > 0 ? (
          <StoreQuery
            store={store}
            question={search}
            onAsk={(text) => void navigate({ search: text === '' ? {} : { search: text } })}
          />
        ) : null}
      </div>
      {open === 'loader' ? <AddLoader store={store} onClose={close} /> : null}
      {open === 'rename' ? <StoreForm row={store} onClose={close} /> : null}
      {open === 'delete' ? (
        <DeleteStore
          row={store}
          onClose={close}
          onDeleted={() => void navigate({ to: '/document-stores' })}
        />
      ) : null}
    </ListScreen>
  )
}

/** How the store stands, where it is used, and the parts of its flow. */
function Facts({ store }: { store: DocumentStore }) {
  const uses = usesOfStore(store)
  const flow = { id: store.slug }
  return (
    <section className={styles.section} aria-label="About the store">
      <div className={styles.facts}>
        <StateMark {...storeWords(store)} />
        <Link
          to="/document-stores/$store/chunks/$loader"
          params={{ store: store.slug, loader: 'all' }}
          search={{}}
        >
          {countText(store.totalChunks, 'chunk')}
        </Link>
        <span>{countText(store.totalChars, 'character')}</span>
        <nav className={styles.links} aria-label="The flow of the store">
          <span className={styles.quiet}>Its flow:</span>
          <Link to="/flows/$id" params={flow}>
            Canvas
          </Link>
          <Link to="/flows/$id/documents" params={flow} search={{}}>
            Documents
          </Link>
          <Link to="/flows/$id/history" params={flow} search={{}}>
            History
          </Link>
          <Link to="/flows/$id/api" params={flow} search={{}}>
            API
          </Link>
        </nav>
      </div>
      {store.setAside > 0 ? (
        <Note kind="warning">
          {countText(store.setAside, 'edit')} of chunks kept aside, because the documents changed there.{' '}
          <Link
            to="/document-stores/$store/chunks/$loader"
            params={{ store: store.slug, loader: 'all' }}
            search={{}}
          >
            Show both texts
          </Link>
        </Note>
      ) : null}
      {uses.length > 0 ? (
        <Note>
          <p>Used by:</p>
          <UseList flows={uses} />
        </Note>
      ) : null}
    </section>
  )
}
