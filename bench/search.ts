import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openDatabase } from '../src/db/sqlite/database.ts'
import { flowStore } from '../src/db/repositories/flows.ts'
import type { Figures } from './search/child.ts'
import { printComparison } from './search/compare.ts'
import { ENGINES } from './search/engines.ts'
import { DIMENSIONS } from './support/clustered.ts'
import { languageQuestion } from './support/language.ts'
import { processorSeconds, residentOf } from './support/process-tree.ts'
import { programsIn } from './support/programs.ts'
import { startServer } from './support/server.ts'
import { median, printTable, quantile } from './support/table.ts'

const CHILD = fileURLToPath(new URL('./search/child.ts', import.meta.url))
const QUERIES = 500
const STARTS = 5
/** A peer that takes longer for one task than this has no figures of that task. */
const PEER_TASK_MINUTES = 15

/**
 * What a search takes, beside peers over the same rows in the same run, then over HTTP, then after a cold start.
 * `BENCH_ROWS` is a list of numbers of chunks, 10,000 and 100,000 unless given; `BENCH_PEERS` a list of peers, all unless
 * given, and none if it is empty; `BENCH_DIMENSIONS` the length of the vectors.
 */
export async function run(): Promise<void> {
  const sizes = (process.env.BENCH_ROWS ?? '10000,100000').split(',').map(Number)
  const wanted = process.env.BENCH_PEERS?.split(',').filter(Boolean)
  const peers = Object.keys(ENGINES).slice(1)
  const unknown = wanted?.filter((name) => !peers.includes(name)) ?? []
  if (unknown.length > 0) throw new Error(`BENCH_PEERS: unknown ${unknown.join()}; known: ${peers.join()}`)
  for (const rows of sizes) await compare(rows, wanted ?? peers)
}

async function compare(rows: number, peers: readonly string[]): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  try {
    const data = path.join(folder, 'sluice')
    const namespace = await quickstartId(data)
    const measured: [string, Figures][] = [['sluice', await measure('sluice', data, rows, namespace)]]
    for (const peer of peers) {
      const place = path.join(folder, peer)
      mkdirSync(place)
      measured.push([peer, await measureWithin(peer, place, rows)])
      rmSync(place, { recursive: true })
    }
    printComparison(rows, measured)
    // The quickstart embeds with the built-in model.
    if (DIMENSIONS === 256) {
      await overHttp(data)
      await coldStarts(data, folder)
    }
    console.log()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The first start of a data directory makes the flow that is queried later; its id is its namespace. */
async function quickstartId(data: string): Promise<string> {
  const server = await startServer(data)
  await server.stop()
  const database = openDatabase(data)
  const flow = await flowStore(database.sql).find('quickstart')
  await database.close()
  return flow!.id
}

async function measure(engine: string, folder: string, rows: number, namespace: string): Promise<Figures> {
  const began = performance.now()
  const run = async (task: string) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [CHILD, task, engine, folder, `${rows}`, namespace],
      {
        maxBuffer: Infinity,
        timeout: engine === 'sluice' ? 0 : PEER_TASK_MINUTES * 60_000,
        killSignal: 'SIGKILL',
        // LanceDB takes threads by the number of cores, and on two of them it blocks for ever.
        env: { ...process.env, LANCE_CPU_THREADS: '4', LANCE_IO_THREADS: '8' },
      },
    )
    return JSON.parse(stdout.trim().split('\n').at(-1)!) as Figures
  }
  const figures = { ...(await run('fill')), ...(await run('reopen')) }
  console.error(`${engine}: ${rows} rows measured in ${Math.round((performance.now() - began) / 1000)} s`)
  return figures
}

/** The figures of a peer; none, with a line that tells it, if a task of it was stopped for its time. */
async function measureWithin(peer: string, folder: string, rows: number): Promise<Figures> {
  try {
    return await measure(peer, folder, rows, '')
  } catch (error) {
    if (!(error instanceof Error && 'killed' in error && error.killed)) throw error
    console.log(`${peer}: stopped with ${rows} rows after ${PEER_TASK_MINUTES} minutes; it has no figures\n`)
    return {}
  }
}

const agent = new Agent({ keepAlive: true })

async function overHttp(data: string): Promise<void> {
  languageQuestion(0)
  const server = await startServer(data)
  try {
    await ask(server.url, 'mode=vector', 0)
    const rows = [['over HTTP, with texts', 'p50 ms', 'p99 ms'] as (string | number)[]]
    for (const mode of ['vector', 'hybrid', 'keyword']) {
      const times: number[] = []
      for (let query = 0; query < QUERIES; query++) {
        const asked = performance.now()
        await ask(server.url, `mode=${mode}`, query)
        times.push(performance.now() - asked)
      }
      rows.push([mode, quantile(times, 0.5), quantile(times, 0.99)])
    }
    printTable(rows)
    console.log(`memory after all: ${residentOf(server.pid).own} MB\n`)
  } finally {
    await server.stop()
  }
}

/** From the begin of the process to the first answer, for both forms of the product in turn. */
async function coldStarts(data: string, folder: string): Promise<void> {
  const forms = programsIn(folder).map((form) => ({
    ...form,
    times: [] as number[],
    processor: [] as number[],
  }))
  // The first round fills the compile cache and is not measured.
  for (let round = 0; round <= STARTS; round++)
    for (const { program, times, processor } of forms) {
      const began = performance.now()
      const server = await startServer(data, [], {}, program)
      try {
        await ask(server.url, 'mode=vector', round)
        if (round === 0) continue
        times.push(performance.now() - began)
        processor.push(processorSeconds(server.pid) * 1000)
      } finally {
        await server.stop()
      }
    }
  printTable([
    [`${STARTS} cold starts`, 'to first answer ms', 'longest', 'CPU ms'],
    ...forms.map(({ name, times, processor }) => [
      name,
      median(times),
      Math.max(...times),
      median(processor),
    ]),
  ])
}

/** Asks for the ten best, with words of the texts, never the same. */
function ask(url: string, how: string, query: number): Promise<void> {
  const question = encodeURIComponent(languageQuestion(query))
  return new Promise((resolve, reject) => {
    get(`${url}/api/v1/vector/query/quickstart?topK=10&${how}&q=${question}`, { agent }, (response) => {
      let body = ''
      response
        .setEncoding('utf8')
        .on('data', (piece: string) => (body += piece))
        .on('end', () => {
          if (response.statusCode === 200) resolve()
          else reject(new Error(`${url} answered ${response.statusCode}: ${body.slice(0, 200)}`))
        })
    }).on('error', reject)
  })
}

if (import.meta.main) await run()
