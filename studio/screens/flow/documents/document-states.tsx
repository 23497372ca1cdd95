import { Link } from '@tanstack/react-router'
import { Note } from '../../../parts/note.tsx'
import { momentText } from '../../../parts/units.ts'
import type { FailedFile } from '../../../server/failed-files.ts'
import styles from './document-screen.module.css'

type DocumentStatesProps = {
  flow: string
  /** Settings of the flow that differ from those with which the document was loaded. */
  changedSettings: readonly string[]
  /** Why its last load failed. */
  failed: FailedFile | undefined
}

/** Tells that what is shown is of an earlier load: the flow has other settings now, or the last load failed. */
export function DocumentStates({ flow, changedSettings, failed }: DocumentStatesProps) {
  if (changedSettings.length === 0 && !failed) return null
  const documents = (
    <Link to="/flows/$id/documents" params={{ id: flow }} search={{}}>
      Documents
    </Link>
  )
  return (
    <div className={styles.states}>
      {failed ? (
        <Note kind="warning">
          Its load of {momentText(failed.failedAt)} failed: {failed.reason}. What is shown is of the load
          before; {documents} can try it again.
        </Note>
      ) : null}
      {changedSettings.length > 0 ? (
        <Note kind="warning">
          Loaded with other settings than the flow has now ({changedSettings.join(', ')}): text and chunks are
          of that load. {documents} can load it again.
        </Note>
      ) : null}
    </div>
  )
}
