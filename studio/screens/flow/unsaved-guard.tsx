import { useBlocker } from '@tanstack/react-router'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import type { SaveFlow } from './save-flow.ts'

/**
 * Asks before a flow with unsaved changes is left; closing the tab asks in the words of the browser. Another tab of the
 * same flow can be opened: the changes stay.
 */
export function UnsavedGuard({ id, saving: { hasChanges, save } }: { id: string; saving: SaveFlow }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ next }) => hasChanges() && !staysIn(id, next.params),
    enableBeforeUnload: hasChanges,
    withResolver: true,
  })
  const blocked = status === 'blocked'
  const saveAndLeave = async () => {
    if (await save()) proceed?.()
    else reset?.()
  }
  return (
    <Dialog
      open={blocked}
      onClose={() => reset?.()}
      title="Save the changes?"
      about="The flow has changes that are not saved."
      actions={
        <>
          <Button onClick={() => reset?.()}>Stay here</Button>
          <Button look="danger" onClick={() => proceed?.()}>
            Leave without saving
          </Button>
          <Button look="main" onClick={() => void saveAndLeave()}>
            Save and leave
          </Button>
        </>
      }
    />
  )
}

const staysIn = (id: string, params: unknown): boolean => (params as { id?: string }).id === id
