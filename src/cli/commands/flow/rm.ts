import type { SettingsAnswer } from '../../../api/flow-settings.ts'
import { confirm } from '../../ask-person.ts'
import { flowPath } from '../../flow-answer.ts'
import { fetchSettings } from '../../flow-settings.ts'
import { flag } from '../../options.ts'
import { printable } from '../../printable.ts'
import { serverCommand } from '../../server-command.ts'
import { counted } from '../../units.ts'

export const removeFlowCommand = serverCommand({
  summary: 'Removes a flow, and its chunks unless another flow uses them',
  args: ['<flow>'],
  about: 'On a terminal it shows what is removed with the flow, and asks for confirmation.',
  options: { yes: flag('removes it without asking') },
  async run({ world, client, args, options }) {
    const flow = await fetchSettings(client, args[0]!)
    const along = whatGoes(flow)
    if (!options.yes && !(await confirm(world, `Remove the flow ${printable(flow.slug)} with ${along}?`))) {
      world.stderr.write('Nothing was removed.\n')
      return 1
    }
    await client.send('DELETE', flowPath(flow.id))
    world.stderr.write(`The flow ${printable(flow.slug)} is removed with ${along}.\n`)
    return 0
  },
})

function whatGoes({ holds, key }: SettingsAnswer): string {
  const { sources, chunks, sharedWith } = holds
  const documents = `${counted(sources, 'source')} (${counted(chunks, 'chunk')})`
  const stay =
    sharedWith.length > 0 ? `; ${documents} stay, ${printable(sharedWith.join(', '))} uses them too` : ''
  const keyStays = key ? `; the key ${printable(key.name ?? key.id)} stays` : ''
  return `${stay ? '' : `${documents}, `}its jobs, history and messages${stay}${keyStays}`
}
