import { resultOf } from '../follow-job.ts'
import { jsonBody } from '../http.ts'
import { flag, text } from '../options.ts'
import { paintFor } from '../paint.ts'
import { showProgress } from '../progress.ts'
import { readAnswer } from '../read-answer.ts'
import { reindexReport } from '../reindex-report.ts'
import { serverCommand } from '../server-command.ts'

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
    const { stdout, stderr, environment } = world
    const progress = showProgress(world, 0, paintFor(stderr, environment))
    try {
      progress.uploaded()
      const path = `vector/reindex/${encodeURIComponent(flow)}`
      const body = jsonBody(options.store === undefined ? {} : { stopNodeId: options.store })
      const first = await client.send('POST', path, body, { prefer: 'respond-async' })
      const answer = await readAnswer(
        resultOf(client, first, progress),
        async () => (await import('../../api/upsert.ts')).reindexShape,
        'the result of a reindex',
      )
      stdout.write(
        options.json ? `${JSON.stringify(answer)}\n` : reindexReport(answer, paintFor(stdout, environment)),
      )
      return 0
    } finally {
      progress.end()
    }
  },
})
