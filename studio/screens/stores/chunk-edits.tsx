import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { AskDeletion } from '../../parts/ask-deletion.tsx'
import { Button } from '../../parts/button.tsx'
import { LoadFailure } from '../../parts/load-failure.tsx'
import { Note } from '../../parts/note.tsx'
import { tell } from '../../parts/toast.tsx'
import { agoText, countText } from '../../parts/units.ts'
import { type ChunkEdit, removeChunkEdit } from '../../server/document-stores.ts'
import styles from './stores.module.css'

type ChunkEditsProps = {
  store: string
  edits: readonly ChunkEdit[]
  error: unknown
  onAgain(): unknown
  onChanged(): Promise<unknown>
}

/** The edits of a store: those that are kept aside are told first, with both texts; the others open on request. */
export function ChunkEdits({ store, edits, error, onAgain, onChanged }: ChunkEditsProps) {
  const [removing, setRemoving] = useState<ChunkEdit>()
  const aside = edits.filter(({ setAside }) => setAside)
  const inEffect = edits.filter(({ setAside }) => !setAside)
  const list = (rows: readonly ChunkEdit[], label: string) => (
    <ul className={styles.chunks} aria-label={label}>
      {rows.map((edit) => (
        <EditItem key={edit.id} edit={edit} onRemove={() => setRemoving(edit)} />
      ))}
    </ul>
  )
  return (
    <>
      <LoadFailure error={error} onAgain={onAgain} what="The edits cannot be listed" />
      {aside.length > 0 ? (
        <section className={styles.section} aria-label="Edits kept aside">
          <h2>{countText(aside.length, 'edit')} kept aside</h2>
          <Note kind="warning">
            The documents no longer have the texts that were edited, so what they say now counts. An edit is
            in effect again when its text comes back.
          </Note>
          {list(aside, 'Edits kept aside')}
        </section>
      ) : null}
      {inEffect.length > 0 ? (
        <details className={styles.job}>
          <summary>{countText(inEffect.length, 'edit')} in effect</summary>
          {list(inEffect, 'Edits in effect')}
        </details>
      ) : null}
      {removing ? (
        <AskDeletion
          title={`Remove the edit of ${removing.source}?`}
          button="Remove the edit"
          onClose={() => setRemoving(undefined)}
          onConfirm={async () => {
            await removeChunkEdit(store, removing.id)
            tell('The edit was removed')
            await onChanged()
          }}
        >
          <p>
            {removing.setAside
              ? 'It changes nothing now, and is not in effect again when its text comes back.'
              : 'The text of the document comes back when it is loaded again.'}
          </p>
        </AskDeletion>
      ) : null}
    </>
  )
}

function EditItem({ edit, onRemove }: { edit: ChunkEdit; onRemove(): void }) {
  const { source, original, pageContent, editedAt } = edit
  return (
    <li className={styles.chunk}>
      <div className={styles.chunkHead}>
        <strong className={styles.source} title={source}>
          {source}
        </strong>
        <span className={styles.quiet}>{agoText(editedAt)}</span>
        <span className={styles.gap} />
        <Button look="quiet" aria-label={`Remove the edit of ${source}`} onClick={onRemove}>
          <Undo2 aria-hidden="true" />
          Remove
        </Button>
      </div>
      <dl className={styles.texts}>
        <div>
          <dt>The document had</dt>
          <dd>{original}</dd>
        </div>
        <div>
          <dt>The edit says</dt>
          <dd>{pageContent ?? <em>nothing: the chunk is deleted</em>}</dd>
        </div>
      </dl>
    </li>
  )
}
