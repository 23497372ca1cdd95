import type { JobAnswer } from '../../../api/job.ts'
import { JOB_STATES } from '../../../contract/job.ts'
import { command } from '../../command.ts'
import { count, flag, oneOf, text } from '../../options.ts'
import { paintFor, type Style } from '../../paint.ts'
import { readAnswer } from '../../read-answer.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'
import { table } from '../../table.ts'

const STATE_STYLE: Record<JobAnswer['state'], Style> = {
  queued: 'dim',
  running: 'cyan',
  done: 'green',
  failed: 'red',
  cancelled: 'yellow',
}

export const list = command({
  summary: 'Lists jobs, newest first; this is management',
  options: {
    ...SERVER_OPTIONS,
    state: oneOf(JOB_STATES, 'only jobs in this state'),
    flow: text('id', 'only jobs of this flow'),
    limit: count('how many at the most; 50 unless given'),
    json: flag('prints the rows as JSON'),
  },
  settings: SERVER_SETTINGS,
  examples: ['', '--state running'],
  async run({ world, config, options }) {
    const query = new URLSearchParams()
    if (options.state !== undefined) query.set('state', options.state)
    if (options.flow !== undefined) query.set('flowId', options.flow)
    if (options.limit !== undefined) query.set('limit', String(options.limit))
    const client = serverOf(options, config, world)
    const { data: jobs, total } = await readAnswer(
      client.send('GET', `jobs${query.size > 0 ? `?${query}` : ''}`),
      async () => (await import('../../../api/job.ts')).jobPage,
      'a list of jobs',
    )
    if (options.json) world.stdout.write(`${JSON.stringify(jobs, null, 2)}\n`)
    else if (jobs.length === 0) world.stderr.write('There is no such job.\n')
    else
      world.stdout.write(
        table<JobAnswer>(
          jobs,
          [
            { title: 'id', value: (job) => job.id },
            { title: 'kind', value: (job) => job.kind },
            { title: 'state', value: (job) => job.state, style: (job) => STATE_STYLE[job.state] },
            { title: 'files', value: (job) => `${job.files.done} of ${job.files.total}`, right: true },
            { title: 'chunks', value: (job) => job.chunks.seen, right: true },
            { title: 'made', value: (job) => job.createdAt.slice(0, 19).replace('T', ' ') },
            { title: 'flow', value: (job) => job.flowId },
          ],
          paintFor(world.stdout, world.environment),
        ),
      )
    if (!options.json && total > jobs.length) world.stderr.write(`${jobs.length} of ${total} are shown.\n`)
    return 0
  },
})
