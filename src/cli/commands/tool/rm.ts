import { confirm } from '../../ask-person.ts'
import { fetchTools, findTool } from '../../custom-tools.ts'
import { flag } from '../../options.ts'
import { printable } from '../../printable.ts'
import { serverCommand } from '../../server-command.ts'

export const removeToolCommand = serverCommand({
  summary: 'Removes a custom tool; flows that use it are refused until they name another one',
  args: ['<tool>'],
  about:
    'The tool is named by its id or its name. On a terminal it asks for confirmation, with the flows that use it.',
  options: { yes: flag('removes it without asking') },
  async run({ world, client, args, options }) {
    const { id, name, usedBy = [] } = findTool(args[0]!, await fetchTools(client))
    const uses = usedBy.length === 0 ? '' : `, which ${usedBy.map(({ slug }) => slug).join(', ')} use`
    if (!options.yes && !(await confirm(world, `Remove the tool ${printable(name + uses)}?`))) {
      world.stderr.write('Nothing was removed.\n')
      return 1
    }
    await client.send('DELETE', `tools/${encodeURIComponent(id)}`)
    world.stderr.write(`The tool ${printable(name + uses)} is removed.\n`)
    return 0
  },
})
