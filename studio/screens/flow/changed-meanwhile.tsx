import { useNavigate } from '@tanstack/react-router'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import type { SaveFlow } from './save-flow.ts'

/** Shown when the flow was saved in another tab or by another person since it was opened here. */
export function ChangedMeanwhile({ saving }: { saving: SaveFlow }) {
  const navigate = useNavigate()
  const copy = async () => {
    const slug = await saving.saveCopy()
    if (slug !== undefined) await navigate({ to: '/flows/$id', params: { id: slug } })
  }
  return (
    <Dialog
      open={saving.changedMeanwhile}
      onClose={saving.putOff}
      title="This flow was saved elsewhere meanwhile"
      about="Another tab or another person saved it after you opened it. Nothing was overwritten, and your changes are still here."
      actions={
        <>
          <Button onClick={saving.putOff}>Go on editing</Button>
          <Button onClick={() => void saving.overwrite()}>Save over it</Button>
          <Button look="main" onClick={() => void copy()}>
            Save mine as a copy
          </Button>
        </>
      }
    >
      <p>Saving over it keeps the other version as an earlier revision of the flow.</p>
    </Dialog>
  )
}
