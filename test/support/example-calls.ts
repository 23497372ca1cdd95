import { addressOf, EXAMPLES } from '../../src/server/docs/examples.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { until } from './until.ts'

/** A request before it has a caller. `files` become a multipart form. */
export type ExampleCall = {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: JsonObject | undefined
  files: Readonly<Record<string, string>> | undefined
}

export type SendExample = (
  call: ExampleCall,
  route: string,
) => Promise<{ status: number; body: unknown; text: string }>

export type ExampleCallsOptions = {
  /** An id to use for `$name`, if none has to be made. */
  reuse?: (name: string) => string | undefined
  made?: (name: string, id: string) => void
}

export type ExampleCalls = {
  /** The example of a route (`GET /api/v1/jobs/:id`), with ids of things that are made for it. */
  request(route: string): Promise<ExampleCall>
  /** Makes what an example calls `$name`, and gives its id. */
  make(name: string): Promise<string>
}

/** Fields that may be used once only; each request gets a value of its own. */
const UNIQUE: Readonly<Record<string, string>> = {
  'POST /api/v1/chatflows': 'slug',
  'POST /api/v1/variables': 'name',
}

/** The routes with examples that make what later ones call `$name`, and the field of the answer that is its id. */
const PRODUCERS = new Map(
  Object.entries(EXAMPLES).flatMap(([route, { keep }]) =>
    keep ? [[keep[0], { route, field: keep[1] }] as const] : [],
  ),
)

/** A run of an agent flow, which the list of executions then shows. */
const RUN = 'POST /api/v1/prediction/:flowId'

/** A flow has one at a time. */
const COMPARISON = 'POST /api/v1/compare/:flowId'

const QUESTIONS = 'POST /api/v1/questions/:flowId'

/** Routes whose examples need what others make, and those. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  'POST /api/v1/eval/:flowId': [QUESTIONS],
  [COMPARISON]: ['POST /api/v1/vector/upsert/:flowId', QUESTIONS],
}

/**
 * Repeats the examples of the documentation as often as a test needs them: every `$name` in a request becomes the id of
 * a new thing, which the example that keeps this name makes.
 *
 * @param send performs a request with the management key
 */
export function createExampleCalls(
  send: SendExample,
  { reuse, made }: ExampleCallsOptions = {},
): ExampleCalls {
  let count = 0

  async function filled(value: string): Promise<string> {
    let text = value
    for (const [whole, name] of value.matchAll(/\$([a-z]\w*)/g))
      if (PRODUCERS.has(name!)) text = text.replace(whole, reuse?.(name!) ?? (await make(name!)))
    return text
  }

  async function request(route: string): Promise<ExampleCall> {
    const example = EXAMPLES[route]
    if (!example) throw new Error(`${route} has no example`)
    for (const one of BEFORE[route] ?? []) await send(await request(one), one)
    if (route === COMPARISON) await until(isNothingCompared, 'the end of the comparison before')
    const [method, url] = route.split(' ') as [string, string]
    const { headers = {}, files } = example
    const body = example.body && (JSON.parse(await filled(JSON.stringify(example.body))) as JsonObject)
    const field = UNIQUE[route]
    if (body && field) body[field] = `${String(body[field])}${++count}`
    return { method, path: await filled(addressOf(url, example)), headers, body, files }
  }

  async function isNothingCompared(): Promise<boolean> {
    // In this order: one that begins between the two questions is seen by the second.
    for (const state of ['queued', 'running']) {
      const path = `/api/v1/jobs?kind=compare&state=${state}`
      const list = { method: 'GET', path, headers: {}, body: undefined, files: undefined }
      const { body } = await send(list, 'GET /api/v1/jobs')
      if ((body as { total: number }).total > 0) return false
    }
    return true
  }

  async function make(name: string): Promise<string> {
    const { route, field } = PRODUCERS.get(name)!
    // Some examples only find what was made before.
    if (name === 'row') await make('job')
    if (name === 'execution') {
      const { status, text } = await send({ ...(await request(RUN)), path: '/api/v1/prediction/agent' }, RUN)
      if (status !== 200) throw new Error(`the agent flow did not run: ${status} ${text}`)
    }
    const { status, body, text } = await send(await request(route), route)
    const value = field
      .split('.')
      .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], body)
    if (typeof value !== 'string') throw new Error(`${route} gave no $${name}: ${status} ${text}`)
    // While it runs its job changes by itself.
    if (route === COMPARISON) await until(isNothingCompared, 'the end of the comparison')
    made?.(name, value)
    return value
  }

  return { request, make }
}
