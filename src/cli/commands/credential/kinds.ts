import type { CredentialKindAnswer } from '../../../api/credential.ts'
import { command } from '../../command.ts'
import { fetchKinds } from '../../credential-kinds.ts'
import { flag } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'
import { table } from '../../table.ts'

export const kinds = command({
  summary: 'Lists the kinds of credential that nodes take, with their fields',
  options: { ...SERVER_OPTIONS, json: flag('prints the server’s answer as it is') },
  settings: SERVER_SETTINGS,
  async run({ world, config, options }) {
    const rows = await fetchKinds(serverOf(options, config, world))
    if (options.json) world.stdout.write(`${JSON.stringify(rows)}\n`)
    else
      world.stdout.write(
        table<CredentialKindAnswer>(
          rows,
          [
            { title: 'kind', value: ({ name }) => name, style: () => 'bold' },
            { title: 'about', value: ({ label }) => label },
            { title: 'fields', value: ({ inputs }) => inputs.map(({ name }) => name).join(', ') },
          ],
          paintFor(world.stdout, world.environment),
        ),
      )
    return 0
  },
})
