import type { Config } from '../../kit/config.ts'
import type { JsonObject } from '../../kit/json.ts'
import { askFlow } from '../ask-flow.ts'
import { Failure } from '../failure.ts'
import { readFlow } from '../flow-answer.ts'
import { type Client, jsonBody } from '../http.ts'
import { paintFor } from '../paint.ts'
import { printable } from '../printable.ts'
import type { World } from '../world.ts'
import { agentFlow, type DemoModel } from './agent-flow.ts'
import { EVENT_QUESTIONS, playEvents } from './event-script.ts'
import { startScriptedModel } from './scripted-model.ts'

type Act = {
  client: Client
  /** Where the event service is. */
  events: string
  config: Config
  /** Which model of OpenAI's protocol, where a real one is at hand. */
  model: string
  world: World
  /** Takes what has to be closed behind the act: people may go on asking. */
  ending: AsyncDisposableStack
}

/**
 * Lets an agent look after the events: it lists, creates, changes and deletes one, through request tools. A real model
 * thinks where the settings lead to one; else a script plays it, and says so.
 */
export async function playAgentAct({ client, events, config, model, world, ending }: Act): Promise<void> {
  const { stdout, environment } = world
  const paint = paintFor(stdout, environment)
  const thinking = await modelFor(config, model, ending)
  stdout.write(`${paint('bold', 'An agent over the event service')}  ${paint('dim', labelOf(thinking))}\n\n`)
  const flow = await storeFlow(client, agentFlow(events, thinking))

  let chatId: string | undefined
  for (const question of EVENT_QUESTIONS) {
    stdout.write(`${paint(['bold', 'cyan'], question)}\n`)
    let said = ''
    const request = { question, ...(chatId === undefined ? {} : { chatId }) }
    for await (const event of askFlow(client, flow, request)) {
      if (event.type === 'text') said += event.text
      else if (event.type === 'tools')
        for (const { tool, failed } of event.tools)
          stdout.write(paint('dim', `    ${printable(tool)}${failed ? ', which failed' : ''}\n`))
      else if (event.type === 'done') chatId = event.chatId
    }
    if (said === '') throw new Failure(`The agent says nothing to "${question}"`)
    stdout.write(`    ${printable(said)}\n\n`)
  }
}

/** Stores the flow and answers its address. */
async function storeFlow(client: Client, flowData: JsonObject): Promise<string> {
  const body = jsonBody({ name: 'Events', flowData })
  return (await readFlow(client.send('POST', 'chatflows', body))).slug
}

async function modelFor(config: Config, name: string, ending: AsyncDisposableStack): Promise<DemoModel> {
  if (config.OPENAI_API_KEY !== undefined) return { name }
  // Servers of one's own often want no key.
  if (config.origins.OPENAI_BASE_URL !== 'default') return { name, at: config.OPENAI_BASE_URL }
  const script = await startScriptedModel(playEvents)
  ending.defer(() => script.close())
  return { name: 'scripted', at: script.baseUrl, scripted: true }
}

const labelOf = ({ name, at, scripted }: DemoModel): string =>
  scripted
    ? 'no model is at hand, so a script plays one; with OPENAI_API_KEY or OPENAI_BASE_URL a real one thinks'
    : `the model is ${name}${at === undefined ? '' : ` at ${at}`}`
