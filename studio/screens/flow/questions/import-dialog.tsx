import { useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { DropArea } from '../../../parts/drop-area.tsx'
import { Note } from '../../../parts/note.tsx'
import { countText, numberText } from '../../../parts/units.ts'
import { messageOf } from '../../../server/call.ts'
import { type Imported, importQuestions } from '../../../server/questions.ts'
import styles from './questions.module.css'

/** How many missing documents are named. */
const NAMED = 20

const FILES = ['queries.jsonl', 'qrels.tsv', 'corpus.jsonl'] as const

type ImportDialogProps = { flowId: string; onClose(): void; onImported(): Promise<void> }

/** Takes the files of a collection, and says what of them was taken. */
export function ImportDialog({ flowId, onClose, onImported }: ImportDialogProps) {
  const [files, setFiles] = useState<readonly File[]>([])
  const [imported, setImported] = useState<Imported>()
  const [refusal, setRefusal] = useState<string>()
  const [isSending, setSending] = useState(false)
  const fileOf = (name: (typeof FILES)[number]) => files.find((file) => file.name === name)
  const [queries, qrels, corpus] = FILES.map(fileOf)
  const send = async () => {
    if (!queries || !qrels) return
    setSending(true)
    setRefusal(undefined)
    try {
      const sent = {
        queries: await queries.text(),
        qrels: await qrels.text(),
        ...(corpus ? { corpus: await corpus.text() } : {}),
      }
      setImported(await importQuestions(flowId, sent))
      await onImported()
    } catch (error) {
      setRefusal(messageOf(error))
    } finally {
      setSending(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Import questions"
      about="queries.jsonl and qrels.tsv; corpus.jsonl too where its ids are not the names of documents here."
      actions={
        imported ? (
          <Button look="main" onClick={onClose}>
            Close
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button look="main" disabled={!queries || !qrels || isSending} onClick={() => void send()}>
              {isSending ? 'Importing…' : 'Import'}
            </Button>
          </>
        )
      }
    >
      <div className={styles.dialog} aria-live="polite">
        {refusal === undefined ? null : <Note kind="failure">{refusal}</Note>}
        {imported ? (
          <ImportReport imported={imported} />
        ) : (
          <>
            <DropArea
              label="Choose or drop the files"
              accept=".jsonl,.tsv"
              multiple
              onFiles={(chosen) => setFiles((all) => [...chosen.map(({ file }) => file), ...all])}
            />
            <ul className={styles.files}>
              {FILES.map((name) => (
                <li key={name} data-there={fileOf(name) !== undefined}>
                  {name}:{' '}
                  {fileOf(name)
                    ? 'chosen'
                    : name === 'corpus.jsonl'
                      ? 'not chosen, may be left out'
                      : 'missing'}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Dialog>
  )
}

function ImportReport({ imported }: { imported: Imported }) {
  const { numAdded, numChanged, numUnjudged, numUnreadable, numDuplicates, missing } = imported
  const rest: [number, string][] = [
    [numChanged, 'the flow had already; they got the judgements'],
    [numDuplicates, 'with the text of one before'],
    [numUnjudged, 'without a judgement that is left: not taken'],
    [numUnreadable, 'without a text, or with one that is too long: not taken'],
  ]
  return (
    <>
      <p>
        <strong>{countText(numAdded, 'new question')}</strong>
      </p>
      <ul>
        {rest.map(([count, what]) =>
          count === 0 ? null : (
            <li key={what}>
              {numberText(count)} {what}
            </li>
          ),
        )}
      </ul>
      {missing.length > 0 ? (
        <Note kind="warning">
          {countText(missing.length, 'judged document is', 'judged documents are')} not in the store:{' '}
          {missing.slice(0, NAMED).join(', ')}
          {missing.length > NAMED ? ` and ${numberText(missing.length - NAMED)} more` : ''}
        </Note>
      ) : null}
    </>
  )
}
