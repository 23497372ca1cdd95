import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { reasonOf } from '../../../kit/errors.ts'
import { isObject, parseJson } from '../../../kit/json.ts'
import { Failure } from '../../failure.ts'
import { jsonBody } from '../../http.ts'
import { printReports } from '../../import-report.ts'
import { flag, switchedOn, text } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { readAnswer } from '../../read-answer.ts'
import { serverCommand } from '../../server-command.ts'

export const importFlow = serverCommand({
  summary: 'Makes flows from an export of Flowise or Sluice, and lists what they still need',
  args: ['<file>'],
  about:
    'The file is the export of one chat flow or agent flow, or of a whole Flowise instance; - reads standard input. The slugs\n' +
    'of the new flows go to standard output, the reports to standard error. The exit code is 1 when a flow was stored but\n' +
    'cannot run, because this server does not have a node, file or flow that it needs.\n' +
    'A flow that needed an API key is closed to all but managers, until --bind or "sluice flow set FLOW key=NAME" names one of\n' +
    'this server: exports never contain it.',
  options: {
    name: text('name', 'the name of the flow; the name of the file unless given'),
    bind: text(
      'key',
      'the API key, by name or id, that callers of the flows need; without it a flow that needed a key is closed',
    ),
    keepSettings: switchedOn(
      'keeps the overrides, uploads and limits of the file; --no-keep-settings leaves them out',
    ),
    json: flag('prints the flows and reports as JSON'),
  },
  examples: ['"My Chatflow.json"', '- --name support < export.json', 'support.json --bind website'],
  async run({ world, client, args, options }) {
    const [file] = args
    const given =
      file === '-' ? await readAll(world.stdin) : await read(path.resolve(world.directory, file!), file!)
    const exported = parseJson(given)
    if (!isObject(exported)) throw new Failure(`${file} is not an export of a flow: it is not a JSON object`)
    // A file of Flowise's editor does not contain the name of its flow.
    const nameless = Array.isArray(exported.nodes) && !isObject(exported.sluice)
    const name = options.name ?? (file !== '-' && nameless ? nameOf(file!) : undefined)
    const query = [
      ...(name === undefined ? [] : [`name=${encodeURIComponent(name)}`]),
      ...(options.bind === undefined ? [] : [`key=${encodeURIComponent(options.bind)}`]),
      ...(options.keepSettings ? [] : ['keepSettings=false']),
    ].join('&')
    const answer = await readAnswer(
      client.send('POST', `chatflows/import${query && `?${query}`}`, jsonBody(exported)),
      async () => (await import('../../../api/flow-import.ts')).importAnswer,
      'an import',
    )
    if (options.json) world.stdout.write(`${JSON.stringify(answer)}\n`)
    else printReports(answer, world, paintFor(world.stderr, world.environment))
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
