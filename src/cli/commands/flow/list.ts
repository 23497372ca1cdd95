import { command } from '../../command.ts'
import type { FlowAnswer } from '../../flow-answer.ts'
import { flag } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { rowsOf } from '../../rows.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'
import { table } from '../../table.ts'

export const list = command({
  summary: 'Lists the flows',
  options: { ...SERVER_OPTIONS, json: flag('prints the server’s answer as it is') },
  settings: SERVER_SETTINGS,
  async run({ world, config, options }) {
    const answer = await serverOf(options, config, world).send('GET', 'chatflows')
    const flows = rowsOf(answer) as FlowAnswer[]
    if (options.json) world.stdout.write(`${JSON.stringify(answer)}\n`)
    else if (flows.length === 0) world.stderr.write('There is no flow.\n')
    else
      world.stdout.write(
        table(
          flows,
          [
            { title: 'slug', value: (flow) => flow.slug, style: () => 'bold' },
            { title: 'name', value: (flow) => flow.name },
            { title: 'type', value: (flow) => flow.type },
            { title: 'access', value: (flow) => (flow.apikeyid ? 'by key' : 'open') },
            { title: 'updated', value: (flow) => flow.updatedDate?.slice(0, 16).replace('T', ' ') },
            { title: 'id', value: (flow) => flow.id },
          ],
          paintFor(world.stdout, world.environment),
        ),
      )
    return 0
  },
})
