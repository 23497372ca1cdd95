import type { RunHead } from '../../../api/run.ts'
import { flag, wholeNumber } from '../../options.ts'
import { printRows } from '../../print-rows.ts'
import { readAnswer } from '../../read-answer.ts'
import { RUN_STYLES, stateOfRun } from '../../run-report.ts'
import { serverCommand } from '../../server-command.ts'
import type { Column } from '../../table.ts'
import { readableTime } from '../../units.ts'

export const listRunsCommand = serverCommand({
  summary: 'Lists the last runs of a flow: answers and jobs (needs a key with the scope manage)',
  args: ['<flow>'],
  options: {
    limit: wholeNumber('the most rows to show, at most 100; 20 unless given'),
    json: flag('prints the rows as JSON'),
  },
  examples: ['quickstart'],
  async run({ world, client, args, options: { limit, json } }) {
    const query = new URLSearchParams({ flowId: args[0]! })
    if (limit !== undefined) query.set('limit', String(limit))
    const { data } = await readAnswer(
      client.send('GET', `runs?${query}`),
      async () => (await import('../../../api/run.ts')).runList,
      'a list of runs',
    )
    printRows(data, COLUMNS, { world, json, none: 'The flow has no run that is kept.' })
    return 0
  },
})

const COLUMNS: Column<RunHead>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'kind', value: ({ kind }) => kind },
  { title: 'state', value: stateOfRun, style: ({ state }) => RUN_STYLES[state] },
  { title: 'took', value: ({ ms }) => (ms === null ? '' : readableTime(ms)), right: true },
  { title: 'started', value: ({ startedAt }) => startedAt.slice(0, 19).replace('T', ' ') },
  { title: 'what', value: ({ title }) => title },
]
