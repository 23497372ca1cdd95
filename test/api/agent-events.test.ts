import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import type { Event } from '../../src/events/event.ts'
import { startEvents } from '../../src/events/main.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { quietLog } from '../../src/kit/log.ts'
import { node, step, steps } from '../support/agent-drawing.ts'
import { type ChatCall, type Scene, startChatServer, type Turn } from '../support/chat-server.ts'
import { makePlatform } from '../support/platform.ts'

/** The example conversations of the event tutorial: a model, played by a script, works on the real event service. */

const [platform, chat, events] = await Promise.all([
  makePlatform(),
  startChatServer(),
  startEvents({ host: '127.0.0.1', port: 0, log: quietLog }),
])
after(async () => {
  assert.deepEqual(chat.violations, [])
  chat.close()
  await events.close()
})

const eventsUrl = `${events.url}/events`

const body = {
  name: { type: 'string', required: true, description: 'Name of the event' },
  date: { type: 'string', required: true, description: 'Like 2026-03-01T18:00:00Z' },
  location: { type: 'string', required: true, description: 'Where it takes place' },
}
const id = (required: boolean) => ({
  id: { type: 'string', in: 'path', required, description: 'Id of the event' },
})

/** The tools of the tutorial, and a PATCH tool, which the event service has too; the address is rich text in agent flows. */
const requestTools = (address: (url: string) => string): Record<string, JsonObject> => ({
  requestsGet: {
    requestsGetUrl: address(eventsUrl),
    requestsGetName: 'get_events',
    requestsGetDescription: 'Reads all events, or one by its id',
    requestsGetQueryParamsSchema: JSON.stringify(id(false)),
  },
  requestsPost: {
    requestsPostUrl: address(eventsUrl),
    requestsPostName: 'create_event',
    requestsPostDescription: 'Creates an event',
    requestsPostBodySchema: JSON.stringify(body),
  },
  requestsPut: {
    requestsPutUrl: address(eventsUrl),
    requestsPutName: 'update_event',
    requestsPutDescription: 'Changes an event',
    requestsPutBodySchema: JSON.stringify({ id: { type: 'string', required: true }, ...body }),
  },
  requestsPatch: {
    requestsPatchUrl: address(`${eventsUrl}/:id`),
    requestsPatchName: 'patch_event',
    requestsPatchDescription: 'Changes an event in part',
    requestsPatchQueryParamsSchema: JSON.stringify(id(true)),
    requestsPatchBodySchema: JSON.stringify(body),
  },
  requestsDelete: {
    requestsDeleteUrl: address(eventsUrl),
    requestsDeleteName: 'delete_event',
    requestsDeleteDescription: 'Deletes an event by its id',
    requestsDeleteQueryParamsSchema: JSON.stringify(id(true)),
  },
})

const plug = (name: string) => `{{${name}_0.data.instance}}`
const model = { modelName: 'scripted', basepath: `${chat.url}/v1`, openAIApiKey: 'none', streaming: true }
const SYSTEM = 'You keep a list of events. It is {{ current_date_time }}.'

/** A chat flow with an agent that has tools. */
const chatFlow = (tools: Record<string, JsonObject>) => ({
  nodes: [
    node('chatOpenAICustom_0', model),
    node('bufferMemory_0'),
    ...Object.entries(tools).map(([name, inputs]) => node(`${name}_0`, inputs)),
    node('toolAgent_0', {
      model: plug('chatOpenAICustom'),
      memory: plug('bufferMemory'),
      tools: Object.keys(tools).map(plug),
      systemMessage: SYSTEM,
    }),
  ],
  edges: [],
})

/** The same as an agent flow. */
const agentFlow = (tools: Record<string, JsonObject>) => ({
  nodes: [
    step('startAgentflow_0', { startInputType: 'chatInput', startState: '' }),
    step('agentAgentflow_0', {
      agentModel: 'chatOpenAICustom',
      agentModelConfig: { ...model, agentModel: 'chatOpenAICustom' },
      agentMessages: [{ role: 'system', content: `<p>${SYSTEM}</p>` }],
      agentTools: Object.entries(tools).map(([name, inputs]) => ({
        agentSelectedTool: name,
        agentSelectedToolRequiresHumanInput: '',
        agentSelectedToolConfig: { agentSelectedTool: name, ...inputs },
      })),
      agentEnableMemory: true,
      agentMemoryType: 'allMessages',
    }),
  ],
  edges: steps('startAgentflow_0 > agentAgentflow_0'),
})

const description = readFileSync(new URL('../../src/events/openapi.yaml', import.meta.url))
const toolkit = {
  openAPIToolkit: {
    inputType: 'file',
    openApiFile: `data:application/yaml;base64,${description.toString('base64')},filename:openapi.yaml`,
    selectedServer: events.url,
  },
}

/** How a call of an operation is written, by the tools that a flow has. */
type Words = {
  list: [name: string, input: JsonObject]
  create: (event: JsonObject) => [name: string, input: JsonObject]
  /** The first try at a change, which the service refuses, and its message. */
  wrong: (id: string, event: JsonObject) => [name: string, input: JsonObject]
  refusal: RegExp
  update: (id: string, event: JsonObject) => [name: string, input: JsonObject]
  remove: (id: string) => [name: string, input: JsonObject]
}

const requests: Words = {
  list: ['get_events', {}],
  create: (event) => ['create_event', { body: event }],
  wrong: (id, event) => ['update_event', { body: { id, ...event } }],
  refusal: /^HTTP 404 Not Found\n\n\{"error":"Endpoint not found"\}$/,
  update: (id, event) => ['patch_event', { queryParams: { id }, body: event }],
  remove: (id) => ['delete_event', { queryParams: { id } }],
}

const operations: Words = {
  list: ['listEvents', {}],
  create: (event) => ['createEvent', { RequestBody: event }],
  wrong: (_, event) => ['updateEventDetails', { PathParameters: { id: 'none' }, RequestBody: event }],
  refusal: /404[\s\S]*"error": ?"Event not found"/,
  update: (id, event) => ['updateEventDetails', { PathParameters: { id }, RequestBody: event }],
  remove: (id) => ['deleteEvent', { PathParameters: { id } }],
}

const flows: [string, object, Words][] = [
  ['a Tool Agent with request tools', chatFlow(requestTools((url) => url)), requests],
  ['an Agent node with request tools', agentFlow(requestTools((url) => `<p>${url}</p>`)), requests],
  ['a Tool Agent with the OpenAPI toolkit', chatFlow(toolkit), operations],
  ['an Agent node with the OpenAPI toolkit', agentFlow(toolkit), operations],
]

const stored = async (): Promise<Event[]> => (await fetch(eventsUrl)).json() as Promise<Event[]>

/** The result of the last tool call, as the model gets it. */
const lastToolResult = ({ body }: ChatCall): string => {
  const last = (body.messages as JsonObject[]).at(-1)!
  assert.equal(last.role, 'tool')
  return String(last.content)
}

const calls = ([name, input]: [string, JsonObject]): Turn => ({ calls: [{ name, input }] })

type Prediction = { text: string; usedTools: { tool: string; toolOutput: string; error?: string }[] }

for (const [name, flowData, words] of flows)
  test(`${name} lists, creates, changes and deletes events [agent:tools, agent:date, tools:names, tools:get, tools:post, tools:put, tools:delete, tools:patch, tools:put-path, tools:params-schema, tools:body-schema, openapi:toolkit]`, async () => {
    const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', { name, flowData })
    assert.equal(made.status, 200, made.text)

    async function say(question: string, ...scenes: Scene[]): Promise<Prediction> {
      chat.script(...scenes)
      const asked = { question, chatId: `chat of ${name}` }
      const { status, text, body } = await platform.call<Prediction>(
        'POST',
        `/api/v1/prediction/${made.body.id}`,
        { body: asked },
      )
      assert.equal(status, 200, text)
      assert.equal(chat.left(), 0, 'the model was called once for each turn of the script')
      return body
    }

    const before = await stored()
    const fair = { name: 'Book fair', date: '2026-03-01T18:00:00Z', location: 'Bergen' }

    const listed = await say('Which events are there?', calls(words.list), (call) => ({
      text: `There are ${lastToolResult(call).match(/"location":/g)?.length ?? 0} events.`,
    }))
    assert.equal(listed.text, `There are ${before.length} events.`)
    const first = chat.calls.at(-2)!.body.messages as JsonObject[]
    assert.match(String(first[0]!.content), /^You keep a list of events\. It is \d{4}-\d\d-\d\dT[\d:.]+Z\.$/)
    assert.equal(first.at(-1)!.content, 'Which events are there?')

    const created = await say('Create a book fair', calls(words.create(fair)), (call) => {
      assert.match(lastToolResult(call), /Book fair/)
      return { text: 'It is on the list.' }
    })
    assert.equal(created.text, 'It is on the list.')
    const added = (await stored()).at(-1)!
    assert.partialDeepStrictEqual(added, fair)

    const moved = { ...fair, location: 'Oslo' }
    const changed = await say(
      'Move it to Oslo',
      calls(words.wrong(added.id, moved)),
      (call) => {
        assert.match(lastToolResult(call), words.refusal)
        return calls(words.update(added.id, moved))
      },
      { text: 'Moved.' },
    )
    assert.deepEqual(
      changed.usedTools.map(({ error }) => error !== undefined),
      [true, false],
    )
    assert.deepEqual((await stored()).at(-1), { ...added, location: 'Oslo' })
    const history = chat.calls.at(-3)!.body.messages as JsonObject[]
    assert.ok(
      history.some(({ content }) => content === 'It is on the list.'),
      'what was said before is remembered',
    )

    const gone = await say('Delete it', calls(words.remove(added.id)), { text: 'Deleted.' })
    assert.equal(gone.text, 'Deleted.')
    assert.deepEqual(await stored(), before)
  })
