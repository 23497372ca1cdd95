import { flag, text } from '../options.ts'
import { paintFor } from '../paint.ts'
import { repairReport } from '../repair-report.ts'
import { serverCommand } from '../server-command.ts'
import { runStoreJob } from '../store-job.ts'

export const repairCommand = serverCommand({
  summary: 'Compares the points of a vector engine with the chunks of a flow, and mends what differs',
  args: ['<flow>'],
  about:
    'For stores in other engines (Postgres, Qdrant, OpenSearch, Elasticsearch, Pinecone, Chroma), while the server runs: points without\n' +
    'a chunk are deleted, those that are missing, differ or have a damaged vector are written, and only texts without a vector in the\n' +
    'engine are embedded. Uploads into the same store wait meanwhile. The server runs this as a job, which continues when this\n' +
    'command is interrupted (sluice job list). The exit code is 1 when something is left, or with --dry-run when something differs.',
  options: {
    'dry-run': flag('only compares, and tells what a repair would do'),
    store: text('node', 'the id of the vector store node, in a flow that has several'),
    json: flag('prints the server’s answer as it is'),
  },
  examples: ['handbook --dry-run', 'handbook'],
  async run({ world, client, args, options }) {
    const [flow] = args as [string]
    const { stdout, environment } = world
    const answer = await runStoreJob(world, client, {
      path: `vector/repair/${encodeURIComponent(flow)}${options['dry-run'] ? '?dryRun=true' : ''}`,
      store: options.store,
      shape: async () => (await import('../../api/repair.ts')).repairShape,
      expected: 'the result of a repair',
    })
    stdout.write(
      options.json ? `${JSON.stringify(answer)}\n` : repairReport(answer, paintFor(stdout, environment)),
    )
    return answer.numLeft === 0 ? 0 : 1
  },
})
