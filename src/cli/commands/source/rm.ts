import { confirm } from '../../ask-person.ts'
import { command } from '../../command.ts'
import { fetchSources, mustHold, removeSources } from '../../flow-sources.ts'
import { flag } from '../../options.ts'
import { printable } from '../../printable.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'
import { counted } from '../../units.ts'

export const rm = command({
  summary: 'Removes sources from a flow, with all their chunks',
  args: ['<flow>', '<source>', '[source]…'],
  about: 'On a terminal it tells how much goes and asks first. All of them go in one moment, or none.',
  options: { ...SERVER_OPTIONS, yes: flag('removes them without asking') },
  settings: SERVER_SETTINGS,
  examples: ['quickstart safety-manual.pdf'],
  async run({ world, config, args, options }) {
    const [flow, ...given] = args as [string, ...string[]]
    const client = serverOf(options, config, world)
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
    const gone = await removeSources(client, flow, given)
    world.stderr.write(`${counted(given.length, 'source')} removed, ${counted(gone, 'chunk')}.\n`)
    return 0
  },
})
