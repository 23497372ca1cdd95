import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { EllipsisVertical, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { AskDeletion } from '../../parts/ask-deletion.tsx'
import { Button } from '../../parts/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import table from '../../parts/row-table.module.css'
import { complain, tell } from '../../parts/toast.tsx'
import { countText, numberText } from '../../parts/units.ts'
import { messageOf } from '../../server/call.ts'
import {
  deleteLoader,
  type DocumentStore,
  processLoader,
  type StoreLoader,
} from '../../server/document-stores.ts'
import { hasEnded, type Job } from '../../server/jobs.ts'
import { StateMark } from './state-mark.tsx'
import { loaderWords } from './store-words.ts'
import styles from './stores.module.css'

/** The loaders of a store, each with its state and what can be done with it. */
export function LoaderTable({ store, jobs }: { store: DocumentStore; jobs: readonly Job[] }) {
  const queries = useQueryClient()
  const [deleting, setDeleting] = useState<StoreLoader>()
  const process = ({ id, loaderName }: StoreLoader) =>
    void processLoader(store.id, id)
      .then(() => queries.invalidateQueries({ queryKey: ['jobs'] }))
      .catch((error: unknown) => complain(`${loaderName} does not load again`, messageOf(error)))
  return (
    <div className={table.frame}>
      <table className={table.table} aria-label="Loaders">
        <thead>
          <tr>
            <th scope="col">Loader</th>
            <th scope="col">Documents</th>
            <th scope="col" className={styles.number}>
              Chunks
            </th>
            <th scope="col">State</th>
            <th scope="col" aria-label="Actions" />
          </tr>
        </thead>
        <tbody>
          {store.loaders.map((loader) => (
            <tr key={loader.id}>
              <td className={table.name} title={loader.loaderName}>
                <Link
                  to="/document-stores/$store/chunks/$loader"
                  params={{ store: store.slug, loader: loader.id }}
                  search={{}}
                  className={styles.open}
                >
                  {loader.loaderName}
                </Link>
              </td>
              <td className={table.wide} title={loader.source}>
                {loader.source === 'None' ? <span className={table.quiet}>none</span> : loader.source}
              </td>
              <td className={styles.number}>{numberText(loader.totalChunks)}</td>
              <td>
                <StateMark {...loaderWords(loader, lastOf(jobs, loader))} />
              </td>
              <td className={table.actions}>
                <div>
                  <Menu
                    button={
                      <Button look="quiet" square aria-label={`Actions for ${loader.loaderName}`}>
                        <EllipsisVertical />
                      </Button>
                    }
                  >
                    <MenuItem icon={<RefreshCw />} onSelect={() => process(loader)}>
                      Load again
                    </MenuItem>
                    <MenuLine />
                    <MenuItem icon={<Trash2 />} danger onSelect={() => setDeleting(loader)}>
                      Delete
                    </MenuItem>
                  </Menu>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {deleting ? (
        <AskDeletion
          title={`Delete ${deleting.loaderName}?`}
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await deleteLoader(store.id, deleting.id)
            tell(`The loader ${deleting.loaderName} was deleted`)
            await queries.invalidateQueries({ queryKey: ['document-stores'] })
          }}
        >
          <p>
            Its {countText(deleting.documents, 'document')} with {countText(deleting.totalChunks, 'chunk')} go
            with it. They can be restored among the removed documents of the store.
          </p>
        </AskDeletion>
      ) : null}
    </div>
  )
}

/** The newest job of a loader, once it has ended. */
function lastOf(jobs: readonly Job[], { id }: StoreLoader): Job | undefined {
  const job = jobs.find(({ nodes }) => nodes.some((node) => node.id === id))
  return job && hasEnded(job) ? job : undefined
}
