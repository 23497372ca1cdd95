import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { reasonOf } from '../../../kit/errors.ts'
import { command } from '../../command.ts'
import { Failure } from '../../failure.ts'
import { flowPath } from '../../flow-answer.ts'
import { text } from '../../options.ts'
import { printable } from '../../printable.ts'
import { readAnswer } from '../../read-answer.ts'
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
    const { file, leftOut } = await readAnswer(
      serverOf(server, config, world).send('GET', `${flowPath(args[0]!)}/export`),
      async () => (await import('../../../api/flow-import.ts')).exportedFlow,
      'that of an export',
    )
    const drawing = `${JSON.stringify(file, null, 2)}\n`
    for (const { node, input } of leftOut)
      world.stderr.write(`left out  ${printable(`${node} › ${input}`)}\n`)
    if (output === undefined) world.stdout.write(drawing)
    else
      await writeFile(path.resolve(world.directory, output), drawing).catch((error: unknown) => {
        throw new Failure(`Cannot write ${output}: ${reasonOf(error)}`)
      })
    return 0
  },
})
