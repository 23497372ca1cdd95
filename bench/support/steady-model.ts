import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/*
 * A process with OpenAI's chat protocol and no model: the name `60x500` asks for 60 tokens, one every
 * 500 milliseconds, the first at once. Token number 7 is "t7 ".
 */
const server = createServer(async (request, response) => {
  const { model } = JSON.parse(await text(request)) as { model: string }
  const [tokens, gap] = model.split('x').map(Number) as [number, number]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: object, finish: string | null = null) =>
    response.write(`data: ${JSON.stringify(chunkOf(model, delta, finish))}\n\n`)
  for (let n = 0; n < tokens && !response.destroyed; n++) {
    if (n > 0 && gap > 0) await pause(gap)
    send(n === 0 ? { role: 'assistant', content: 't0 ' } : { content: `t${n} ` })
  }
  send({}, 'stop')
  response.end('data: [DONE]\n\n')
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))

const chunkOf = (model: string, delta: object, finish_reason: string | null) => ({
  id: 'chatcmpl-steady',
  object: 'chat.completion.chunk',
  created: 0,
  model,
  choices: [{ index: 0, delta, finish_reason }],
})
