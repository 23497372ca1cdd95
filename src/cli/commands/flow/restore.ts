import { flowPath, readFlow } from '../../flow-answer.ts'
import { jsonBody } from '../../http.ts'
import { text } from '../../options.ts'
import { printable } from '../../printable.ts'
import { serverCommand } from '../../server-command.ts'

export const restoreFlowCommand = serverCommand({
  summary: 'Brings a removed flow back, with its chunks, history and key',
  args: ['<flow>'],
  about: 'The flow is the id or the slug of a flow in sluice flow deleted.',
  options: { slug: text('slug', 'another slug, where the old one has been taken') },
  async run({ world, client, args, options: { slug } }) {
    const body = slug === undefined ? {} : { slug }
    const flow = await readFlow(client.send('POST', `${flowPath(args[0]!)}/restore`, jsonBody(body)))
    world.stderr.write(`The flow ${printable(flow.slug)} is back.\n`)
    return 0
  },
})
