import { useBlocker } from '@tanstack/react-router'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { complain } from '../../parts/toast.tsx'
import { useEditor } from './editor.ts'
import type { SaveFlow } from './save-flow.ts'
import { hasTextDraft, textSession } from './text/text-session.ts'

/**
 * Asks before a flow with unsaved changes is left, or with a text that the drawing does not have; closing the tab asks in the
 * words of the browser. Another tab of the same flow can be opened: the changes stay.
 */
export function UnsavedGuard({ id, saving: { hasChanges, save } }: { id: string; saving: SaveFlow }) {
  const editor = useEditor()
  const isUnsaved = () => hasChanges() || hasTextDraft(editor)
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ next }) => isUnsaved() && !staysIn(id, next.params),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  const blocked = status === 'blocked'
  const saveAndLeave = async () => {
    if (hasTextDraft(editor) && !(await textSession(editor).flush())) {
      reset?.()
      complain(
        'Nothing was saved',
        'The text of the flow has a mistake: mend it, or take the text of the drawing.',
      )
    } else if (await save()) proceed?.()
    else reset?.()
  }
  return (
    <Dialog
      open={blocked}
      onClose={() => reset?.()}
      title="Save the changes?"
      about={
        blocked && hasTextDraft(editor)
          ? 'What was typed in the text of the flow is not in the drawing: it has a mistake, or was not read yet. It goes when you leave.'
          : 'The flow has changes that are not saved.'
      }
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
