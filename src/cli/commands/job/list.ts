import type { JobAnswer } from '../../../api/job.ts'
import { JOB_STATES } from '../../../contract/job.ts'
import { notLoaded } from '../../not-loaded.ts'
import { wholeNumber, flag, oneOf, text } from '../../options.ts'
import type { Style } from '../../paint.ts'
import { printRows } from '../../print-rows.ts'
import { readAnswer } from '../../read-answer.ts'
import { serverCommand } from '../../server-command.ts'
import type { Column } from '../../table.ts'

export const listJobsCommand = serverCommand({
  summary: 'Lists jobs, newest first (needs a key with the scope manage)',
  options: {
    state: oneOf(JOB_STATES, 'only jobs in this state'),
    flow: text('id', 'only jobs of this flow'),
    limit: wholeNumber('the most rows to show; 50 unless given'),
    json: flag('prints the rows as JSON'),
  },
  examples: ['', '--state running'],
  async run({ world, client, options: { state, flow, limit, json } }) {
    const query = new URLSearchParams()
    if (state !== undefined) query.set('state', state)
    if (flow !== undefined) query.set('flowId', flow)
    if (limit !== undefined) query.set('limit', String(limit))
    const { data: jobs, total } = await readAnswer(
      client.send('GET', `jobs?${query}`),
      async () => (await import('../../../api/job.ts')).jobPage,
      'a list of jobs',
    )
    printRows(jobs, COLUMNS, { world, json, none: 'There is no such job.' })
    if (!json && total > jobs.length) world.stderr.write(`${jobs.length} of ${total} are shown.\n`)
    return 0
  },
})

const STATE_STYLE: Record<JobAnswer['state'], Style> = {
  queued: 'dim',
  running: 'cyan',
  done: 'green',
  failed: 'red',
  cancelled: 'yellow',
}

const COLUMNS: Column<JobAnswer>[] = [
  { title: 'id', value: (job) => job.id },
  { title: 'kind', value: (job) => job.kind },
  {
    title: 'state',
    value: (job) => job.state,
    style: (job) => (job.files.failed > 0 && job.state === 'done' ? 'yellow' : STATE_STYLE[job.state]),
  },
  { title: 'files', value: (job) => `${job.files.done} of ${job.files.total}`, right: true },
  {
    title: 'not loaded',
    value: (job) => notLoaded(job.files),
    style: (job) => (job.files.failed > 0 ? 'red' : 'dim'),
  },
  { title: 'chunks', value: (job) => job.chunks.seen, right: true },
  { title: 'created', value: (job) => job.createdAt.slice(0, 19).replace('T', ' ') },
  { title: 'flow', value: (job) => job.flowId },
]
