import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { reasonOf } from '../../../kit/errors.ts'
import { isObject } from '../../../kit/json.ts'
import { command } from '../../command.ts'
import { Failure } from '../../failure.ts'
import { flowPath } from '../../flow-answer.ts'
import { text } from '../../options.ts'
import { printable } from '../../printable.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'

export const exportFlow = command({
  summary: 'Writes a flow as a file that this server and Flowise import',
  args: ['<flow>'],
  about:
    'It holds the drawing, what requests may override, uploads and limits; never a key, a secret or a stored file. What was\n' +
    'left out is told on standard error.',
  options: { ...SERVER_OPTIONS, output: text('file', 'where to; standard output unless given') },
  settings: SERVER_SETTINGS,
  examples: ['quickstart --output quickstart.json'],
  async run({ world, config, args, options: { output, ...server } }) {
    const answer = await serverOf(server, config, world).send('GET', `${flowPath(args[0]!)}/export`)
    if (!isObject(answer) || !isObject(answer.file))
      throw new Failure('The server’s answer is not that of an export')
    const drawing = `${JSON.stringify(answer.file, null, 2)}\n`
    for (const { node, input } of (answer.leftOut ?? []) as { node: string; input: string }[])
      world.stderr.write(`left out  ${printable(`${node} › ${input}`)}\n`)
    if (output === undefined) world.stdout.write(drawing)
    else
      await writeFile(path.resolve(world.directory, output), drawing).catch((error: unknown) => {
        throw new Failure(`Cannot write ${output}: ${reasonOf(error)}`)
      })
    return 0
  },
})
