import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { EllipsisVertical, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { EmptyList, ListScreen } from '../../parts/list-screen.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import table from '../../parts/row-table.module.css'
import { useFirstRows } from '../../parts/show-more.tsx'
import { numberText } from '../../parts/units.ts'
import { UsedBy } from '../../parts/used-by.tsx'
import { type DocumentStore, listDocumentStores } from '../../server/document-stores.ts'
import { DeleteStore, usesOfStore } from './delete-store.tsx'
import { StateMark } from './state-mark.tsx'
import { StoreState } from './store-failure.tsx'
import { StoreForm } from './store-form.tsx'
import { storeWords } from './store-words.ts'
import styles from './stores.module.css'

type Open = { what: 'new' } | { what: 'rename' | 'delete'; row: DocumentStore }

/** How often the list is read again while a store loads, in milliseconds. */
const WATCH_MS = 2000

/** The document stores of the server. */
export function StoreList() {
  const { search = '' } = useSearch({ from: '/document-stores' })
  const navigate = useNavigate({ from: '/document-stores' })
  const listed = useQuery({
    queryKey: ['document-stores'],
    queryFn: listDocumentStores,
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'UPSERTING') ? WATCH_MS : false,
  })
  const rows = listed.data
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const wanted = search.trim().toLowerCase()
  const found = (rows ?? []).filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(wanted),
  )
  const { shown, more } = useFirstRows(found)
  const newStore = (
    <Button look="main" onClick={() => setOpen({ what: 'new' })}>
      <Plus aria-hidden="true" />
      New document store
    </Button>
  )
  return (
    <ListScreen
      title="Document stores"
      about="Documents that several flows search, loaded and kept up to date in one place."
      search={
        rows && rows.length > 0
          ? {
              label: 'Search document stores',
              value: search,
              onChange: (text) =>
                void navigate({ to: '.', search: text ? { search: text } : {}, replace: true }),
            }
          : undefined
      }
      actions={listed.error ? null : newStore}
    >
      <StoreState of={listed} />
      {rows?.length === 0 ? (
        <EmptyList title="No document stores yet">
          <p>
            A document store holds documents as chunks that agents and other flows search. It is a flow with
            loaders, embeddings and a vector store. Make one, then add files or a text to it.
          </p>
          {newStore}
        </EmptyList>
      ) : null}
      {rows && rows.length > 0 && found.length === 0 ? (
        <p className={table.quiet}>No document store has “{search.trim()}” in its name or description.</p>
      ) : null}
      {found.length > 0 ? (
        <div className={table.frame}>
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col" className={styles.number}>
                  Loaders
                </th>
                <th scope="col" className={styles.number}>
                  Chunks
                </th>
                <th scope="col">Status</th>
                <th scope="col">Used by</th>
                <th scope="col" aria-label="Actions" />
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <StoreRow key={row.id} row={row} onOpen={(what) => setOpen({ what, row })} />
              ))}
            </tbody>
          </table>
          {more}
        </div>
      ) : null}
      {open?.what === 'new' ? (
        <StoreForm
          onClose={close}
          onSaved={({ slug }) => void navigate({ to: '/document-stores/$store', params: { store: slug } })}
        />
      ) : null}
      {open?.what === 'rename' ? <StoreForm row={open.row} onClose={close} /> : null}
      {open?.what === 'delete' ? <DeleteStore row={open.row} onClose={close} /> : null}
    </ListScreen>
  )
}

function StoreRow({ row, onOpen }: { row: DocumentStore; onOpen(what: 'rename' | 'delete'): void }) {
  return (
    <tr>
      <td
        className={table.name}
        title={row.description === '' ? row.name : `${row.name}: ${row.description}`}
      >
        <Link to="/document-stores/$store" params={{ store: row.slug }} className={styles.open}>
          {row.name}
        </Link>
      </td>
      <td className={styles.number}>{numberText(row.loaders.length)}</td>
      <td className={styles.number}>{numberText(row.totalChunks)}</td>
      <td>
        <StateMark {...storeWords(row)} />
      </td>
      <td className={table.wide}>
        <UsedBy flows={usesOfStore(row)} />
      </td>
      <td className={table.actions}>
        <div>
          <Menu
            button={
              <Button look="quiet" square aria-label={`Actions for ${row.name}`}>
                <EllipsisVertical />
              </Button>
            }
          >
            <MenuItem icon={<Pencil />} onSelect={() => onOpen('rename')}>
              Rename
            </MenuItem>
            <MenuLine />
            <MenuItem icon={<Trash2 />} danger onSelect={() => onOpen('delete')}>
              Delete
            </MenuItem>
          </Menu>
        </div>
      </td>
    </tr>
  )
}
