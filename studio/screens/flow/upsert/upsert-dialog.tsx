import { useQuery } from '@tanstack/react-query'
import { FileText, X } from 'lucide-react'
import { type RefObject, useMemo, useRef, useState } from 'react'
import { drawGraph } from '../../../drawing/graph.ts'
import { isDirty } from '../../../drawing/history.ts'
import { FormField } from '../../../forms/form-field.tsx'
import forms from '../../../forms/forms.module.css'
import { Button } from '../../../parts/button.tsx'
import type { ChosenFile } from '../../../parts/chosen-files.ts'
import { Dialog } from '../../../parts/dialog.tsx'
import { DropArea } from '../../../parts/drop-area.tsx'
import { Note } from '../../../parts/note.tsx'
import { countText, sizeText } from '../../../parts/units.ts'
import { type Flow, getFlowSettings } from '../../../server/flows.ts'
import { hasEnded } from '../../../server/jobs.ts'
import { useEditorState } from '../editor.ts'
import { OldLoadsNote } from '../old-loads/old-loads-note.tsx'
import type { SaveFlow } from '../save-flow.ts'
import { ParticipatingNodes } from './participating-nodes.tsx'
import { pickerEndings, reasonToWait, storesToLoad } from './participants.ts'
import { UpsertProgress } from './upsert-progress.tsx'
import { UpsertRecordView } from './upsert-record.tsx'
import { Preview } from './preview.tsx'
import { ServerAway } from '../../../parts/server-away.tsx'
import { type UpsertDialogStart, useUpserting } from './upserting.tsx'
import styles from '../../../parts/upsert.module.css'

type UpsertDialogProps = { flow: Flow; saving: SaveFlow; start: UpsertDialogStart; onClose(): void }

/** What is loaded and with which settings; then how far it is; then what came of it. */
export function UpsertDialog({ flow, saving, start, onClose }: UpsertDialogProps) {
  const { upsert, preview, files } = useUpserting()
  const { job, sent } = upsert
  const running = sent !== undefined || (job !== undefined && !hasEnded(job))
  // The record of an upsert that ran before is shown on request.
  const [asked, setAsked] = useState(start === 'record')
  const [seen, setSeen] = useState(() => (job && hasEnded(job) ? job.id : undefined))
  const isNew = job !== undefined && job.id !== seen && job.id !== upsert.earlier
  if (running) return <UpsertProgress flow={flow} followed={upsert} onClose={onClose} />
  if (preview.sent !== undefined || (preview.job && !hasEnded(preview.job)))
    return <UpsertProgress flow={flow} followed={preview} isPreview onClose={onClose} />
  if (preview.job)
    return (
      <Preview
        flow={flow}
        job={preview.job}
        request={preview.request}
        onBack={preview.clear}
        onUpsert={async () => {
          const { stopNodeId, refresh, draft } = preview.request ?? { stopNodeId: undefined }
          if (refresh && draft && !(await saving.publish())) return
          preview.clear()
          void upsert.start({ files: refresh ? [] : files, stopNodeId, ...(refresh ? { refresh } : {}) })
        }}
        onClose={onClose}
      />
    )
  if (job !== undefined && (asked || isNew)) {
    const again = () => {
      setAsked(false)
      setSeen(job.id)
    }
    return <UpsertRecordView flow={flow} job={job} onAgain={again} onClose={onClose} />
  }
  return (
    <Prepare
      flow={flow}
      saving={saving}
      onClose={onClose}
      onShowLast={job === undefined ? undefined : () => setAsked(true)}
      onPreview={(stopNodeId, flowData) => {
        const draft = flowData === undefined && saving.draft.state.draft !== null
        void preview.start({ files, stopNodeId, flowData, draft })
      }}
    />
  )
}

type PrepareProps = Omit<UpsertDialogProps, 'start'> & {
  onShowLast: (() => void) | undefined
  /** @param flowData the drawing, where it has changes that are not saved */
  onPreview(stopNodeId: string | undefined, flowData: string | undefined): void
}

function Prepare({ flow, saving, onClose, onShowLast, onPreview }: PrepareProps) {
  const { upsert, preview, files, setFiles } = useUpserting()
  const history = useEditorState((state) => state.history)
  const kinds = useEditorState((state) => state.kinds)
  const dirty = isDirty(history)
  // The server loads by the flow that it has stored; a preview uses what is drawn now.
  const stores = useMemo(() => storesToLoad(drawGraph(history.saved, kinds)), [history.saved, kinds])
  const [chosen, setChosen] = useState<string>()
  const chooseFiles = useRef<HTMLButtonElement>(null)
  const store = stores.find(({ id }) => id === chosen) ?? stores[0]
  const stopNodeId = stores.length > 1 ? store?.id : undefined
  const settings = useQuery({
    queryKey: ['flow-settings', flow.id, saving.revision],
    queryFn: () => getFlowSettings(flow.id),
    enabled: store?.takes !== undefined,
  })
  const refusesFiles = settings.data?.nodes.every(({ uploads }) => uploads !== true) === true
  const waiting = store
    ? files.length > 0 && refusesFiles
      ? 'Allow files first'
      : reasonToWait(store, files.length)
    : 'Save the flow first'
  return (
    <Dialog
      open
      onClose={onClose}
      title="Upsert Vector Store"
      about={
        store
          ? `Loads documents into ${store.label} of ${flow.name}. Chunks that are there already are not embedded again.`
          : undefined
      }
      size="large"
      actions={
        <>
          {onShowLast ? (
            <Button look="quiet" className={styles.toLeft} onClick={onShowLast}>
              Last upsert
            </Button>
          ) : null}
          <Button onClick={onClose}>Close</Button>
          <Button
            disabled={waiting !== undefined}
            title={waiting ?? 'Shows each chunk and its fate; nothing is embedded, stored or paid for'}
            onClick={() => onPreview(stopNodeId, dirty ? JSON.stringify(history.file) : undefined)}
          >
            Preview
          </Button>
          <Button
            look="green"
            disabled={waiting !== undefined}
            title={waiting}
            onClick={() => void upsert.start({ files, stopNodeId })}
          >
            {files.length === 0 ? 'Upsert' : `Upsert ${countText(files.length, 'file')}`}
          </Button>
        </>
      }
    >
      <div className={styles.prepare}>
        <ServerAway>An upsert can begin once it answers; the chosen files stay.</ServerAway>
        {dirty ? (
          <Note kind="warning">
            The flow has changes that are not saved. A preview uses them, an upsert uses the{' '}
            {saving.draft.isOn ? 'live' : 'saved'} flow.{' '}
            <Button className={styles.inNote} disabled={saving.isSaving} onClick={() => void saving.save()}>
              {saving.draft.isOn ? 'Save the draft' : 'Save the flow'}
            </Button>
          </Note>
        ) : saving.draft.state.draft ? (
          <Note kind="warning">
            The flow has a draft that is not live. A preview uses it, an upsert uses the live flow.
          </Note>
        ) : null}
        {[upsert.refusal, preview.refusal].map((refusal) =>
          refusal === undefined ? null : (
            <Note key={refusal} kind="failure">
              {refusal}
            </Note>
          ),
        )}
        {store ? <OldLoadsNote flow={flow.id} revision={saving.revision} stopNodeId={stopNodeId} /> : null}
        {stores.length > 1 ? (
          <FormField id="upsert-store" label="Vector store">
            <select
              id="upsert-store"
              className={forms.control}
              value={store?.id}
              onChange={(event) => setChosen(event.target.value)}
            >
              {stores.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label} ({id})
                </option>
              ))}
            </select>
          </FormField>
        ) : null}
        {refusesFiles && store?.takes !== undefined ? (
          <Note kind="warning">
            This flow does not take files with a request yet. When you allow it, everyone who may load into
            this flow can send files.{' '}
            <Button
              className={styles.inNote}
              onClick={() => {
                // This button goes with its note. Without a new place, the dialog takes the focus a frame later.
                chooseFiles.current?.focus()
                void saving.allowFiles()
              }}
            >
              Allow files
            </Button>
          </Note>
        ) : null}
        {store?.takes === undefined ? null : (
          <Files files={files} takes={store.takes} button={chooseFiles} onChange={setFiles} />
        )}
        {store && store.stored.length > 0 && files.length === 0 ? (
          <Note>
            Without files from here, those that the flow holds are loaded: {store.stored.join(', ')}.
          </Note>
        ) : null}
        {store?.fetches && files.length === 0 ? (
          <Note>This flow has a loader that fetches its documents by itself.</Note>
        ) : null}
        {store ? <ParticipatingNodes nodes={store.nodes} /> : null}
      </div>
    </Dialog>
  )
}

const SHOWN_FILES = 100

/** From more files on they can be searched. */
const SEARCHED_FILES = 10

type FilesProps = {
  files: ChosenFile[]
  takes: string
  button: RefObject<HTMLButtonElement | null>
  onChange(files: ChosenFile[]): void
}

function Files({ files, takes, button, onChange }: FilesProps) {
  const accept = pickerEndings(takes)
  // The path is the source of the chunks: a file that is chosen again replaces the one before.
  const add = (added: ChosenFile[]) =>
    onChange([...new Map([...files, ...added].map((one) => [one.path, one])).values()])
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const found = wanted === '' ? files : files.filter(({ path }) => path.toLowerCase().includes(wanted))
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  return (
    <section className={styles.files} aria-label="Files">
      <DropArea
        label="Choose files, or drop files and folders here"
        about={takes === '*' ? 'any file' : takes}
        {...(accept === undefined ? {} : { accept })}
        multiple
        button={button}
        onFiles={add}
      />
      {files.length === 0 ? null : (
        <div className={styles.filesHead}>
          <h3>
            {countText(files.length, 'file')}, {sizeText(bytes)}
          </h3>
          {files.length > SEARCHED_FILES ? (
            <input
              type="search"
              className={forms.control}
              aria-label="Find a chosen file"
              placeholder="Find a file"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          ) : null}
          <Button look="quiet" onClick={() => onChange([])}>
            Remove all
          </Button>
        </div>
      )}
      <ul className={styles.fileList}>
        {found.slice(0, SHOWN_FILES).map(({ file, path }) => (
          <li key={path} className={styles.file}>
            <FileText aria-hidden="true" />
            <span className={styles.fileName} title={path}>
              {path}
            </span>
            <span className={styles.quiet}>{sizeText(file.size)}</span>
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
      {found.length > SHOWN_FILES ? (
        <p className={styles.quiet}>and {countText(found.length - SHOWN_FILES, 'file')} more</p>
      ) : null}
      {files.length > 0 && found.length === 0 ? (
        <p className={styles.quiet}>No chosen file has “{search.trim()}” in its path.</p>
      ) : null}
    </section>
  )
}
