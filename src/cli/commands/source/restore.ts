import { restoreSources } from '../../flow-sources.ts'
import { serverCommand } from '../../server-command.ts'
import { counted } from '../../units.ts'

export const restoreSourceCommand = serverCommand({
  summary: 'Restores removed sources of a flow, with all their chunks',
  args: ['<flow>', '<source>', '[source]…'],
  options: {},
  examples: ['quickstart safety-manual.pdf'],
  async run({ world, client, args }) {
    const [flow, ...given] = args as [string, ...string[]]
    const { sources, chunks } = await restoreSources(client, flow, given)
    world.stderr.write(`${counted(sources, 'source')} restored, ${counted(chunks, 'chunk')}.\n`)
    return 0
  },
})
