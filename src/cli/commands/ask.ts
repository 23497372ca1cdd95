import type { ChunkAnswer } from '../../api/hit.ts'
import type { JsonObject } from '../../kit/json.ts'
import { askFlow, predictionPath, readPrediction } from '../ask-flow.ts'
import { chunkReport } from '../chunk-report.ts'
import { jsonBody } from '../http.ts'
import { flag, parsedObject, text } from '../options.ts'
import { paintFor } from '../paint.ts'
import { printable } from '../printable.ts'
import { serverCommand } from '../server-command.ts'

export const ask = serverCommand({
  summary: 'Asks a flow a question, and prints the answer while it is written',
  args: ['<flow>', '<question>'],
  about:
    'Only the answer goes to standard output. The tools that were used, the sources and the id of the chat go to standard\n' +
    'error. --chat continues a conversation.',
  options: {
    chat: text('id', 'the conversation to continue'),
    override: parsedObject('values for inputs of nodes, for this question; only those that the flow allows'),
    json: flag('prints the server’s answer in one piece'),
  },
  examples: ['support "how do I reset my password?"', 'events "what is on in July?" --chat 6f1c…'],
  async run({ world, client, args, options }) {
    const [flow, question] = args as [string, string]
    const { chat, override } = options
    const request: JsonObject = {
      question,
      ...(chat === undefined ? {} : { chatId: chat }),
      ...(override === undefined ? {} : { overrideConfig: override as JsonObject }),
    }
    const { stdout, stderr, environment } = world
    if (options.json) {
      const answer = await readPrediction(client.send('POST', predictionPath(flow), jsonBody(request)))
      stdout.write(`${JSON.stringify(answer)}\n`)
      return 0
    }
    const paint = paintFor(stderr, environment)
    const say = (line: string) => void stderr.write(`${paint('dim', printable(line))}\n`)
    let said = ''
    let sources: ChunkAnswer[] = []
    for await (const event of askFlow(client, flow, request)) {
      if (event.type === 'text') {
        said += event.text
        stdout.write(readable(event.text))
      } else if (event.type === 'tools')
        for (const { tool, failed } of event.tools) say(`used ${tool}${failed ? ', which failed' : ''}`)
      else if (event.type === 'sources') sources = event.sources
      else if (event.type === 'waiting') say(event.question)
      else {
        if (said !== '' && !said.endsWith('\n')) stdout.write('\n')
        if (sources.length > 0) stderr.write(`\n${chunkReport(sources, stderr, paint)}`)
        if (event.chatId !== undefined) say(`chat ${event.chatId}`)
      }
    }
    return 0
  },
})

/** Keeps the line feeds of a text of a model, and removes other control characters. */
const readable = (text: string): string => text.split('\n').map(printable).join('\n')
