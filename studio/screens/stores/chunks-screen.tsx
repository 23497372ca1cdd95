import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { AskDeletion } from '../../parts/ask-deletion.tsx'
import { Button } from '../../parts/button.tsx'
import { DocumentLink } from '../../parts/document-link.tsx'
import { EmptyList, ListScreen } from '../../parts/list-screen.tsx'
import { Note } from '../../parts/note.tsx'
import { Pager } from '../../parts/pager.tsx'
import { tell } from '../../parts/toast.tsx'
import { countText, numberText } from '../../parts/units.ts'
import {
  deleteStoreChunk,
  listChunkEdits,
  listStoreChunks,
  STORE_CHUNKS_PER_PAGE,
  type StoreChunk,
} from '../../server/document-stores.ts'
import { ChunkForm } from './chunk-form.tsx'
import { ChunkEdits } from './chunk-edits.tsx'
import { StoreState } from './store-failure.tsx'
import styles from './stores.module.css'

type Open = { what: 'change' | 'delete'; chunk: StoreChunk }

/** The chunks of a loader, or of all loaders of a store, and the edits that are kept aside. */
export function ChunksScreen() {
  const { store, loader } = useParams({ from: '/document-stores/$store/chunks/$loader' })
  const { page = 1 } = useSearch({ from: '/document-stores/$store/chunks/$loader' })
  const navigate = useNavigate({ from: '/document-stores/$store/chunks/$loader' })
  const queries = useQueryClient()
  const read = useQuery({
    queryKey: ['store-chunks', store, loader, page],
    queryFn: () => listStoreChunks(store, loader, page),
    placeholderData: keepPreviousData,
  })
  const { data } = read
  const edits = useQuery({
    queryKey: ['store-chunks', store, 'edits'],
    queryFn: () => listChunkEdits(store),
  })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const reload = () =>
    Promise.all(
      [['store-chunks'], ['document-stores'], ['chunks']].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    )
  return (
    <ListScreen
      title={data ? `Chunks of ${data.file?.loaderName ?? data.storeName}` : 'Chunks'}
      about={data ? `${countText(data.count, 'chunk')} in ${data.storeName}` : ''}
      actions={
        <Link to="/document-stores/$store" params={{ store }}>
          Back to the store
        </Link>
      }
    >
      <div className={styles.sections}>
        <StoreState of={read} />
        {data ? (
          <ChunkEdits
            store={store}
            edits={edits.data ?? []}
            error={edits.error}
            onAgain={edits.refetch}
            onChanged={reload}
          />
        ) : null}
        {data?.count === 0 ? (
          <EmptyList title="No chunks">
            <p>Nothing is loaded here yet, or all chunks were deleted.</p>
          </EmptyList>
        ) : null}
        {data && data.chunks.length > 0 ? (
          <ul className={styles.chunks} aria-label="Chunks">
            {data.chunks.map((chunk) => (
              <ChunkItem
                key={chunk.id}
                store={store}
                chunk={chunk}
                onOpen={(what) => setOpen({ what, chunk })}
              />
            ))}
          </ul>
        ) : null}
        <Pager
          page={page}
          limit={STORE_CHUNKS_PER_PAGE}
          total={data?.count ?? 0}
          of="chunks"
          onPage={(next) => void navigate({ search: next === 1 ? {} : { page: next } })}
        />
      </div>
      {open?.what === 'change' ? <ChunkForm chunk={open.chunk} onClose={close} onSaved={reload} /> : null}
      {open?.what === 'delete' ? (
        <AskDeletion
          title={`Delete chunk ${open.chunk.chunkNo} of ${open.chunk.source}?`}
          onClose={close}
          onConfirm={async () => {
            await deleteStoreChunk(open.chunk)
            tell(`Chunk ${open.chunk.chunkNo} of ${open.chunk.source} was deleted`)
            await reload()
          }}
        >
          <Note>
            It does not come back when its document is loaded again, unless the deletion is taken back in the
            list of edits.
          </Note>
        </AskDeletion>
      ) : null}
    </ListScreen>
  )
}

type ChunkItemProps = { store: string; chunk: StoreChunk; onOpen(what: Open['what']): void }

function ChunkItem({ store, chunk, onOpen }: ChunkItemProps) {
  const { id, source, chunkNo, pageContent, edited } = chunk
  const name = `chunk ${chunkNo} of ${source}`
  return (
    <li className={styles.chunk}>
      <div className={styles.chunkHead}>
        <strong>{numberText(chunkNo)}</strong>
        <DocumentLink flowId={store} source={source} chunk={id} className={styles.source}>
          {source}
        </DocumentLink>
        <span className={styles.quiet}>{countText(pageContent.length, 'character')}</span>
        {edited === null ? null : (
          <span className={styles.mark} data-tone="warning">
            edited
          </span>
        )}
        <span className={styles.gap} />
        <Button look="quiet" square aria-label={`Edit ${name}`} onClick={() => onOpen('change')}>
          <Pencil />
        </Button>
        <Button look="quiet" square aria-label={`Delete ${name}`} onClick={() => onOpen('delete')}>
          <Trash2 />
        </Button>
      </div>
      <p className={styles.text}>{pageContent}</p>
    </li>
  )
}
