import type { ChunkAnswer } from '../../api/query.ts'
import { UNLIKELY } from '../../contract/retrieval.ts'
import type { JsonObject } from '../../kit/json.ts'
import { chunkReport } from '../chunk-report.ts'
import { command } from '../command.ts'
import { findChunks } from '../find-chunks.ts'
import { count, flag, jsonObject, oneOf } from '../options.ts'
import { paintFor } from '../paint.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../server-options.ts'

export const query = command({
  summary: 'Finds the chunks that answer a question',
  args: ['<flow>', '<question>'],
  options: {
    ...SERVER_OPTIONS,
    topK: count('how many chunks, 1 to 1,000; the flow’s own number unless given'),
    mode: oneOf(['hybrid', 'vector', 'keyword'], 'how to search'),
    filter: jsonObject('what the metadata of a chunk must be'),
    full: flag('prints whole chunks instead of the best sentence of each'),
    json: flag('prints the server’s answer as it is'),
  },
  settings: SERVER_SETTINGS,
  examples: [
    'quickstart "who signs the contracts?"',
    `quickstart budget --top-k 8 --filter '{"source": "plan.xlsx"}'`,
  ],
  async run({ world, config, args, options }) {
    const [flow, question] = args as [string, string]
    const { topK, mode, filter } = options
    const answer = await findChunks(serverOf(options, config, world), flow, {
      query: question,
      highlight: true,
      ...(topK === undefined ? {} : { topK }),
      ...(mode === undefined ? {} : { mode }),
      ...(filter === undefined ? {} : { filter: filter as JsonObject }),
    })
    const { stdout, environment } = world
    if (options.json) stdout.write(`${JSON.stringify(answer)}\n`)
    else if (answer.docs.length > 0) tell(answer.docs)
    else world.stderr.write('No chunk answers this.\n')
    return 0

    function tell(chunks: ChunkAnswer[]): void {
      const full = options.full ?? false
      stdout.write(chunkReport(chunks, stdout, paintFor(stdout, environment), { full }))
      if (chunks.every(({ confidence }) => typeof confidence === 'number' && confidence < UNLIKELY))
        world.stderr.write('\nNothing here seems to answer this: the confidence of every chunk is low.\n')
    }
  },
})
