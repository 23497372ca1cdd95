import { confirm } from '../../ask-person.ts'
import { fetchCredentials, findCredential } from '../../credential-kinds.ts'
import { fetchFlows } from '../../flow-answer.ts'
import { flag } from '../../options.ts'
import { printable } from '../../printable.ts'
import { serverCommand } from '../../server-command.ts'

export const removeCredentialCommand = serverCommand({
  summary: 'Removes a credential; flows that use it fail until they get another one',
  args: ['<id|name>'],
  about: 'On a terminal it shows which flows use it, and asks for confirmation.',
  options: { yes: flag('removes it without asking') },
  async run({ world, client, args, options }) {
    const { id, name } = findCredential(args[0]!, await fetchCredentials(client))
    const flows = (await fetchFlows(client))
      .filter(({ flowData }) => flowData?.includes(JSON.stringify(id)))
      .map(({ slug }) => slug)
    const used = flows.length > 0 ? ` (used by ${flows.join(', ')})` : ''
    if (!options.yes && !(await confirm(world, `Remove the credential ${printable(`${name}${used}`)}?`))) {
      world.stderr.write('Nothing was removed.\n')
      return 1
    }
    await client.send('DELETE', `credentials/${encodeURIComponent(id)}`)
    world.stderr.write(`The credential ${printable(`${name}${used}`)} is removed.\n`)
    return 0
  },
})
