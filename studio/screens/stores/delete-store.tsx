import { useQueryClient } from '@tanstack/react-query'
import { AskDeletion } from '../../parts/ask-deletion.tsx'
import { Note } from '../../parts/note.tsx'
import { tell } from '../../parts/toast.tsx'
import { countText } from '../../parts/units.ts'
import { UseList } from '../../parts/used-by.tsx'
import { deleteDocumentStore, type DocumentStore } from '../../server/document-stores.ts'

/** The flows that name a store, as lists of uses show them. */
export const usesOfStore = ({ whereUsed }: Pick<DocumentStore, 'whereUsed'>) =>
  whereUsed.map(({ id, name }) => ({ id, slug: id, name, nodes: [] }))

type DeleteStoreProps = { row: DocumentStore; onClose(): void; onDeleted?(): void }

/** Asks before a document store is deleted, and says who uses it. */
export function DeleteStore({ row, onClose, onDeleted }: DeleteStoreProps) {
  const queries = useQueryClient()
  return (
    <AskDeletion
      title={`Delete ${row.name}?`}
      onClose={onClose}
      onConfirm={async () => {
        await deleteDocumentStore(row.id)
        tell(`The document store ${row.name} was deleted`)
        onDeleted?.()
        await queries.invalidateQueries({ queryKey: ['document-stores'] })
        await queries.invalidateQueries({ queryKey: ['flows'] })
      }}
    >
      {row.whereUsed.length > 0 ? (
        <Note kind="warning">
          <p>These flows use it. They find nothing in it any more:</p>
          <UseList flows={usesOfStore(row)} />
        </Note>
      ) : (
        <p>No other flow uses it.</p>
      )}
      <p>
        Its {countText(row.totalChunks, 'chunk')} go with it. For thirty days it can be restored among the
        deleted flows.
      </p>
    </AskDeletion>
  )
}
