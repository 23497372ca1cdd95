import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/note.tsx'
import { complain, tell } from '../../parts/toast.tsx'
import { countText } from '../../parts/units.ts'
import { messageOf } from '../../server/call.ts'
import { deleteFlow, type Flow, getFlowSettings } from '../../server/flows.ts'

/** Asks before a flow is deleted, and says what goes with it. */
export function DeleteFlow({ flow, onClose }: { flow: Flow; onClose(): void }) {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const { data } = useQuery({
    queryKey: ['flow-settings', flow.id],
    queryFn: () => getFlowSettings(flow.id),
    retry: false,
  })
  const holds = data?.holds
  const remove = async () => {
    setBusy(true)
    try {
      await deleteFlow(flow.id)
      await queries.invalidateQueries({ queryKey: ['flows'] })
      tell(`${flow.name} was deleted`)
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
      <Note kind="warning">
        {holds === undefined || holds.chunks === 0
          ? 'Its history, jobs and conversations are deleted with it.'
          : holds.sharedWith.length > 0
            ? `Its history, jobs and conversations are deleted with it. Its ${countText(holds.chunks, 'chunk')} stay: ${holds.sharedWith.join(', ')} uses them too.`
            : `With it are deleted ${countText(holds.chunks, 'chunk')} of ${countText(holds.sources, 'document')}, its history, jobs and conversations.`}{' '}
        This cannot be undone.
      </Note>
    </Dialog>
  )
}
