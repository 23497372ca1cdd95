import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { describedBy, FormField } from '../../forms/form-field.tsx'
import forms from '../../forms/forms.module.css'
import type { ChosenFile } from '../../parts/chosen-files.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { DropArea } from '../../parts/drop-area.tsx'
import { LoadFailure } from '../../parts/load-failure.tsx'
import { Note } from '../../parts/note.tsx'
import { messageOf } from '../../server/call.ts'
import { type FlowImport, importFlow } from '../../server/flows.ts'
import { listKeys } from '../../server/keys.ts'
import { ImportReport, OthersReport } from './import-report.tsx'

/** Imports an export of Flowise or of Sluice, and shows what the flow still needs. */
export function ImportFlow({ onClose }: { onClose(): void }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [done, setDone] = useState<FlowImport>()
  const [refused, setRefused] = useState<string>()
  const [keyId, setKeyId] = useState('')
  const keys = useQuery({ queryKey: ['keys'], queryFn: listKeys })
  const read = async ([chosen]: ChosenFile[]) => {
    const file = chosen?.file
    if (!file) return
    setRefused(undefined)
    try {
      const content = readJson(await file.text())
      const imported = await importFlow(content, {
        name: nameFor(content, file.name),
        key: keyId === '' ? undefined : keyId,
      })
      void queries.invalidateQueries({ queryKey: ['flows'] })
      setDone(imported)
    } catch (error) {
      setRefused(`${file.name}: ${messageOf(error)}`)
    }
  }
  const open = (slug: string) => void navigate({ to: '/flows/$id', params: { id: slug } })
  return (
    <Dialog
      open
      onClose={onClose}
      title={done ? 'Imported' : 'Import a flow'}
      about={done ? undefined : 'A file that Flowise or Sluice exported: one flow, or several at once.'}
      size={done ? 'large' : 'small'}
      actions={
        done ? (
          <>
            <Button onClick={onClose}>Close</Button>
            <Button look="main" onClick={() => open(done.flow.slug)}>
              Open {done.flow.name}
            </Button>
          </>
        ) : undefined
      }
    >
      {refused === undefined ? null : <Note kind="failure">{refused}</Note>}
      {done ? (
        <>
          {done.imported.map(({ flow, report }) => (
            <ImportReport key={flow.id} name={flow.name} report={report} />
          ))}
          <OthersReport rows={done.others} />
        </>
      ) : (
        <div className={forms.form}>
          <LoadFailure error={keys.error} onAgain={keys.refetch} what="The keys cannot be listed" />
          <FormField id="import-key" label="Required key" about={KEY_ABOUT}>
            <select
              id="import-key"
              className={forms.control}
              value={keyId}
              onChange={(event) => setKeyId(event.target.value)}
              {...describedBy('import-key', KEY_ABOUT)}
            >
              <option value="">As in the file</option>
              {keys.data?.map((key) => (
                <option key={key.id} value={key.id}>
                  {key.keyName} ({key.scopes.join(', ')})
                </option>
              ))}
            </select>
          </FormField>
          <DropArea
            label="Choose a file, or drop it here"
            about=".json"
            accept=".json,application/json"
            onFiles={(files) => void read(files)}
          />
        </div>
      )}
    </Dialog>
  )
}

const KEY_ABOUT =
  'A flow that needed a key is closed until you choose one, here or later: files do not contain it.'

function readJson(text: string): object {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (error) {
    throw new Error(`this is not JSON: ${(error as Error).message}`)
  }
  if (typeof content !== 'object' || content === null) throw new Error('there is no flow in it')
  return content
}

/** An export of one flow by Flowise has no name but that of its file. */
function nameFor(content: object, fileName: string): string | undefined {
  if (!('nodes' in content) || 'sluice' in content) return undefined
  return fileName.replace(/( Chatflow| Agents)?( \(\d+\))?\.json$/i, '').slice(0, 200) || undefined
}
