import type { UpsertAnswer } from '../../api/upsert.ts'
import { assignment } from '../assignments.ts'
import { command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { count, flag, jsonObject, list, text } from '../options.ts'
import { paintFor } from '../paint.ts'
import { chunkReport } from '../chunk-report.ts'
import { sendFiles } from '../send-files.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../server-options.ts'
import { finishSync, planSync, syncReport } from '../sync-folder.ts'
import { gatherFiles } from '../upload-file.ts'
import { complainOfFailures, upsertReport } from '../upsert-report.ts'

export const upsert = command({
  summary: 'Loads files into the vector store of a flow',
  args: ['<flow>', '<file|dir|->…'],
  about:
    'A directory stands for all files below it, hidden ones and node_modules left out; they are named by their path\n' +
    'inside it. - is standard input. Everything goes in one request, so that the cleanup sees the whole.\n' +
    'With --sync the flow is kept like one directory: its files are sources below its name (handbook/a.pdf), and those\n' +
    'whose file left it are removed, once all else is in. Sources outside that name are never touched. A renamed file is\n' +
    'not embedded anew. Where a file fails nothing is removed. With --dry-run it names what would go.\n' +
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
    sync: flag('removes what has left the directory'),
    as: text(
      'name',
      'what the sources of --sync begin with; the directory’s own name unless given, . for none',
    ),
    yes: flag('lets --sync remove everything where the directory is empty'),
    sourceDocuments: flag('shows all chunks'),
    json: flag('prints the server’s answer as it is'),
  },
  settings: [...SERVER_SETTINGS, 'MAX_FILES'],
  examples: [
    'quickstart handbook/',
    'quickstart a.pdf b.docx --chunk-size 500',
    'quickstart - --name notes.txt',
    'quickstart handbook/ --sync --dry-run',
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
    fields.push(...options.set.map((text) => assignment(text, '--set')))

    const client = serverOf(options, config, world)
    const { sync: syncing, as, yes, dryRun } = options
    if (!syncing && as !== undefined) throw new UsageError('--as belongs to --sync')
    const sync = syncing ? await planSync(client, { flow, paths, as, yes }, world) : undefined
    const files = sync?.files ?? (await gatherFiles(paths, { directory, stdin, stdinName: options.name }))
    const answer: UpsertAnswer =
      files.length === 0
        ? NOTHING_SENT
        : await sendFiles(client, { flow, files, fields, maxFiles: config.MAX_FILES }, world)
    const synced = sync && (await finishSync(client, { flow, dryRun }, sync, answer))
    const paint = paintFor(stdout, world.environment)
    if (options.json) stdout.write(`${JSON.stringify({ ...answer, ...(synced ? { sync: synced } : {}) })}\n`)
    else {
      stdout.write(upsertReport(answer, paint))
      if (sourceDocuments) stdout.write(`\n${chunkReport(answer.sourceDocuments ?? [], stdout, paint)}`)
      if (synced) stdout.write(`\n${syncReport(synced, dryRun)}`)
    }
    complainOfFailures(answer, sync && sync.gone.length > 0 ? KEPT : undefined)
    return 0
  },
})

/** What a sync of an empty directory has to tell. */
const NOTHING_SENT: UpsertAnswer = {
  numAdded: 0,
  numUpdated: 0,
  numSkipped: 0,
  numDeleted: 0,
  files: [],
  warnings: [],
}

const KEPT = 'nothing was removed, for a file that failed may be one that was renamed: mend it and sync again'
