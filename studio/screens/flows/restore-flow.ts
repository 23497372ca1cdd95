import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { complain, tell } from '../../parts/toast.tsx'
import { messageOf, ServerFailure } from '../../server/call.ts'
import { type DeletedFlow, restoreFlow } from '../../server/flows.ts'

/** Restoring deleted flows. `conflict` is a flow whose slug another flow has by now. */
export function useRestoreFlow() {
  const queries = useQueryClient()
  const [conflict, setConflict] = useState<DeletedFlow>()
  return {
    conflict,
    putOff: () => setConflict(undefined),
    async restore(flow: DeletedFlow, slug?: string): Promise<void> {
      try {
        const back = await restoreFlow(flow.id, slug)
        setConflict(undefined)
        await queries.invalidateQueries({ queryKey: ['flows'] })
        tell(`${back.name} is back`)
      } catch (error) {
        if (slug === undefined && error instanceof ServerFailure && error.code === 'slug_taken')
          setConflict(flow)
        else {
          complain(`${flow.name} was not restored`, messageOf(error))
          // Others may have restored or removed it.
          void queries.invalidateQueries({ queryKey: ['flows'] })
        }
      }
    },
  }
}
