import { confirm } from '../../ask-person.ts'
import { fetchSources, mustHold, removeSources } from '../../flow-sources.ts'
import { flag } from '../../options.ts'
import { printable } from '../../printable.ts'
import { serverCommand } from '../../server-command.ts'
import { counted } from '../../units.ts'

export const removeSourceCommand = serverCommand({
  summary: 'Removes sources from a flow, with all their chunks',
  args: ['<flow>', '<source>', '[source]…'],
  about:
    'On a terminal it shows how many chunks are removed, and asks for confirmation. It removes all the sources or none. "sluice source restore" brings them back, for 30 days unless KEEP_REMOVED_DAYS says otherwise.',
  options: {
    yes: flag('removes them without asking'),
    permanent: flag('deletes them at once: they cannot be restored'),
  },
  examples: ['quickstart safety-manual.pdf'],
  async run({ world, client, args, options }) {
    const [flow, ...given] = args as [string, ...string[]]
    const held = await fetchSources(client, flow)
    mustHold(given, held, flow)
    const chunks = held
      .filter(({ source }) => given.includes(source))
      .reduce((sum, row) => sum + row.chunks, 0)
    const question = `Remove ${printable(given.join(', '))} with ${counted(chunks, 'chunk')} from ${printable(flow)}?`
    if (!options.yes && !(await confirm(world, question))) {
      world.stderr.write('Nothing was removed.\n')
      return 1
    }
    const removed = await removeSources(client, flow, given, options.permanent)
    world.stderr.write(`${counted(given.length, 'source')} removed, ${counted(removed, 'chunk')}.\n`)
    return 0
  },
})
