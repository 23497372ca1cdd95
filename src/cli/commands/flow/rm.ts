import type { SettingsAnswer } from '../../../api/flow-settings.ts'
import { confirm } from '../../ask-person.ts'
import { flowPath } from '../../flow-answer.ts'
import { fetchSettings } from '../../flow-settings.ts'
import { ServerRefusal } from '../../failure.ts'
import { flag } from '../../options.ts'
import { printable } from '../../printable.ts'
import { serverCommand } from '../../server-command.ts'
import { counted } from '../../units.ts'

export const removeFlowCommand = serverCommand({
  summary: 'Removes a flow, and its chunks unless another flow uses them',
  args: ['<flow>'],
  about: 'On a terminal it shows what is removed with the flow, and asks for confirmation.',
  options: {
    yes: flag('removes it without asking'),
    now: flag('removes it for good; otherwise sluice flow restore brings it back for thirty days'),
  },
  async run({ world, client, args, options }) {
    const flow = await fetchSettings(client, args[0]!).catch((error: unknown) => {
      if (options.now && error instanceof ServerRefusal && error.status === 404) return undefined
      throw error
    })
    if (!flow) {
      // It may have been removed before, and be kept for thirty days.
      if (!options.yes && !(await confirm(world, `Remove ${printable(args[0]!)} for good?`))) return 1
      await client.send('DELETE', `${flowPath(args[0]!)}?now=true`)
      world.stderr.write(`The flow ${printable(args[0]!)} is removed for good.\n`)
      return 0
    }
    const along = whatGoes(flow)
    if (!options.yes && !(await confirm(world, `Remove the flow ${printable(flow.slug)} with ${along}?`))) {
      world.stderr.write('Nothing was removed.\n')
      return 1
    }
    await client.send('DELETE', `${flowPath(flow.id)}${options.now ? '?now=true' : ''}`)
    world.stderr.write(`The flow ${printable(flow.slug)} is removed with ${along}.\n`)
    if (!options.now)
      world.stderr.write(`Within thirty days, sluice flow restore ${printable(flow.slug)} brings it back.\n`)
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
