import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { reasonOf } from '../../../kit/errors.ts'
import { isObject, parseJson } from '../../../kit/json.ts'
import { command } from '../../command.ts'
import { Failure } from '../../failure.ts'
import { jsonBody } from '../../http.ts'
import { printReports } from '../../import-report.ts'
import { flag, switchedOn, text } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { readAnswer } from '../../read-answer.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'

export const importFlow = command({
  summary: 'Makes flows out of an export of Flowise or of this server, and says what they still need',
  args: ['<file>'],
  about:
    'The file is what the editor of Flowise exports, of a chat flow or of an agent flow, or the export of a whole\n' +
    'instance with several flows; - reads standard input. The names of the new flows go to standard output, the reports\n' +
    'to standard error. Ends with 1 where a flow is stored but cannot run: it needs a node, file or flow that is not here.',
  options: {
    ...SERVER_OPTIONS,
    name: text('name', 'what the flow is called; the name of the file unless given'),
    keepSettings: switchedOn(
      'takes overrides, uploads and limits that the file holds; --no-keep-settings leaves them',
    ),
    json: flag('prints flow and report as JSON'),
  },
  settings: SERVER_SETTINGS,
  examples: ['"My Chatflow.json"', '- --name support < export.json'],
  async run({ world, config, args, options }) {
    const [file] = args
    const given =
      file === '-' ? await readAll(world.stdin) : await read(path.resolve(world.directory, file!), file!)
    const exported = parseJson(given)
    if (!isObject(exported)) throw new Failure(`${file} is no export of a flow: it is not a JSON object`)
    // Only a file of Flowise's editor holds no name of its flow.
    const nameless = Array.isArray(exported.nodes) && !isObject(exported.sluice)
    const name = options.name ?? (file !== '-' && nameless ? nameOf(file!) : undefined)
    const query = [
      ...(name === undefined ? [] : [`name=${encodeURIComponent(name)}`]),
      ...(options.keepSettings ? [] : ['keepSettings=false']),
    ].join('&')
    const client = serverOf(options, config, world)
    const answer = await readAnswer(
      client.send('POST', `chatflows/import${query && `?${query}`}`, jsonBody(exported)),
      async () => (await import('../../../api/flow-import.ts')).importAnswer,
      'that of an import',
    )
    if (options.json) world.stdout.write(`${JSON.stringify(answer)}\n`)
    else printReports(answer.imported, world, paintFor(world.stderr, world.environment))
    return answer.imported.every(({ report }) => report.supported) ? 0 : 1
  },
})

async function read(file: string, given: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    const isFolder = error instanceof Error && 'code' in error && error.code === 'EISDIR'
    if (isFolder) throw new Failure(`${given} is a folder: name one export in it, a file that ends in .json`)
    throw new Failure(`Cannot read ${given}: ${reasonOf(error)}`)
  })
}

/** Flowise names its files "<flow> Chatflow.json" and "<flow> Agents.json". */
const nameOf = (file: string): string => path.basename(file, '.json').replace(/ (Chatflow|Agents)$/, '')
