import { command } from '../../command.ts'
import { flowPath } from '../../flow-answer.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'

export const rm = command({
  summary: 'Removes a flow, and its chunks unless another flow uses them',
  args: ['<flow>'],
  options: SERVER_OPTIONS,
  settings: SERVER_SETTINGS,
  async run({ world, config, args, options }) {
    await serverOf(options, config, world).send('DELETE', flowPath(args[0]!))
    world.stderr.write(`The flow ${args[0]} is removed.\n`)
    return 0
  },
})
