import type { FatedSourceAnswer } from '../../../../api/fate.ts'
import type { UpsertAnswer } from '../../../../api/upsert.ts'
import { isObject } from '../../../../kit/json.ts'
import { fetchDraft, requireDraft } from '../../../draft-answer.ts'
import { resultOf } from '../../../follow-job.ts'
import { type Client, jsonBody } from '../../../http.ts'
import { jobPath } from '../../../job-answer.ts'
import { neededLines } from '../../../load-comparison.ts'
import { flag, text } from '../../../options.ts'
import { type Paint, paintFor } from '../../../paint.ts'
import { showProgress } from '../../../progress.ts'
import { readAnswer } from '../../../read-answer.ts'
import { serverCommand } from '../../../server-command.ts'
import { type Column, table } from '../../../table.ts'
import { warningLines } from '../../../upsert-report.ts'

/** How many sources are listed. */
const SOURCES = 50

export const previewDraftCommand = serverCommand({
  summary:
    'Shows what the draft of a flow would change of the loaded documents; nothing is embedded or stored',
  args: ['<flow>'],
  about:
    'Reads the documents that the draft would load otherwise, from the files that the server has kept and with loaders that find\n' +
    'theirs, and counts the chunks that come, go, move or stay, and the tokens to embed.',
  options: {
    store: text('node', 'the id of the vector store node, in a flow that has several'),
    json: flag('prints the server’s answer as it is, with the sources'),
  },
  examples: ['quickstart'],
  async run({ world, client, args, options }) {
    const flow = args[0]!
    requireDraft(await fetchDraft(client, flow))
    const body = {
      draft: true,
      refresh: true,
      ...(options.store === undefined ? {} : { stopNodeId: options.store }),
    }
    const progress = showProgress(world, 0, paintFor(world.stderr, world.environment))
    try {
      progress.uploaded()
      const accepted = await client.send('POST', `vector/dry-run/${encodeURIComponent(flow)}`, jsonBody(body))
      const answer: UpsertAnswer = await readAnswer(
        resultOf(client, accepted, progress),
        async () => (await import('../../../../api/upsert.ts')).upsertCounters,
        'the result of a dry run',
      )
      const id = isObject(accepted) && typeof accepted.jobId === 'string' ? accepted.jobId : ''
      const sources = await sourcesOf(client, id)
      progress.end()
      const paint = paintFor(world.stdout, world.environment)
      world.stdout.write(
        options.json
          ? `${JSON.stringify({ ...answer, sources: sources.data })}\n`
          : previewLines(answer, sources, flow, paint),
      )
      return 0
    } finally {
      progress.end()
    }
  },
})

const sourcesOf = (client: Client, job: string) =>
  readAnswer(
    client.send('GET', `${jobPath(job)}/sources?largestFirst=true&limit=${SOURCES}`),
    async () => (await import('../../../../api/fate.ts')).fatedSourcePage,
    'the sources of a dry run',
  )

const COLUMNS: Column<FatedSourceAnswer>[] = [
  { title: 'source', value: ({ source }) => source },
  { title: 'before', value: (row) => stay(row) + row.deleted, right: true },
  { title: 'after', value: (row) => stay(row) + row.added, right: true },
  { title: 'added', value: ({ added }) => added, right: true },
  { title: 'deleted', value: ({ deleted }) => deleted, right: true },
  { title: 'updated', value: ({ updated }) => updated, right: true },
  { title: 'moved', value: ({ moved }) => moved, right: true },
  { title: 'tokens', value: ({ tokens }) => tokens, right: true },
]

const stay = ({ updated, moved, skipped, unchanged }: FatedSourceAnswer): number =>
  updated + moved + skipped + unchanged

function previewLines(
  { changes = [], fates, estimate, filesNeeded, warnings = [] }: UpsertAnswer,
  { data, total }: { data: FatedSourceAnswer[]; total: number },
  flow: string,
  paint: Paint,
): string {
  const needed = filesNeeded ?? { count: 0, names: [] }
  if (total === 0 && needed.count === 0)
    return 'Nothing would change: all documents have the settings of the draft.\n'
  const { texts, tokens, price } = estimate ?? { texts: 0, tokens: 0 }
  const cost = price ? `, ${price.amount.toFixed(4)} ${price.currency}` : ''
  return [
    changes.length > 0 ? `${paint('dim', 'source of change: the draft')}\n` : '',
    data.length > 0 ? table(data, COLUMNS, paint) : '',
    total > data.length ? `and ${total - data.length} more\n` : '',
    ...neededLines(needed, flow),
    ...warningLines(warnings, paint),
    fates
      ? paint(
          'bold',
          `${fates.added} added, ${fates.deleted} deleted, ${fates.updated} updated, ${fates.moved} moved`,
        )
      : '',
    `; ≈ ${tokens.toLocaleString('en')} tokens to embed in ${texts.toLocaleString('en')} texts${cost}\n`,
    'This was a dry run: nothing was written.\n',
  ].join('')
}
