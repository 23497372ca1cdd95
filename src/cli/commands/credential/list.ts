import type { CredentialAnswer } from '../../../api/credential.ts'
import { command } from '../../command.ts'
import { fetchCredentials } from '../../credential-kinds.ts'
import { flag } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'
import { table } from '../../table.ts'

export const list = command({
  summary: 'Lists the credentials, without what is in them',
  options: { ...SERVER_OPTIONS, json: flag('prints the rows as JSON') },
  settings: SERVER_SETTINGS,
  async run({ world, config, options }) {
    const rows = await fetchCredentials(serverOf(options, config, world))
    if (options.json) world.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
    else if (rows.length === 0) world.stderr.write('There is no credential.\n')
    else
      world.stdout.write(
        table<CredentialAnswer>(
          rows,
          [
            { title: 'name', value: ({ name }) => name, style: () => 'bold' },
            { title: 'kind', value: ({ credentialName }) => credentialName },
            { title: 'updated', value: ({ updatedDate }) => updatedDate.slice(0, 16).replace('T', ' ') },
            { title: 'id', value: ({ id }) => id },
          ],
          paintFor(world.stdout, world.environment),
        ),
      )
    return 0
  },
})
