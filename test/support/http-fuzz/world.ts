import type { JsonObject } from '../../../src/kit/json.ts'
import { createExampleCalls } from '../example-calls.ts'
import { exampleFlows } from '../example-flows.ts'
import { type Answer, form } from '../platform.ts'
import { type Below, pick } from './odd.ts'
import { type Draft, type FuzzRequest, written } from './requests.ts'

/** Sends a request with the management key and judges the answer. */
export type Send = (route: string, request: FuzzRequest) => Promise<Answer>

export type World = {
  /** The example of a route with things that are made for it: the request succeeds. */
  valid(route: string): Promise<Draft>
  /** The same with things that earlier requests used, and may have changed or removed. */
  again(route: string): Promise<Draft>
}

/** How many ids of a kind are kept for later requests. */
const KEPT = 20

/** Long enough that its job still runs when it is cancelled. */
const LONG = Array.from({ length: 2000 }, (_, i) => `The otter number ${i} swims.`).join('\n')

const first = () => 0

/** Stores what a server has to hold so that valid requests succeed. */
export async function makeWorld(send: Send, modelUrl: string, below: Below): Promise<World> {
  const known = new Map<string, string[]>()
  let count = 0

  async function perform<Body>(route: string, request: FuzzRequest): Promise<Answer<Body>> {
    const answer = await send(route, request)
    if (answer.status >= 300) throw new Error(`${route} is needed to go on: ${answer.status} ${answer.text}`)
    return answer as Answer<Body>
  }

  const create = <Body>(path: string, body: JsonObject) =>
    perform<Body>(`POST ${path}`, {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  const options = {
    made: (name: string, id: string) => void known.set(name, [...(known.get(name) ?? []), id].slice(-KEPT)),
  }
  const sendDraft = (draft: Draft, route: string) => send(route, written(draft, first, false))
  const fresh = createExampleCalls(sendDraft, options)
  const used = createExampleCalls(sendDraft, {
    ...options,
    reuse: (name) => (known.has(name) ? pick(below, known.get(name)!) : undefined),
  })

  async function runningJob(): Promise<string> {
    const { body } = await perform<{ jobId: string }>('POST /api/v1/vector/upsert/:flowId', {
      method: 'POST',
      path: '/api/v1/vector/upsert/quickstart?async=true',
      headers: {},
      // Content that is known already would be loaded before it can be cancelled.
      body: form(
        { 'otters.txt': `${++count}\n${LONG.replaceAll('otter', `otter ${count}`)}` },
        { chunkSize: '40', chunkOverlap: '0' },
      ),
    })
    options.made('job', body.jobId)
    return body.jobId
  }

  async function cancelledJob(): Promise<string> {
    const id = await runningJob()
    const path = `/api/v1/jobs/${id}/cancel`
    await perform('POST /api/v1/jobs/:id/cancel', { method: 'POST', path, headers: {}, body: undefined })
    return id
  }

  /** The names of assets contain a hash: the page has the current ones. */
  async function scriptOfStudio(): Promise<string> {
    const { text } = await perform('GET /', { method: 'GET', path: '/', headers: {}, body: undefined })
    const script = /src="(\/assets\/[^"]+)"/.exec(text)?.[1]
    if (script === undefined) throw new Error('the studio is not built: npm run build:studio')
    return script
  }

  async function deletedFlow(): Promise<string> {
    const { body } = await create<{ id: string }>('/api/v1/chatflows', {
      name: `Old ${++count}`,
      template: 'quickstart',
    })
    const path = `/api/v1/chatflows/${body.id}`
    await perform('DELETE /api/v1/chatflows/:id', { method: 'DELETE', path, headers: {}, body: undefined })
    return body.id
  }

  /** A flow that keeps the file of its document `handbook.txt`. */
  async function keepingFlow(): Promise<string> {
    const { body } = await create<{ id: string }>('/api/v1/chatflows', {
      name: `Keeping ${++count}`,
      template: 'quickstart',
    })
    await perform('PATCH /api/v1/chatflows/:id/settings', {
      method: 'PATCH',
      path: `/api/v1/chatflows/${body.id}/settings`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ set: { originals: 'on' } }),
    })
    await perform('POST /api/v1/vector/upsert/:flowId', {
      method: 'POST',
      path: `/api/v1/vector/upsert/${body.id}`,
      headers: {},
      body: form({ 'handbook.txt': `The notice period is ${count} weeks.` }, {}),
    })
    return body.id
  }

  for (const flow of exampleFlows(modelUrl)) await create('/api/v1/chatflows', flow)
  const { apiKey } = (await create<{ apiKey: string }>('/api/v1/apikey', { keyName: 'of the fuzzer' })).body

  /** Requests that succeed, for examples that are refused by design. */
  const SUCCEEDING: Readonly<Record<string, () => Promise<string> | string>> = {
    'POST /api/v1/jobs/:id/cancel': async () => `/api/v1/jobs/${await runningJob()}/cancel`,
    'POST /api/v1/jobs/:id/retry': async () => `/api/v1/jobs/${await cancelledJob()}/retry`,
    'GET /api/v1/verify/apikey/:key': () => `/api/v1/verify/apikey/${apiKey}`,
    'GET /assets/:name': scriptOfStudio,
    'POST /api/v1/chatflows/:id/restore': async () => `/api/v1/chatflows/${await deletedFlow()}/restore`,
    'GET /api/v1/vector/sources/:flowId/original': async () =>
      `/api/v1/vector/sources/${await keepingFlow()}/original?source=handbook.txt`,
  }

  return {
    async valid(route) {
      const draft = await fresh.request(route)
      const path = await SUCCEEDING[route]?.()
      return path === undefined ? draft : { ...draft, path }
    },
    // What an earlier request removed cannot be used to make something new.
    again: (route) => used.request(route).catch(() => fresh.request(route)),
  }
}
