import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { FormField } from '../../forms/form-field.tsx'
import forms from '../../forms/forms.module.css'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/note.tsx'
import { useOpenedRow } from '../../parts/use-opened-row.ts'
import { messageOf } from '../../server/call.ts'
import {
  changeDocumentStore,
  createDocumentStore,
  type DocumentStore,
  getDocumentStore,
} from '../../server/document-stores.ts'

type StoreFormProps = {
  /** The store to rename; absent for a new one. */
  row?: DocumentStore
  onClose(): void
  onSaved?(store: DocumentStore): void
}

/** Makes a document store, or changes what it is called. */
export function StoreForm({ row, onClose, onSaved }: StoreFormProps) {
  const id = useId()
  const queries = useQueryClient()
  const [name, setName] = useState(row?.name ?? '')
  const [description, setDescription] = useState(row?.description ?? '')
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  // Loaders that others add make a new revision, and change nothing that this form shows.
  const newest = useOpenedRow(row, {
    read: ({ id: opened }) => getDocumentStore(opened),
    shown: (store) => [store.name, store.description],
  })

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const words = { name: name.trim(), description: description.trim() }
    try {
      const now = await newest()
      const saved = await (now ? changeDocumentStore(now, words) : createDocumentStore(words))
      await queries.invalidateQueries({ queryKey: ['document-stores'] })
      void queries.invalidateQueries({ queryKey: ['flows'] })
      onClose()
      onSaved?.(saved)
    } catch (error) {
      setRefused(messageOf(error))
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={row ? `Rename ${row.name}` : 'New document store'}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" form={`${id}-form`} disabled={busy || name.trim() === ''}>
            {row ? 'Save' : 'Make the store'}
          </Button>
        </>
      }
    >
      <form id={`${id}-form`} className={forms.form} onSubmit={(event) => void submit(event)}>
        {refused === undefined ? null : <Note kind="failure">{refused}</Note>}
        {row && row.whereUsed.length > 0 ? (
          <Note>Flows that use this store name it by its id: they go on finding it.</Note>
        ) : null}
        <FormField id={`${id}-name`} label="Name">
          <input
            id={`${id}-name`}
            className={forms.control}
            value={name}
            maxLength={255}
            onChange={(event) => setName(event.target.value)}
          />
        </FormField>
        <FormField id={`${id}-description`} label="What it contains">
          <textarea
            id={`${id}-description`}
            className={forms.control}
            rows={2}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        </FormField>
      </form>
    </Dialog>
  )
}
