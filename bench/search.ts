import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openDatabase } from '../src/db/sqlite/database.ts'
import { flowStore } from '../src/db/sqlite/flows.ts'
import type { Measured } from './search/child.ts'
import { questionOf } from './support/clustered.ts'
import { residentOf } from './support/process-tree.ts'
import { startServer } from './support/server.ts'
import { median, printTable, quantile } from './support/table.ts'

const CHILD = fileURLToPath(new URL('./search/child.ts', import.meta.url))
const PEERS = ['lancedb-flat', 'lancedb-hnsw', 'sqlite-vec']
const QUERIES = 500
const STARTS = 3

/**
 * What a search of 100,000 chunks takes, beside peers over the same rows in the same run, then over HTTP, then after a cold
 * start. `BENCH_ROWS=1000000` sets another number of chunks; then the peers are left out.
 */
export async function run(): Promise<void> {
  const rows = Number(process.env.BENCH_ROWS ?? 100_000)
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  try {
    const data = path.join(folder, 'sluice')
    const namespace = await quickstartId(data)
    const measured: [string, Measured][] = [['sluice', await measure('sluice', data, rows, namespace)]]
    for (const peer of process.env.BENCH_ROWS ? [] : PEERS) {
      const place = path.join(folder, peer)
      mkdirSync(place)
      measured.push([peer, await measure(peer, place, rows)])
      rmSync(place, { recursive: true })
    }
    printEngines(rows, measured)
    console.log()
    await overHttp(data)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The first start of a data directory makes the flow that is queried later; its id is its namespace. */
async function quickstartId(data: string): Promise<string> {
  const server = await startServer(data)
  await server.stop()
  const database = openDatabase(data)
  const flow = await flowStore(database).find('quickstart')
  await database.close()
  return flow!.id
}

async function measure(engine: string, folder: string, rows: number, namespace = ''): Promise<Measured> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [CHILD, engine, folder, `${rows}`, namespace],
    // LanceDB takes threads by the number of cores, and on two of them it blocks for ever.
    { maxBuffer: Infinity, env: { ...process.env, LANCE_CPU_THREADS: '4', LANCE_IO_THREADS: '8' } },
  )
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as Measured
}

function printEngines(rows: number, measured: [string, Measured][]): void {
  printTable([
    [
      `${rows.toLocaleString('en')} rows, in process`,
      ...['rows/s in', 'then s', 'first ms', 'vector p50', 'p99', '1 % p50', 'p99', 'hybrid p50', 'p99'],
      ...['recall@10', 'of 1 %', 'RSS MB'],
    ],
    ...measured.map(([name, one]) => [
      name,
      ...[one.rowsPerSecond, one.readySeconds, one.firstMs, one.vector.p50, one.vector.p99],
      ...[one.filtered.p50, one.filtered.p99, one.hybrid?.p50 ?? '-', one.hybrid?.p99 ?? '-'],
      ...[one.recall, one.recallFiltered, one.megabytes],
    ]),
  ])
}

const agent = new Agent({ keepAlive: true })

async function overHttp(data: string): Promise<void> {
  const starts: number[] = []
  for (let start = 0; start < STARTS; start++) {
    const began = performance.now()
    const server = await startServer(data)
    await ask(server.url, 'mode=vector', 0)
    starts.push(performance.now() - began)
    if (start + 1 < STARTS) {
      await server.stop()
      continue
    }
    try {
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
      console.log()
      printTable([
        [`${STARTS} cold starts`, 'to first answer ms', 'longest', 'RSS MB after all'],
        ['', median(starts), Math.max(...starts), residentOf(server.pid).own],
      ])
    } finally {
      await server.stop()
    }
  }
}

/** Asks for the ten best, with words of the texts, never the same. */
function ask(url: string, how: string, query: number): Promise<void> {
  const question = encodeURIComponent(questionOf(query))
  return new Promise((resolve, reject) => {
    get(`${url}/api/v1/vector/query/quickstart?topK=10&${how}&q=${question}`, { agent }, (response) => {
      let body = ''
      response
        .setEncoding('utf8')
        .on('data', (piece: string) => (body += piece))
        .on('end', () => {
          if (body.includes('"pageContent"')) resolve()
          else reject(new Error(`${url} answered ${response.statusCode}: ${body.slice(0, 200)}`))
        })
    }).on('error', reject)
  })
}

if (import.meta.main) await run()
