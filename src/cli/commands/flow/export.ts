import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { reasonOf } from '../../../kit/errors.ts'
import { Failure } from '../../failure.ts'
import { flowPath } from '../../flow-answer.ts'
import { text } from '../../options.ts'
import { printable } from '../../printable.ts'
import { readAnswer } from '../../read-answer.ts'
import { serverCommand } from '../../server-command.ts'

export const exportCommand = serverCommand({
  summary: 'Writes a flow to a file that Sluice and Flowise can import',
  args: ['<flow>'],
  about:
    'The file holds the drawing and the settings for overrides, uploads and limits. It never holds a key, a secret or a stored\n' +
    'file. Standard error lists what was left out.',
  options: { output: text('file', 'the file to write; standard output unless given') },
  examples: ['quickstart --output quickstart.json'],
  async run({ world, client, args, options: { output } }) {
    const { file, leftOut } = await readAnswer(
      client.send('GET', `${flowPath(args[0]!)}/export`),
      async () => (await import('../../../api/flow-import.ts')).exportedFlow,
      'an export',
    )
    if (file.sluice.access === 'key')
      world.stderr.write('left out  the API key of the flow: an import is closed until one is bound\n')
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
