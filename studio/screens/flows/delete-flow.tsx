import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { LoadState } from '../../parts/load-state.tsx'
import { Note } from '../../parts/note.tsx'
import { complain, tell } from '../../parts/toast.tsx'
import { countText } from '../../parts/units.ts'
import { messageOf } from '../../server/call.ts'
import { deleteFlow, type FlowSummary, getFlowSettings, restoreFlow } from '../../server/flows.ts'

/** Asks before a flow is deleted, and says what goes with it. */
export function DeleteFlow({ flow, onClose }: { flow: FlowSummary; onClose(): void }) {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const settings = useQuery({
    queryKey: ['flow-settings', flow.id],
    queryFn: () => getFlowSettings(flow.id),
    retry: false,
  })
  const undo = async () => {
    try {
      await restoreFlow(flow.id)
      await queries.invalidateQueries({ queryKey: ['flows'] })
      tell(`${flow.name} is back`)
    } catch (error) {
      complain(`${flow.name} was not restored`, messageOf(error))
      void queries.invalidateQueries({ queryKey: ['flows'] })
    }
  }
  const remove = async () => {
    setBusy(true)
    try {
      await deleteFlow(flow.id)
      await queries.invalidateQueries({ queryKey: ['flows'] })
      tell(`${flow.name} was deleted`, { label: 'Undo', onSelect: () => void undo() })
      onClose()
    } catch (error) {
      complain(`${flow.name} was not deleted`, messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Delete ${flow.name}?`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" disabled={busy} onClick={() => void remove()}>
            Delete
          </Button>
        </>
      }
    >
      <LoadState of={settings} what="Whether other flows use its chunks cannot be read" />
      {settings.isPending ? null : (
        <Note kind="warning">
          {whatGoes(flow, settings.data?.holds.sharedWith)} For thirty days it can be restored from the
          deleted flows.
        </Note>
      )}
    </Dialog>
  )
}

/** @param sharedWith undefined where it cannot be read */
function whatGoes(
  { chunks, documents, key, lastUpsert }: FlowSummary,
  sharedWith: readonly string[] | undefined,
): string {
  const rest = 'its history, jobs and conversations'
  const keyStays = key?.name ? ` The key ${key.name} stays.` : ''
  const runs = lastUpsert?.state === 'running' || lastUpsert?.state === 'queued'
  const cancelled = runs ? ' Its upsert that runs is cancelled.' : ''
  const held = `${countText(chunks, 'chunk')} of ${countText(documents, 'document')}`
  if (chunks === 0) return `With it go ${rest}.${cancelled}${keyStays}`
  if (sharedWith === undefined)
    return `With it go ${rest}, and its ${held} unless another flow uses them too.${cancelled}${keyStays}`
  if (sharedWith.length > 0)
    return `With it go ${rest}. Its ${held} stay: ${sharedWith.join(', ')} uses them too.${cancelled}${keyStays}`
  return `With it go ${held}, ${rest}.${cancelled}${keyStays}`
}
