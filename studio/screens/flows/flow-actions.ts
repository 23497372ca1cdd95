import { useQueryClient } from '@tanstack/react-query'
import { saveAsFile } from '../../parts/save-as-file.ts'
import { complain, tell } from '../../parts/toast.tsx'
import { messageOf } from '../../server/call.ts'
import { duplicateFlow, exportFlow, type FlowSummary } from '../../server/flows.ts'

/** What can be done with a flow of the list besides opening it. */
export function useFlowActions() {
  const queries = useQueryClient()
  return {
    async duplicate(flow: FlowSummary): Promise<void> {
      try {
        const copy = await duplicateFlow(flow)
        await queries.invalidateQueries({ queryKey: ['flows'] })
        tell(`${copy.name} was made${keyOfCopy(flow)}`)
      } catch (error) {
        complain(`${flow.name} was not duplicated`, messageOf(error))
      }
    },
    async download(flow: FlowSummary): Promise<void> {
      try {
        const { file, leftOut } = await exportFlow(flow.id)
        saveAsFile(`${flow.slug}.json`, JSON.stringify(file, null, 2))
        const left = leftOut.map(({ node, input }) => `${input} of ${node}`)
        if (file.sluice.access === 'key') left.push('its API key: an import is closed until one is bound')
        tell(`${flow.slug}.json was saved${left.length === 0 ? '' : ` without ${left.join(', ')}`}`)
      } catch (error) {
        complain(`${flow.name} was not exported`, messageOf(error))
      }
    },
  }
}

/** What a copy of a flow with a key says about it. */
function keyOfCopy({ key }: FlowSummary): string {
  if (!key) return ''
  return key.name === null ? ', closed as its original' : `, with the same key: ${key.name}`
}
