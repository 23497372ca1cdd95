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

type AgentDemo = {
  client: Client
  /** The address of the event service. */
  events: string
  config: Config
  /** The name of the model, where a real one can be called. */
  model: string
  world: World
  /** Closes at the end of the program what the demo opens: the flow can be asked after the demo, too. */
  ending: AsyncDisposableStack
}

/**
 * Runs an agent that lists, creates, changes and deletes events through request tools. It uses a real model where the settings
 * have one; otherwise a script takes the place of the model, and the output says so.
 */
export async function runAgentDemo({
  client,
  events,
  config,
  model,
  world,
  ending,
}: AgentDemo): Promise<void> {
  const { stdout, environment } = world
  const paint = paintFor(stdout, environment)
  const usedModel = await modelFor(config, model, ending)
  stdout.write(`${paint('bold', 'An agent over the event service')}  ${paint('dim', labelOf(usedModel))}\n\n`)
  const flow = await storeFlow(client, agentFlow(events, usedModel))

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
    if (said === '') throw new Failure(`The agent has no answer to "${question}"`)
    stdout.write(`    ${printable(said)}\n\n`)
  }
}

/** Stores the flow. @returns its slug */
async function storeFlow(client: Client, flowData: JsonObject): Promise<string> {
  const body = jsonBody({ name: 'Events', flowData })
  return (await readFlow(client.send('POST', 'chatflows', body))).slug
}

async function modelFor(config: Config, name: string, ending: AsyncDisposableStack): Promise<DemoModel> {
  if (config.OPENAI_API_KEY !== undefined) return { name }
  // A local server often needs no key.
  if (config.origins.OPENAI_BASE_URL !== 'default') return { name, at: config.OPENAI_BASE_URL }
  const script = await startScriptedModel(playEvents)
  ending.defer(() => script.close())
  return { name: 'scripted', at: script.baseUrl, scripted: true }
}

const labelOf = ({ name, at, scripted }: DemoModel): string =>
  scripted
    ? 'no model is configured, so a script takes its place; set OPENAI_API_KEY or OPENAI_BASE_URL to use a real one'
    : `the model is ${name}${at === undefined ? '' : ` at ${at}`}`
