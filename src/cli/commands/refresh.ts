import { Failure } from '../failure.ts'
import { neededLines, refreshPath } from '../load-comparison.ts'
import { flag, text } from '../options.ts'
import { paintFor } from '../paint.ts'
import { serverCommand } from '../server-command.ts'
import { runStoreJob } from '../store-job.ts'
import { throwOnFailedFiles, upsertReport } from '../upsert-report.ts'

export const refreshCommand = serverCommand({
  summary: 'Loads documents of a flow again that were loaded with other settings',
  args: ['<flow>'],
  about:
    'Use it after a loader or a text splitter of a flow was changed: "sluice source list" says which settings differ. Documents\n' +
    'are read from the files that the server has kept (sluice flow set FLOW originals=on), and loaders that find their documents\n' +
    'run again. Only new texts are embedded. Until the end, queries find the old chunks. After a change of the embedder use\n' +
    '"sluice reindex". The server runs this as a job, which continues when this command is interrupted (sluice job list).',
  options: {
    store: text('node', 'the id of the vector store node, in a flow that has several'),
    json: flag('prints the server’s answer as it is'),
  },
  examples: ['quickstart', 'handbook --json'],
  async run({ world, client, args, options }) {
    const [flow] = args as [string]
    const { stdout, environment } = world
    const answer = await runStoreJob(world, client, {
      path: refreshPath(flow),
      store: options.store,
      shape: async () => (await import('../../api/upsert.ts')).upsertCounters,
      expected: 'the result of a refresh',
    })
    const needed = answer.filesNeeded ?? { count: 0, names: [] }
    if (options.json) stdout.write(`${JSON.stringify(answer)}\n`)
    else if (answer.files?.length === 0 && needed.count === 0)
      stdout.write('Nothing to load: all documents have the settings of the flow.\n')
    else {
      stdout.write(upsertReport(answer, paintFor(stdout, environment)))
      stdout.write(neededLines(needed, flow).join(''))
    }
    throwOnFailedFiles(answer)
    if (needed.count > 0)
      throw new Failure(
        'Some documents differ still: their files are not kept',
        `send them again with sluice upsert ${flow}; "sluice flow set ${flow} originals=on" keeps files`,
      )
    return 0
  },
})
