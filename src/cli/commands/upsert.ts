import type { UpsertAnswer } from '../../api/upsert.ts'
import { assignment } from '../assignments.ts'
import { UsageError } from '../failure.ts'
import { wholeNumber, flag, parsedObject, repeated, text } from '../options.ts'
import { paintFor } from '../paint.ts'
import { chunkReport } from '../chunk-report.ts'
import { lockedFiles, sendOpened } from '../send-opened.ts'
import { serverCommand } from '../server-command.ts'
import { finishSync, planSync, syncReport } from '../sync-folder.ts'
import { gatherFiles } from '../upload-file.ts'
import { throwOnFailedFiles, upsertReport } from '../upsert-report.ts'

export const upsert = serverCommand({
  summary: 'Loads files into the vector store of a flow',
  args: ['<flow>', '<file|dir|->…'],
  about:
    'A directory means all files below it, without hidden files and node_modules. The source of a file is its path inside the\n' +
    'directory. - is standard input. All files go in one request, so that the cleanup of the flow compares all of them.\n' +
    '--sync makes the flow equal to one directory. The name of each source begins with the name of the directory\n' +
    '(handbook/a.pdf). Sources below that name are removed when their file does not exist any more; other sources do not\n' +
    'change. Sources are removed last, so a renamed file is not embedded again, and none is removed when a file failed.\n' +
    '--dry-run shows what would be removed.\n' +
    'The server runs an upsert as a job, which continues when this command is interrupted (sluice job list).\n' +
    'For a PDF that is protected by a password this command asks on a terminal, and sends all files once more with the answer.',
  options: {
    name: text('name', 'the source name of standard input'),
    chunkSize: wholeNumber('overrides the size of chunks'),
    chunkOverlap: wholeNumber('overrides the overlap of neighbouring chunks'),
    metadata: parsedObject('metadata for every chunk'),
    set: repeated('name=value', 'overrides any input of the flow that allows it'),
    password: text('password', 'opens PDFs that are protected by one; on a terminal it is asked for'),
    strict: flag('stores nothing when one file fails'),
    dryRun: flag('shows what would happen, and stores nothing'),
    sync: flag('also removes sources whose files do not exist any more'),
    as: text('name', 'how the sources of --sync begin; the name of the directory unless given, . for none'),
    yes: flag('lets --sync remove all sources when the directory is empty'),
    sourceDocuments: flag('prints the chunks too'),
    json: flag('prints the server’s answer as it is'),
  },
  settings: ['MAX_FILES'],
  examples: [
    'quickstart handbook/',
    'quickstart a.pdf b.docx --chunk-size 500',
    'quickstart - --name notes.txt',
    'quickstart handbook/ --sync --dry-run',
  ],
  async run({ world, client, config, args, options }) {
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

    const { sync: syncing, as, yes, dryRun } = options
    if (!syncing && as !== undefined) throw new UsageError('--as can be used only with --sync')
    const sync = syncing ? await planSync(client, { flow, paths, as, yes }, world) : undefined
    const files = sync?.files ?? (await gatherFiles(paths, { directory, stdin, stdinName: options.name }))
    const answer: UpsertAnswer =
      files.length === 0
        ? NOTHING_SENT
        : await sendOpened(
            client,
            { flow, files, fields, maxFiles: config.MAX_FILES, password: options.password },
            world,
          )
    const synced = sync && (await finishSync(client, { flow, dryRun }, sync, answer))
    const paint = paintFor(stdout, world.environment)
    if (options.json) stdout.write(`${JSON.stringify({ ...answer, ...(synced ? { sync: synced } : {}) })}\n`)
    else {
      stdout.write(upsertReport(answer, paint))
      if (sourceDocuments) stdout.write(`\n${chunkReport(answer.sourceDocuments ?? [], stdout, paint)}`)
      if (synced) stdout.write(`\n${syncReport(synced, dryRun)}`)
    }
    const hint = lockedFiles(answer).length > 0 ? LOCKED : undefined
    throwOnFailedFiles(answer, sync && sync.vanished.length > 0 ? KEPT : hint)
    return 0
  },
})

/** The answer when a sync has no file to send. */
const NOTHING_SENT: UpsertAnswer = {
  numAdded: 0,
  numUpdated: 0,
  numSkipped: 0,
  numDeleted: 0,
  files: [],
  warnings: [],
}

const LOCKED = '--password opens PDFs that are protected by one'

const KEPT =
  'no source was removed, because a failed file may be a renamed one: correct the file and sync again'
