import { command } from '../command.ts'
import { resultOf } from '../follow-job.ts'
import { jsonBody } from '../http.ts'
import { flag, text } from '../options.ts'
import { paintFor } from '../paint.ts'
import { showProgress } from '../progress.ts'
import { readAnswer } from '../read-answer.ts'
import { reindexReport } from '../reindex-report.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../server-options.ts'

export const reindex = command({
  summary: 'Embeds what a flow holds anew, with the embedder that it has now',
  args: ['<flow>'],
  about:
    'For a flow whose embedder was changed. Questions are answered from the old vectors until all new ones are there;\n' +
    'those of a flow that asks by another embedder already are answered by keywords. The server works on it as a job:\n' +
    'it goes on when this command is interrupted (sluice job list).',
  options: {
    ...SERVER_OPTIONS,
    store: text('node', 'the vector store’s node, in a flow that has several'),
    json: flag('prints the server’s answer as it is'),
  },
  settings: SERVER_SETTINGS,
  examples: ['quickstart', 'handbook --store builtInVectorStore_1'],
  async run({ world, config, args, options }) {
    const [flow] = args as [string]
    const { stdout, stderr, environment } = world
    const client = serverOf(options, config, world)
    const progress = showProgress(world, 0, paintFor(stderr, environment))
    try {
      progress.uploaded()
      const path = `vector/reindex/${encodeURIComponent(flow)}`
      const body = jsonBody(options.store === undefined ? {} : { stopNodeId: options.store })
      const first = await client.send('POST', path, body, { prefer: 'respond-async' })
      const answer = await readAnswer(
        resultOf(client, first, progress),
        async () => (await import('../../api/upsert.ts')).reindexShape,
        'that of a reindex',
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
