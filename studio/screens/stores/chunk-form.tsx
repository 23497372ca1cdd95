import { type FormEvent, useId, useState } from 'react'
import { FormField } from '../../forms/form-field.tsx'
import forms from '../../forms/forms.module.css'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/note.tsx'
import { messageOf } from '../../server/call.ts'
import { changeStoreChunk, type StoreChunk } from '../../server/document-stores.ts'
import styles from './stores.module.css'

type ChunkFormProps = { chunk: StoreChunk; onClose(): void; onSaved(): Promise<unknown> }

/** Changes the text of a chunk. */
export function ChunkForm({ chunk, onClose, onSaved }: ChunkFormProps) {
  const id = useId()
  const [text, setText] = useState(chunk.pageContent)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const isReady = text.trim() !== '' && text !== chunk.pageContent

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isReady) return
    setBusy(true)
    try {
      await changeStoreChunk(chunk, text)
      await onSaved()
      onClose()
    } catch (error) {
      setRefused(messageOf(error))
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={`Edit chunk ${chunk.chunkNo} of ${chunk.source}`}
      about="It is embedded again, and stays as you write it when its document is loaded again."
      size="large"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" form={`${id}-form`} disabled={busy || !isReady}>
            Save the chunk
          </Button>
        </>
      }
    >
      <form id={`${id}-form`} className={forms.form} onSubmit={(event) => void submit(event)}>
        {refused === undefined ? null : <Note kind="failure">{refused}</Note>}
        <FormField id={`${id}-text`} label="Text">
          <textarea
            id={`${id}-text`}
            className={`${forms.control} ${styles.long}`}
            rows={8}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </FormField>
      </form>
    </Dialog>
  )
}
