import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { reasonOf } from '../../../kit/errors.ts'
import { command } from '../../command.ts'
import { Failure } from '../../failure.ts'
import { drawingOf, fetchFlow } from '../../flow-answer.ts'
import { text } from '../../options.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'

export const exportFlow = command({
  summary: 'Writes the drawing of a flow as a file that can be imported',
  args: ['<flow>'],
  options: { ...SERVER_OPTIONS, output: text('file', 'where to; standard output unless given') },
  settings: SERVER_SETTINGS,
  examples: ['quickstart --output quickstart.json'],
  async run({ world, config, args, options: { output, ...server } }) {
    const flow = await fetchFlow(serverOf(server, config, world), args[0]!)
    const drawing = `${JSON.stringify(drawingOf(flow), null, 2)}\n`
    if (output === undefined) world.stdout.write(drawing)
    else
      await writeFile(path.resolve(world.directory, output), drawing).catch((error: unknown) => {
        throw new Failure(`Cannot write ${output}: ${reasonOf(error)}`)
      })
    return 0
  },
})
