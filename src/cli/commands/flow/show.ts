import { command } from '../../command.ts'
import { drawingOf, fetchFlow } from '../../flow-answer.ts'
import { flag } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { printable } from '../../printable.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'
import { table } from '../../table.ts'

export const show = command({
  summary: 'Shows a flow and its nodes',
  args: ['<flow>'],
  options: { ...SERVER_OPTIONS, json: flag('prints the server’s answer as it is') },
  settings: SERVER_SETTINGS,
  async run({ world, config, args, options }) {
    const flow = await fetchFlow(serverOf(options, config, world), args[0]!)
    if (options.json) {
      world.stdout.write(`${JSON.stringify(flow)}\n`)
      return 0
    }
    const paint = paintFor(world.stdout, world.environment)
    const { id, slug = '', name, apikeyid } = flow
    const access = apikeyid ? `by the key ${apikeyid}` : 'open'
    world.stdout.write(`${paint('bold', printable(name))}  ${printable(slug)}  ${id}  ${access}\n\n`)
    world.stdout.write(
      table(
        drawingOf(flow).nodes,
        [
          { title: 'node', value: (node) => node.id },
          { title: 'name', value: (node) => node.data?.name },
          { title: 'label', value: (node) => node.data?.label },
        ],
        paint,
      ),
    )
    return 0
  },
})
