import type { ChunkAnswer } from '../../api/hit.ts'
import type { QueryAnswer } from '../../api/query-answer.ts'
import type { JsonObject } from '../../kit/json.ts'
import { chunkReport } from '../chunk-report.ts'
import { expectedReport } from '../expected-report.ts'
import { findChunks } from '../find-chunks.ts'
import { wholeNumber, flag, parsedObject, oneOf, repeated, text } from '../options.ts'
import { paintFor } from '../paint.ts'
import { printable } from '../printable.ts'
import { serverCommand } from '../server-command.ts'

export const query = serverCommand({
  summary: 'Finds the chunks that answer a question',
  args: ['<flow>', '<question>'],
  options: {
    topK: wholeNumber('how many chunks to show, 1 to 1,000; the setting topK of the flow unless given'),
    mode: oneOf(['hybrid', 'vector', 'keyword'], 'how to search; the setting of the flow unless given'),
    noSpelling: flag('searches words as they are typed, also those that no chunk has'),
    noRescore: flag('keeps the hybrid order, without rescoring the first 20 chunks'),
    after: repeated(
      'question',
      'an earlier question of the same conversation, in order: it is searched too, with less weight',
    ),
    filter: parsedObject('shows only chunks whose metadata matches'),
    full: flag('prints whole chunks instead of the best sentence of each'),
    explain: flag('prints what each score is the sum of, and the place of each chunk after each step'),
    expect: text(
      'name',
      'a document, or the id of a chunk, that the answer should have: prints where it is, or what left it out',
    ),
    json: flag('prints the server’s answer as it is'),
  },
  examples: [
    'quickstart "who signs the contracts?"',
    'quickstart "and who signs them?" --after "which contracts are there?"',
    'quickstart "who signs the contracts?" --expect contracts.pdf',
    `quickstart budget --top-k 8 --filter '{"source": "plan.xlsx"}'`,
  ],
  async run({ world, client, args, options }) {
    const [flow, question] = args as [string, string]
    const { topK, mode, filter } = options
    const answer = await findChunks(client, flow, {
      query: question,
      highlight: true,
      ...(topK === undefined ? {} : { topK }),
      ...(mode === undefined ? {} : { mode }),
      ...(options.noSpelling ? { spelling: false } : {}),
      ...(options.noRescore ? { rescore: false } : {}),
      // The settings that were used say which side was searched.
      ...(options.explain || (options.expect !== undefined && !options.json) ? { explain: true } : {}),
      ...(options.expect === undefined ? {} : { expect: expectationOf(options.expect) }),
      ...(options.after?.length ? { history: options.after } : {}),
      ...(filter === undefined ? {} : { filter: filter as JsonObject }),
    })
    const { stdout, environment } = world
    const used = answer.explanation?.settings.mode
    if (options.json) stdout.write(`${JSON.stringify(answer)}\n`)
    else if (options.expect !== undefined && answer.expected) {
      stdout.write(expectedReport(options.expect, answer.expected, paintFor(stdout, environment), used))
    } else {
      reportReadings(answer.readings ?? [])
      if (answer.docs.length > 0) {
        reportChunks(answer.docs)
        if (options.explain) reportBelow(answer.below ?? [])
      } else world.stderr.write('No chunk was found.\n')
      if (answer.unlikely) world.stderr.write('\nProbably none of these chunks answers the question.\n')
    }
    return 0

    function reportReadings(readings: NonNullable<QueryAnswer['readings']>): void {
      for (const { word, readAs } of readings)
        world.stderr.write(`No chunk has "${word}": also searched ${readAs.join(' and ')}.\n`)
    }

    function reportChunks(chunks: ChunkAnswer[]): void {
      const { full = false, explain = false } = options
      stdout.write(chunkReport(chunks, stdout, paintFor(stdout, environment), { full, explain, mode: used }))
    }

    function reportBelow(below: NonNullable<QueryAnswer['below']>): void {
      if (below.length === 0) return
      const chunks = below.map(({ place, source, score }) => `${place}. ${source ?? ''} ${score.toFixed(3)}`)
      stdout.write(`\nCut off below: ${printable(chunks.join(', '))}\n`)
    }
  },
})

/** The ids of chunks are UUIDs; anything else is the name of a document. */
const expectationOf = (name: string) => (CHUNK_ID.test(name) ? { chunk: name } : { source: name })

const CHUNK_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
