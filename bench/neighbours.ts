import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { callJson } from './support/http-client.ts'
import { processorSeconds } from './support/process-tree.ts'
import { startServer } from './support/server.ts'
import { printTable, quantile } from './support/table.ts'

/*
 * Five keys with a hundred clients each ask without a pause over connections that stay open, while another process asks `/healthz` on
 * new connections; then the same with a bare Fastify server whose answer is fixed. `BENCH_SECONDS` is how long each is asked,
 * `BENCH_CLIENTS` how many clients there are, `SLUICE_PROGRAM` the `bin/sluice.js` of another checkout.
 */

const ADMIN_KEY = 'the-management-key-of-the-bench'
const KEYS = 5
const DECISIONS = fileURLToPath(new URL('../docs/decisions/', import.meta.url))
const supported = (name: string) => fileURLToPath(new URL(`./support/${name}.ts`, import.meta.url))

/** How long an answer may come after the end, in milliseconds; then the request is lost. */
const LATE_MS = 60_000

type Asked = { url: string; keys: readonly string[] }
type Figures = {
  lost: number
  refused: number
  perSecond: number
  p50: number
  p99: number
  longest: number
  healthP50: number
  healthLongest: number
  leastShare: number
  mostShare: number
  cpuMs: number
}

export async function run(): Promise<void> {
  const seconds = Number(process.env.BENCH_SECONDS ?? 120)
  const clients = Number(process.env.BENCH_CLIENTS ?? 500)
  const sluice = await ofSluice(seconds, clients)
  const bare = await ofBareFastify(seconds, clients)
  const axes: [string, (figures: Figures) => number, 'high' | 'low'][] = [
    ['requests without an answer', (f) => f.lost, 'low'],
    ['requests refused', (f) => f.refused, 'low'],
    ['health on a new connection, longest ms', (f) => f.healthLongest, 'low'],
    ['health on a new connection, p50 ms', (f) => f.healthP50, 'low'],
    ['least answers of a key, % of the mean', (f) => f.leastShare * 100, 'high'],
    ['most answers of a key, % of the mean', (f) => f.mostShare * 100, 'low'],
    ['answers a second', (f) => f.perSecond, 'high'],
    ['p50 ms', (f) => f.p50, 'low'],
    ['p99 ms', (f) => f.p99, 'low'],
    ['longest ms', (f) => f.longest, 'low'],
    ['CPU of the server, ms a request', (f) => f.cpuMs, 'low'],
  ]
  // What is worse first: how many times worse than the bare server.
  const rows = axes
    .map(([name, of, better]) => {
      const [one, other] = [of(sluice), of(bare)]
      const ratio = one === other ? 1 : better === 'low' ? one / other : other / one
      return [name, one, other, ratio] as const
    })
    .sort((a, b) => b[3] - a[3])
  printTable([
    [`${clients} clients, ${seconds} s`, 'sluice', 'bare Fastify', 'times worse'],
    ...rows.map((row) => [...row]),
  ])
}

async function ofSluice(seconds: number, clients: number): Promise<Figures> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  const server = await startServer(folder, [], { ADMIN_KEY }, process.env.SLUICE_PROGRAM)
  try {
    const form = new FormData()
    for (const name of readdirSync(DECISIONS))
      form.append('files', new Blob([readFileSync(path.join(DECISIONS, name))]), name)
    const loaded = await fetch(`${server.url}/api/v1/vector/upsert/quickstart`, {
      method: 'POST',
      body: form,
    })
    if (!loaded.ok) throw new Error(`the upsert answered ${loaded.status}`)
    const keys: string[] = []
    for (let n = 0; n < KEYS; n++) keys.push(await newKey(server.url, n))
    const { url, pid } = server
    return await measure({ url, keys }, { route: '/api/v1/vector/query/quickstart', seconds, clients, pid })
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function newKey(url: string, n: number): Promise<string> {
  const answer = await fetch(`${url}/api/v1/apikey`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ keyName: `key ${n}`, scopes: ['query'], flows: ['quickstart'] }),
  })
  if (!answer.ok) throw new Error(`a new key was answered with ${answer.status}`)
  return ((await answer.json()) as { apiKey: string }).apiKey
}

async function ofBareFastify(seconds: number, clients: number): Promise<Figures> {
  const child = spawn(process.execPath, [supported('bare-fastify')], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const url = await new Promise<string>((resolve) =>
      child.stdout.once('data', (line: Buffer) => resolve(String(line).trim())),
    )
    await callJson('GET', `${url}/healthz`)
    const keys = Array.from({ length: KEYS }, (_, n) => `key ${n}`)
    return await measure({ url, keys }, { route: '/query', seconds, clients, pid: child.pid! })
  } finally {
    child.kill('SIGTERM')
  }
}

async function measure(
  { url, keys }: Asked,
  { route, seconds, clients, pid }: { route: string; seconds: number; clients: number; pid: number },
): Promise<Figures> {
  const taken: number[] = []
  const byKey = keys.map(() => 0)
  let lost = 0
  let refused = 0
  const before = processorSeconds(pid)
  const probe = spawn(process.execPath, [supported('health-probe'), url, String(seconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const health = text(probe.stdout)
  const end = performance.now() + seconds * 1000

  async function client(at: number): Promise<void> {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    const key = at % keys.length
    for (let n = 0; performance.now() < end; n++) {
      const startedAt = performance.now()
      const sent = ask(`${url}${route}`, {
        agent,
        key: keys[key]!,
        question: `how do jobs ${at % 97} wait for ${n % 7} others`,
      })
      const status = await Promise.race([sent, pause(end + LATE_MS - startedAt, 0, { ref: false })])
      if (status === 0) lost++
      else if (status !== 200) refused++
      else {
        taken.push(performance.now() - startedAt)
        byKey[key]!++
      }
    }
    agent.destroy()
  }

  await Promise.all(Array.from({ length: clients }, (_, at) => client(at)))
  const cpuSeconds = processorSeconds(pid) - before
  const healthMs = JSON.parse(await health) as number[]
  const mean = taken.length / keys.length
  return {
    lost,
    refused,
    perSecond: taken.length / seconds,
    p50: quantile(taken, 0.5),
    p99: quantile(taken, 0.99),
    longest: taken.reduce((most, one) => Math.max(most, one), 0),
    healthP50: quantile(healthMs, 0.5),
    healthLongest: Math.max(...healthMs),
    leastShare: Math.min(...byKey) / mean,
    mostShare: Math.max(...byKey) / mean,
    cpuMs: (cpuSeconds * 1000) / taken.length,
  }
}

/** The status of the answer, 0 where there is none. */
function ask(
  url: string,
  { agent, key, question }: { agent: http.Agent; key: string; question: string },
): Promise<number> {
  const body = JSON.stringify({ query: question, topK: 4 })
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  }
  return new Promise((resolve) => {
    http
      .request(url, { method: 'POST', agent, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode!))
      })
      .on('error', () => resolve(0))
      .end(body)
  })
}

if (import.meta.main) await run()
