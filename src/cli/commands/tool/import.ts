import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { reasonOf } from '../../../kit/errors.ts'
import { isObject, parseJson } from '../../../kit/json.ts'
import { Failure } from '../../failure.ts'
import { jsonBody } from '../../http.ts'
import { flag } from '../../options.ts'
import { printable } from '../../printable.ts'
import { readAnswer } from '../../read-answer.ts'
import { serverCommand } from '../../server-command.ts'

export const importToolCommand = serverCommand({
  summary: 'Makes a custom tool from the file of a tool of Flowise',
  args: ['<file>'],
  about:
    'The file has a name, a description, a schema and code; - reads standard input. The id of the tool goes to standard output,\n' +
    'what keeps it from running to standard error. The exit code is 1 when it was stored but cannot run.',
  options: { json: flag('prints the tool as JSON') },
  examples: ['"Send Slack Message.json"'],
  async run({ world, client, args, options }) {
    const file = args[0]!
    const given =
      file === '-'
        ? await readAll(world.stdin)
        : await readFile(path.resolve(world.directory, file), 'utf8').catch((error: unknown) => {
            throw new Failure(`Cannot read ${file}: ${reasonOf(error)}`)
          })
    const written = parseJson(given)
    if (!isObject(written) || typeof written.name !== 'string' || !('func' in written))
      throw new Failure(`${file} is not the file of a tool: it has no name and no func`)
    const { id: _, ...tool } = written
    const made = await readAnswer(
      client.send('POST', 'tools', jsonBody(tool)),
      async () => (await import('../../../api/custom-tool.ts')).customToolShape,
      'a tool',
    )
    world.stdout.write(options.json ? `${JSON.stringify(made)}\n` : `${made.id}\n`)
    for (const { message, instead } of made.problems)
      world.stderr.write(
        `${printable(made.name)} cannot run: ${printable(message)}${instead === null ? '' : `. ${printable(instead)}`}\n`,
      )
    return made.problems.length === 0 ? 0 : 1
  },
})
