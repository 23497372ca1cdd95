import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { naturalQuestion, naturalText } from './support/natural.ts'
import { random } from './support/prose.ts'
import { startServer } from './support/server.ts'
import { printTable, quantile } from './support/table.ts'

const PROGRAM = fileURLToPath(new URL('../bin/sluice.js', import.meta.url))

/** Megabytes of text that make 15,000 chunks, and how much is loaded while queries are asked. */
const LOADED = 10.9
const LOADING = 20
const QUERIES = 1000
const PING_EVERY_MS = 5

/** What a query waits while nothing else happens and while an upsert runs, and for how long the server answers no request. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  const server = await startServer(path.join(folder, 'data'))
  try {
    let files = 0
    const upsert = async (megabytes: number) => {
      const file = path.join(folder, `${++files}.txt`)
      writeFileSync(file, naturalText(megabytes * 1e6, files))
      const began = performance.now()
      await command(['upsert', 'quickstart', file, '--url', server.url])
      return (performance.now() - began) / 1000
    }
    const query = queryOf(server.url)
    await upsert(LOADED)
    for (let i = 0; i < 50; i++) await query()

    const idle = await repeat(query, (times) => times < QUERIES)
    const under = await during(upsert(LOADING), query)
    const ping = () => fetchText(`${server.url}/api/v1/ping`)
    const quiet = await during(setTimeout(5000), ping, PING_EVERY_MS)
    const heard = await during(upsert(LOADING), ping, PING_EVERY_MS)

    printTable([
      ['15,000 chunks', 'times', 'p50 ms', 'p99 ms', 'longest ms'],
      row('queries, idle', idle),
      row(`queries, while ${LOADING} MB are loaded`, under),
      row('pings, idle', quiet),
      row(`pings, while ${LOADING} MB are loaded`, heard),
    ])
    console.log()
    printTable([
      ['queries while loading to idle, times', ''],
      ['p50', quantile(under, 0.5) / quantile(idle, 0.5)],
      ['p99', quantile(under, 0.99) / quantile(idle, 0.99)],
    ])
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const row = (name: string, times: number[]) => [
  name,
  times.length,
  quantile(times, 0.5),
  quantile(times, 0.99),
  Math.max(...times),
]

/** Asks with words of the texts, never the same. */
function queryOf(url: string): () => Promise<void> {
  const next = random(7)
  return () => {
    const question = encodeURIComponent(naturalQuestion(next))
    return fetchText(`${url}/api/v1/vector/query/quickstart?q=${question}`)
  }
}

/** How many milliseconds each call took, one after another. */
async function repeat(
  call: () => Promise<void>,
  more: (times: number) => boolean,
  every = 0,
): Promise<number[]> {
  const times: number[] = []
  while (more(times.length)) {
    const began = performance.now()
    await call()
    times.push(performance.now() - began)
    if (every > 0) await setTimeout(every)
  }
  return times
}

async function during(work: Promise<unknown>, call: () => Promise<void>, every?: number): Promise<number[]> {
  let over = false
  const ended = work.finally(() => (over = true))
  const times = await repeat(call, () => !over, every)
  await ended
  return times
}

const agent = new Agent({ keepAlive: true })

function fetchText(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      if (response.statusCode === 200) response.on('end', resolve).resume()
      else reject(new Error(`${url} answered ${response.statusCode}`))
    }).on('error', reject)
  })
}

/** In a process of its own, so that it is the server alone that is measured. */
async function command(argv: string[]): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, ...argv], { stdio: ['ignore', 'ignore', 'inherit'] })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`sluice ${argv[0]} ended with ${code}`)
}

if (import.meta.main) await run()
