import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import forms from '../../forms/forms.module.css'
import { FormField } from '../../forms/form-field.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/note.tsx'
import { complain, tell } from '../../parts/toast.tsx'
import { agoText, countText, momentText, sizeText } from '../../parts/units.ts'
import { messageOf } from '../../server/call.ts'
import { type DeletedFlow, listDeletedFlows, removeFlow } from '../../server/flows.ts'
import styles from './deleted-flows.module.css'
import { useRestoreFlow } from './restore-flow.ts'
import { LoadState } from '../../parts/load-state.tsx'

/** The flows that were deleted in the last thirty days, each with a way back. */
export function DeletedFlows() {
  const listed = useQuery({ queryKey: ['flows', 'deleted'], queryFn: listDeletedFlows })
  const { data } = listed
  const [removing, setRemoving] = useState<DeletedFlow>()
  const { restore, conflict, putOff } = useRestoreFlow()
  if (listed.error || !data) return <LoadState of={listed} />
  if (data.length === 0)
    return (
      <p className={styles.quiet}>
        No flow was deleted in the last thirty days. A flow that you delete waits here, and you can restore it
        with its documents, history and key.
      </p>
    )
  const bytes = data.reduce((sum, { diskBytes }) => sum + diskBytes, 0)
  return (
    <>
      <p className={styles.about}>
        {countText(data.length, 'flow')} with about {sizeText(bytes)} of chunks. Each is removed for good
        thirty days after it was deleted.
      </p>
      <ul className={styles.list} aria-label="Deleted flows">
        {data.map((flow) => (
          <li key={flow.id} className={styles.row}>
            <div className={styles.texts}>
              <span className={styles.name} title={flow.name}>
                {flow.name}
              </span>
              <span className={styles.facts}>
                <span>{flow.slug}</span>
                <span title={momentText(flow.deletedAt)}>deleted {agoText(flow.deletedAt)}</span>
                <span>
                  {flow.chunks === 0
                    ? 'no chunks'
                    : `${countText(flow.chunks, 'chunk')}, ${countText(flow.documents, 'document')}, about ${sizeText(flow.diskBytes)}`}
                </span>
                <span>kept until {momentText(flow.removedAt)}</span>
              </span>
            </div>
            <Button look="danger" onClick={() => setRemoving(flow)}>
              Remove now
            </Button>
            <Button look="main" onClick={() => void restore(flow)}>
              Restore
            </Button>
          </li>
        ))}
      </ul>
      {removing ? <RemoveNow flow={removing} onClose={() => setRemoving(undefined)} /> : null}
      {conflict ? <OtherSlug key={conflict.id} flow={conflict} onClose={putOff} onRestore={restore} /> : null}
    </>
  )
}

function RemoveNow({ flow, onClose }: { flow: DeletedFlow; onClose(): void }) {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      await removeFlow(flow.id)
      await queries.invalidateQueries({ queryKey: ['flows'] })
      tell(`${flow.name} was removed for good`)
      onClose()
    } catch (error) {
      complain(`${flow.name} was not removed`, messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Remove ${flow.name} for good?`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" disabled={busy} onClick={() => void remove()}>
            Remove for good
          </Button>
        </>
      }
    >
      <Note kind="warning">
        {flow.chunks === 0
          ? 'Its history, jobs and conversations go with it.'
          : `${countText(flow.chunks, 'chunk')} of ${countText(flow.documents, 'document')}, its history, jobs and conversations go with it.`}{' '}
        This cannot be undone. It frees about {sizeText(flow.diskBytes)}.
      </Note>
    </Dialog>
  )
}

type OtherSlugProps = {
  flow: DeletedFlow
  onClose(): void
  onRestore(flow: DeletedFlow, slug: string): Promise<void>
}

/** Asks for another slug where a newer flow has taken the old one. */
function OtherSlug({ flow, onClose, onRestore }: OtherSlugProps) {
  const [slug, setSlug] = useState(`${flow.slug}-restored`.slice(0, 100))
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Another flow has the slug ${flow.slug} by now`}
      about="The slug is the name of the flow in addresses. Give the restored flow another one."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" form="other-slug">
            Restore
          </Button>
        </>
      }
    >
      <form
        id="other-slug"
        className={forms.form}
        onSubmit={(event) => {
          event.preventDefault()
          void onRestore(flow, slug.trim())
        }}
      >
        <FormField id="slug" label="Slug">
          <input
            id="slug"
            className={forms.control}
            value={slug}
            maxLength={100}
            onChange={(event) => setSlug(event.target.value)}
          />
        </FormField>
      </form>
    </Dialog>
  )
}
