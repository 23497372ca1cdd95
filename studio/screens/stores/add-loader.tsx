import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { FormField } from '../../forms/form-field.tsx'
import forms from '../../forms/forms.module.css'
import { Button } from '../../parts/button.tsx'
import type { ChosenFile } from '../../parts/chosen-files.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { DropArea } from '../../parts/drop-area.tsx'
import { Note } from '../../parts/note.tsx'
import { countText, sizeText } from '../../parts/units.ts'
import { messageOf, ServerFailure } from '../../server/call.ts'
import { addLoader, type DocumentStore } from '../../server/document-stores.ts'
import upsertStyles from '../../parts/upsert.module.css'
import styles from './stores.module.css'

const SHOWN_FILES = 100

/** Adds a loader to a store: files from here, or a text that is typed. It closes when all is sent; the store shows how it goes on. */
export function AddLoader({ store, onClose }: { store: DocumentStore; onClose(): void }) {
  const id = useId()
  const queries = useQueryClient()
  const [from, setFrom] = useState<'files' | 'text'>('files')
  const [files, setFiles] = useState<ChosenFile[]>([])
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const [sent, setSent] = useState<number>()
  const [refused, setRefused] = useState<string>()
  const sending = useRef<AbortController>(undefined)
  useEffect(() => () => sending.current?.abort(), [])
  const typed = name.trim()
  const isReady = from === 'files' ? files.length > 0 : typed !== '' && text.trim() !== ''

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isReady || sent !== undefined) return
    const controller = new AbortController()
    sending.current = controller
    setRefused(undefined)
    setSent(0)
    try {
      await addLoader({
        storeId: store.id,
        name: typed || usualName(files),
        files: from === 'files' ? files : [textFile(typed, text)],
        signal: controller.signal,
        onSent: setSent,
      })
      await Promise.all(
        [['document-stores'], ['jobs']].map((queryKey) => queries.invalidateQueries({ queryKey })),
      )
      onClose()
    } catch (error) {
      if (!(error instanceof ServerFailure && error.code === 'aborted')) setRefused(messageOf(error))
      setSent(undefined)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={`Add a loader to ${store.name}`}
      about="A loader brings documents into the store and loads them again when the store is refreshed."
      size="large"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="green" type="submit" form={`${id}-form`} disabled={!isReady || sent !== undefined}>
            {from === 'files' && files.length > 0 ? `Load ${countText(files.length, 'file')}` : 'Load'}
          </Button>
        </>
      }
    >
      <form id={`${id}-form`} className={forms.form} onSubmit={(event) => void submit(event)}>
        {refused === undefined ? null : <Note kind="failure">{refused}</Note>}
        <fieldset className={styles.choice}>
          <legend>What it loads</legend>
          {(['files', 'text'] as const).map((one) => (
            <label key={one}>
              <input type="radio" name={`${id}-from`} checked={from === one} onChange={() => setFrom(one)} />
              {one === 'files' ? 'Files' : 'A text'}
            </label>
          ))}
        </fieldset>
        <FormField
          id={`${id}-name`}
          label="Name"
          about={
            from === 'files'
              ? 'What the loader is called in the list of this store.'
              : 'The text becomes a document of this name.'
          }
        >
          <input
            id={`${id}-name`}
            className={forms.control}
            value={name}
            maxLength={200}
            placeholder={from === 'files' && files.length > 0 ? usualName(files) : undefined}
            onChange={(event) => setName(event.target.value)}
          />
        </FormField>
        {from === 'files' ? (
          <Files files={files} onChange={setFiles} />
        ) : (
          <FormField id={`${id}-text`} label="Text">
            <textarea
              id={`${id}-text`}
              className={`${forms.control} ${styles.long}`}
              rows={8}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </FormField>
        )}
        {sent === undefined ? null : (
          <div className={upsertStyles.progress}>
            <div className={upsertStyles.stage}>
              <strong>Sending</strong>
              <span>{Math.round(sent * 100)} %</span>
            </div>
            <progress className={upsertStyles.bar} aria-label="Sending" max={1} value={sent} />
          </div>
        )}
        <p className={styles.quiet}>
          Web pages, databases and other loaders are added on the{' '}
          <Link to="/flows/$id" params={{ id: store.slug }}>
            canvas of the store
          </Link>
          .
        </p>
      </form>
    </Dialog>
  )
}

/** The text as a file: the store keeps it, and its chunks and hits name it. */
const textFile = (name: string, text: string): ChosenFile => {
  const path = /\.(txt|md)$/i.test(name) ? name : `${name}.txt`
  return { file: new File([text], path, { type: 'text/plain' }), path }
}

const usualName = (files: readonly ChosenFile[]): string =>
  files.length === 1 ? files[0]!.path : countText(files.length, 'file')

function Files({ files, onChange }: { files: ChosenFile[]; onChange(files: ChosenFile[]): void }) {
  const chosen = (added: ChosenFile[]) =>
    onChange([...new Map([...files, ...added].map((one) => [one.path, one])).values()])
  return (
    <section className={upsertStyles.files} aria-label="Files">
      <DropArea label="Choose files, or drop files and folders here" multiple onFiles={chosen} />
      <ul className={upsertStyles.fileList}>
        {files.slice(0, SHOWN_FILES).map(({ file, path }) => (
          <li key={path} className={upsertStyles.file}>
            <span className={upsertStyles.fileName}>{path}</span>
            <span className={upsertStyles.quiet}>{sizeText(file.size)}</span>
            <Button
              look="quiet"
              square
              aria-label={`Remove ${path}`}
              onClick={() => onChange(files.filter((one) => one.path !== path))}
            >
              <X />
            </Button>
          </li>
        ))}
      </ul>
      {files.length > SHOWN_FILES ? (
        <p className={upsertStyles.quiet}>and {countText(files.length - SHOWN_FILES, 'file')} more</p>
      ) : null}
    </section>
  )
}
