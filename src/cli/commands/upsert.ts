import { command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { count, flag, jsonObject, list, text } from '../options.ts'
import { paintFor } from '../paint.ts'
import { chunkReport, type ChunkAnswer } from '../chunk-report.ts'
import { sendFiles } from '../send-files.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../server-options.ts'
import { gatherFiles } from '../upload-file.ts'
import { complainOfFailures, upsertReport, type UpsertAnswer } from '../upsert-report.ts'

export const upsert = command({
  summary: 'Loads files into the vector store of a flow',
  args: ['<flow>', '<file|dir|->…'],
  about:
    'A directory stands for all files below it, hidden ones and node_modules left out; they are named by their path\n' +
    'inside it. - is standard input. Everything goes in one request, so that the cleanup sees the whole.\n' +
    'The server works on it as a job: it goes on when this command is interrupted (sluice job list).',
  options: {
    ...SERVER_OPTIONS,
    name: text('name', 'what the server shall call standard input'),
    chunkSize: count('overrides the size of a chunk'),
    chunkOverlap: count('overrides how much neighbouring chunks share'),
    metadata: jsonObject('metadata for every chunk'),
    set: list('name=value', 'overrides any input of the flow that allows it'),
    strict: flag('one failed file fails the whole upsert, and nothing is written'),
    dryRun: flag('tells what would happen and writes nothing'),
    sourceDocuments: flag('shows all chunks'),
    json: flag('prints the server’s answer as it is'),
  },
  settings: [...SERVER_SETTINGS, 'MAX_FILES'],
  examples: [
    'quickstart handbook/',
    'quickstart a.pdf b.docx --chunk-size 500',
    'quickstart - --name notes.txt',
  ],
  async run({ world, config, args, options }) {
    const [flow, ...paths] = args as [string, ...string[]]
    const { directory, stdin, stdout } = world
    const { sourceDocuments, metadata } = options
    const fields = Object.entries({
      chunkSize: options.chunkSize?.toString(),
      chunkOverlap: options.chunkOverlap?.toString(),
      metadata: metadata && JSON.stringify(metadata),
      strict: options.strict ? 'true' : undefined,
      dryRun: options.dryRun ? 'true' : undefined,
      returnSourceDocuments: sourceDocuments ? 'true' : undefined,
    }).filter((field): field is [string, string] => field[1] !== undefined)
    fields.push(...options.set.map(assignment))

    const client = serverOf(options, config, world)
    const files = await gatherFiles(paths, { directory, stdin, stdinName: options.name })
    const answer = await sendFiles(client, { flow, files, fields, maxFiles: config.MAX_FILES }, world)
    const paint = paintFor(stdout, world.environment)
    if (options.json) stdout.write(`${JSON.stringify(answer)}\n`)
    else {
      stdout.write(upsertReport(answer, paint))
      if (sourceDocuments) stdout.write(`\n${chunkReport(sourceDocumentsOf(answer), stdout, paint)}`)
    }
    complainOfFailures(answer)
    return 0
  },
})

function assignment(text: string): [name: string, value: string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new UsageError(`--set: expected name=value, received ${JSON.stringify(text)}`)
  return [name, value]
}

const sourceDocumentsOf = (answer: UpsertAnswer & { sourceDocuments?: unknown }): ChunkAnswer[] =>
  Array.isArray(answer.sourceDocuments) ? (answer.sourceDocuments as ChunkAnswer[]) : []
