import { flag, text } from '../options.ts'
import { paintFor } from '../paint.ts'
import { reindexReport } from '../reindex-report.ts'
import { serverCommand } from '../server-command.ts'
import { runStoreJob } from '../store-job.ts'

export const reindexCommand = serverCommand({
  summary: 'Embeds the documents of a flow again, with its current embedder',
  args: ['<flow>'],
  about:
    'Use it after the embedder of a flow was changed. Until all new vectors exist, queries use the old vectors; a flow that\n' +
    'has the new embedder already is searched by keywords. The server runs this as a job, which continues when this command is\n' +
    'interrupted (sluice job list).',
  options: {
    store: text('node', 'the id of the vector store node, in a flow that has several'),
    json: flag('prints the server’s answer as it is'),
  },
  examples: ['quickstart', 'handbook --store builtInVectorStore_1'],
  async run({ world, client, args, options }) {
    const [flow] = args as [string]
    const { stdout, environment } = world
    const answer = await runStoreJob(world, client, {
      path: `vector/reindex/${encodeURIComponent(flow)}`,
      store: options.store,
      shape: async () => (await import('../../api/upsert.ts')).reindexShape,
      expected: 'the result of a reindex',
    })
    stdout.write(
      options.json ? `${JSON.stringify(answer)}\n` : reindexReport(answer, paintFor(stdout, environment)),
    )
    return 0
  },
})
