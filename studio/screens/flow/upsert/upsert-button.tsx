import { DatabaseZap, LoaderCircle } from 'lucide-react'
import { Button } from '../../../parts/button.tsx'
import { buttonText } from '../../../parts/job-text.ts'
import type { Flow } from '../../../server/flows.ts'
import { hasEnded } from '../../../server/jobs.ts'
import { useEditorState } from '../editor.ts'
import type { SaveFlow } from '../save-flow.ts'
import { storesToLoad } from './participants.ts'
import styles from '../../../parts/upsert.module.css'
import { UpsertDialog } from './upsert-dialog.tsx'
import { useUpserting } from './upserting.tsx'

/** The green button: it is there once a document loader is plugged into a vector store. */
export function UpsertButton({ flow, saving }: { flow: Flow; saving: SaveFlow }) {
  const graph = useEditorState((state) => state.graph)
  const { upsert, opened, setOpened } = useUpserting()
  const { job, sent } = upsert
  if (storesToLoad(graph).length === 0) return null
  const busy = sent !== undefined || (job !== undefined && !hasEnded(job))
  return (
    <>
      <Button look="green" title="Upsert Vector Database" onClick={() => setOpened('files')}>
        {busy ? (
          <LoaderCircle aria-hidden="true" className={styles.turning} />
        ) : (
          <DatabaseZap aria-hidden="true" />
        )}
        {sent !== undefined ? `Sending ${Math.round(sent * 100)} %` : busy ? buttonText(job!) : 'Upsert'}
      </Button>
      {opened === undefined ? null : (
        <UpsertDialog flow={flow} saving={saving} start={opened} onClose={() => setOpened(undefined)} />
      )}
    </>
  )
}
