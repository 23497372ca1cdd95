import { fetchChunks, fetchDropped, fetchSources, mustHold } from '../../flow-sources.ts'
import { citationPlace, sectionOf } from '../../../documents/citation.ts'
import { fetchQuestions, fetchTrace } from '../../fetch-trace.ts'
import { flag } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { printable } from '../../printable.ts'
import { serverCommand } from '../../server-command.ts'
import { traceReport } from '../../trace-report.ts'

export const showSourceCommand = serverCommand({
  summary: 'Shows the chunks of a source in order, with their text, and what was left out of it',
  args: ['<flow>', '<source>'],
  options: {
    trace: flag(
      'shows where its words went: how much of its text is in one chunk, in several, in none, and why',
    ),
    json: flag(
      'prints one JSON object per line, for each chunk, then { dropped } for what was left out; with --trace one object',
    ),
  },
  examples: ['quickstart safety-manual.pdf', 'quickstart safety-manual.pdf --trace'],
  async run({ world, client, args, options }) {
    const [flow, source] = args as [string, string]
    const held = await fetchSources(client, flow)
    mustHold([source], held, flow)
    const paint = paintFor(world.stdout, world.environment)
    if (options.trace) {
      const trace = await fetchTrace(client, flow, source)
      const questions = await fetchQuestions(client, flow, source)
      const { changedSettings = [] } = held.find((one) => one.source === source) ?? {}
      world.stdout.write(
        options.json
          ? `${JSON.stringify({ ...trace, changedSettings, questions: questions ?? null })}\n`
          : traceReport({ trace, questions }, paint, changedSettings),
      )
      return 0
    }
    const dropped = await fetchDropped(client, flow, source)
    let number = 0
    for await (const chunk of fetchChunks(client, flow, source)) {
      number++
      if (options.json) world.stdout.write(`${JSON.stringify(chunk)}\n`)
      else {
        const { metadata = {} } = chunk
        world.stdout.write(
          `${number > 1 ? '\n' : ''}${paint('bold', `${number}.`)}  ${paint('dim', printable([citationPlace(metadata), sectionOf(metadata), chunk.id].filter(Boolean).join('  ')))}\n`,
        )
        for (const line of chunk.pageContent.split('\n')) world.stdout.write(`${printable(line)}\n`)
      }
    }
    if (options.json) for (const row of dropped) world.stdout.write(`${JSON.stringify({ dropped: row })}\n`)
    else if (dropped.length > 0) {
      world.stdout.write(`\n${paint('bold', 'Left out')}\n`)
      for (const { text } of dropped) world.stdout.write(`${printable(text)}\n`)
    }
    return 0
  },
})
