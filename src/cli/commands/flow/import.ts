import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { reasonOf } from '../../../kit/errors.ts'
import { isObject, parseJson } from '../../../kit/json.ts'
import { command } from '../../command.ts'
import { Failure } from '../../failure.ts'
import { jsonBody } from '../../http.ts'
import { printReport } from '../../import-report.ts'
import { flag, switchedOn, text } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'

export const importFlow = command({
  summary: 'Makes a flow out of an export of Flowise or of this server, and says what it still needs',
  args: ['<file>'],
  about:
    'The file is what the editor of Flowise exports, of a chat flow or of an agent flow; - reads standard input.\n' +
    'The address of the new flow goes to standard output, the report to standard error.',
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
    // A file of ours holds the name of its flow.
    const name = options.name ?? (file === '-' || isObject(exported.sluice) ? undefined : nameOf(file!))
    const query = [
      ...(name === undefined ? [] : [`name=${encodeURIComponent(name)}`]),
      ...(options.keepSettings ? [] : ['keepSettings=false']),
    ].join('&')
    const answer = await serverOf(options, config, world).send(
      'POST',
      `chatflows/import${query && `?${query}`}`,
      jsonBody(exported),
    )
    if (options.json) world.stdout.write(`${JSON.stringify(answer)}\n`)
    else printReport(answer, world, paintFor(world.stderr, world.environment))
    return 0
  },
})

async function read(file: string, given: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new Failure(`Cannot read ${given}: ${reasonOf(error)}`)
  })
}

/** Flowise names its files "<flow> Chatflow.json" and "<flow> Agents.json". */
const nameOf = (file: string): string => path.basename(file, '.json').replace(/ (Chatflow|Agents)$/, '')
