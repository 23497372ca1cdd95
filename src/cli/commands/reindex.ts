import { isObject, type Json } from '../../kit/json.ts'
import { command } from '../command.ts'
import { Failure } from '../failure.ts'
import { resultOf } from '../follow-job.ts'
import { jsonBody } from '../http.ts'
import { flag, text } from '../options.ts'
import { type Paint, paintFor } from '../paint.ts'
import { printable } from '../printable.ts'
import { showProgress } from '../progress.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../server-options.ts'
import { counted, readableTime } from '../units.ts'
import { type UpsertAnswer, warningLines } from '../upsert-report.ts'

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
      const answer = await resultOf(client, first, progress)
      stdout.write(
        options.json ? `${JSON.stringify(answer)}\n` : report(answer, paintFor(stdout, environment)),
      )
      return 0
    } finally {
      progress.end()
    }
  },
})

type ReindexAnswer = Pick<UpsertAnswer, 'warnings'> & {
  numChunks: number
  numEmbedded: number
  embedder: string
  timeTaken: number
}

/** @throws Failure where the answer is none of a reindex */
function report(answer: Json, paint: Paint): string {
  if (!isObject(answer) || typeof answer.numChunks !== 'number')
    throw new Failure('The server’s answer tells no counts')
  const { numChunks, numEmbedded, embedder, timeTaken, warnings = [] } = answer as ReindexAnswer
  const chunks = paint(
    'bold',
    `${counted(numChunks, 'chunk')}, ${counted(numEmbedded, 'text')} embedded anew`,
  )
  return [
    ...warningLines(warnings, paint),
    `${chunks} by ${printable(embedder)} in ${readableTime(timeTaken)}\n`,
  ].join('')
}
