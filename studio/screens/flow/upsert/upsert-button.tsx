import { DatabaseZap, LoaderCircle } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { complain, tell } from '../../../parts/toast.tsx'
import { countText } from '../../../parts/units.ts'
import type { Flow } from '../../../server/flows.ts'
import { hasEnded, type Job } from '../../../server/jobs.ts'
import { useEditorState } from '../editor.ts'
import type { SaveFlow } from '../save-flow.ts'
import { buttonText } from './job-text.ts'
import { storesToLoad } from './participants.ts'
import { recordOf } from './record.ts'
import styles from './upsert.module.css'
import { UpsertDialog } from './upsert-dialog.tsx'
import { useUpserting } from './upserting.ts'

/** The green button: it is there once a document loader is plugged into a vector store. */
export function UpsertButton({ flow, saving }: { flow: Flow; saving: SaveFlow }) {
  const graph = useEditorState((state) => state.graph)
  const [open, setOpen] = useState(false)
  const upserting = useUpserting(flow.id, (job) => {
    if (!open) tellEnd(job, () => setOpen(true))
  })
  const { job, sent } = upserting
  if (storesToLoad(graph).length === 0) return null
  const busy = sent !== undefined || (job !== undefined && !hasEnded(job))
  return (
    <>
      <Button look="green" title="Upsert Vector Database" onClick={() => setOpen(true)}>
        {busy ? (
          <LoaderCircle aria-hidden="true" className={styles.turning} />
        ) : (
          <DatabaseZap aria-hidden="true" />
        )}
        {sent !== undefined ? `Sending ${Math.round(sent * 100)} %` : busy ? buttonText(job!) : 'Upsert'}
      </Button>
      {open ? (
        <UpsertDialog flow={flow} saving={saving} upserting={upserting} onClose={() => setOpen(false)} />
      ) : null}
    </>
  )
}

function tellEnd(job: Job, show: () => void): void {
  const record = recordOf(job)
  if (record)
    tell(
      `Upsert done: ${countText(record.numAdded, 'chunk')} added${record.numFailed > 0 ? `, ${countText(record.numFailed, 'file')} failed` : ''}`,
      { label: 'Show', onSelect: show },
    )
  else if (job.state === 'failed') complain('The upsert failed', job.error?.message)
}
