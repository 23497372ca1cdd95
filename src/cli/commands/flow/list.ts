import type { ListedFlowAnswer } from '../../../api/flow.ts'
import { command } from '../../command.ts'
import { fetchFlows } from '../../flow-answer.ts'
import { flag } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'
import { table } from '../../table.ts'

export const list = command({
  summary: 'Lists the flows',
  options: { ...SERVER_OPTIONS, json: flag('prints the server’s answer as it is') },
  settings: SERVER_SETTINGS,
  async run({ world, config, options }) {
    const flows = await fetchFlows(serverOf(options, config, world))
    if (options.json) world.stdout.write(`${JSON.stringify(flows)}\n`)
    else if (flows.length === 0) world.stderr.write('There is no flow.\n')
    else
      world.stdout.write(
        table<ListedFlowAnswer>(
          flows,
          [
            { title: 'slug', value: (flow) => flow.slug, style: () => 'bold' },
            { title: 'name', value: (flow) => flow.name },
            { title: 'type', value: (flow) => flow.type },
            { title: 'access', value: accessOf },
            { title: 'updated', value: (flow) => flow.updatedDate.slice(0, 16).replace('T', ' ') },
            { title: 'id', value: (flow) => flow.id },
          ],
          paintFor(world.stdout, world.environment),
        ),
      )
    return 0
  },
})

/** A list for a key that may only ask does not tell whether a flow is closed. */
const accessOf = ({ apikeyid }: ListedFlowAnswer) =>
  apikeyid === undefined ? '' : apikeyid ? 'by key' : 'open'
