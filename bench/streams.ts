import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { residentOf, watchMemory } from './support/process-tree.ts'
import { startServer } from './support/server.ts'
import { median, printTable, quantile } from './support/table.ts'

const STREAMS = 1000
const TOKENS = 62
const GAP_MS = 500
const CALLS = 200
const KEY = 'the-key-of-the-bench'

/** How many answers at once the server streams without losing a frame, and what it adds to the first token. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  const model = fork(fileURLToPath(new URL('support/steady-model.ts', import.meta.url)))
  const modelUrl = `http://127.0.0.1:${await portOf(model)}`
  const server = await startServer(folder, [], { ADMIN_KEY: KEY })
  const agent = new Agent({ keepAlive: true })
  try {
    const steady = await makeFlow(server.url, modelUrl, `${TOKENS}x${GAP_MS}`)
    const quick = await makeFlow(server.url, modelUrl, '5x0')
    await overhead({ platform: `${server.url}/api/v1/prediction/${quick}`, model: modelUrl, agent })
    console.log()
    await many(`${server.url}/api/v1/prediction/${steady}`, server.pid)
  } finally {
    agent.destroy()
    await server.stop()
    model.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function portOf(child: ChildProcess): Promise<number> {
  const [port] = (await once(child, 'message')) as [number]
  return port
}

async function makeFlow(url: string, model: string, modelName: string): Promise<string> {
  const node = (id: string, name: string, inputs: object) => ({ id, data: { id, name, label: name, inputs } })
  const flowData = {
    nodes: [
      node('model_0', 'chatOpenAICustom', { modelName, basepath: `${model}/v1`, openAIApiKey: 'none' }),
      node('memory_0', 'bufferMemory', {}),
      node('chain_0', 'conversationChain', {
        model: '{{model_0.data.instance}}',
        memory: '{{memory_0.data.instance}}',
      }),
    ],
    edges: [],
  }
  const response = await fetch(`${url}/api/v1/chatflows`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
    body: JSON.stringify({ name: modelName, flowData }),
  })
  return ((await response.json()) as { id: string }).id
}

type Places = { platform: string; model: string; agent: Agent }

/** The first token of the provider called bare, and of the same call through a flow, turn by turn. */
async function overhead({ platform, model, agent }: Places): Promise<void> {
  const bare: number[] = []
  const ours: number[] = []
  const bareBody = { model: '5x0', stream: true, messages: [{ role: 'user', content: 'hello' }] }
  for (let n = 0; n < CALLS + 20; n++) {
    const direct = await firstToken(`${model}/v1/chat/completions`, bareBody, '"content":"t0 "', agent)
    const through = await firstToken(
      platform,
      { question: 'hello', streaming: true },
      '"event":"token"',
      agent,
    )
    // The first calls load what is loaded on demand.
    if (n >= 20) {
      bare.push(direct)
      ours.push(through)
    }
  }
  const row = (name: string, times: number[]) => [name, median(times), quantile(times, 0.99)]
  printTable([
    [`first token of ${CALLS} calls`, 'p50 ms', 'p99 ms'],
    row('the provider, called bare', bare),
    row('through a flow', ours),
    ['added', median(ours) - median(bare), quantile(ours, 0.99) - quantile(bare, 0.99)],
  ])
}

async function firstToken(url: string, body: object, sign: string, agent: Agent): Promise<number> {
  const began = performance.now()
  const response = await post(url, body, agent)
  let seen = ''
  let at = 0
  for await (const piece of response.setEncoding('utf8')) {
    seen += piece
    if (at === 0 && seen.includes(sign)) at = performance.now() - began
  }
  if (at === 0) throw new Error(`no token came: ${seen.slice(0, 300)}`)
  return at
}

/** Opens many streams at once and checks every frame of each. */
async function many(url: string, pid: number): Promise<void> {
  const before = residentOf(pid).own
  const peak = watchMemory(pid)
  const began = performance.now()
  const opening: Promise<Stream>[] = []
  for (let n = 0; n < STREAMS; n++) {
    opening.push(follow(url))
    // One second to open them all: a thousand questions do not arrive within one millisecond.
    if (n % 50 === 49) await pause(50)
  }
  const streams = await Promise.all(opening)
  const { own } = peak()
  printTable([
    [`${STREAMS} streams of ${TOKENS} tokens`, ''],
    ['whole, every frame in its place', streams.filter(({ whole }) => whole).length],
    ['frames lost or out of order', streams.reduce((sum, { lost }) => sum + lost, 0)],
    ['seconds the shortest was held', Math.min(...streams.map(({ seconds }) => seconds))],
    ['seconds for all', (performance.now() - began) / 1000],
    ['longest wait for the first token, s', Math.max(...streams.map(({ first }) => first))],
    ['longest silence in a stream, s', Math.max(...streams.map(({ silence }) => silence))],
    ['RSS before, MB', before],
    ['RSS at its most, MB', own],
    ['KB a stream', ((own - before) * 1024) / STREAMS],
  ])
}

type Stream = { whole: boolean; lost: number; seconds: number; first: number; silence: number }

async function follow(url: string): Promise<Stream> {
  const began = performance.now()
  const response = await post(url, { question: 'hold the line', streaming: true })
  let rest = ''
  let next = 0
  let lost = 0
  let ended = false
  let last = performance.now()
  let silence = 0
  let first = Number.NaN
  for await (const piece of response.setEncoding('utf8')) {
    const frames = (rest + piece).split('\n\n')
    rest = frames.pop()!
    for (const frame of frames) {
      const json = /^message:\ndata:(.*)$/.exec(frame)?.[1]
      if (json === undefined) continue
      const { event, data } = JSON.parse(json) as { event: string; data: unknown }
      if (event === 'end') ended = true
      if (event !== 'token') continue
      if (next === 0) first = (performance.now() - began) / 1000
      silence = Math.max(silence, performance.now() - last)
      last = performance.now()
      if (data !== `t${next} `) lost += 1
      next += 1
    }
  }
  const missing = TOKENS - next
  return {
    whole: ended && lost === 0 && missing === 0,
    lost: lost + Math.max(0, missing),
    seconds: (performance.now() - began) / 1000,
    first,
    silence: silence / 1000,
  }
}

async function post(url: string, body: object, agent?: Agent): Promise<IncomingMessage> {
  const text = JSON.stringify(body)
  const request = httpRequest(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
    agent: agent ?? false,
  })
  request.end(text)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}

if (import.meta.main) await run()
