import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { processorSeconds } from './support/process-tree.ts'
import { type Server, startServer } from './support/server.ts'
import { printTable } from './support/table.ts'

/*
 * Processor time of the server per request, in microseconds, over all its threads. With `SLUICE_PROGRAM` set to the
 * `bin/sluice.js` of another checkout, both servers answer in turns, and the ratio is printed. The system counts processor
 * time in steps of 10 ms, so the figure is the sum over all rounds, not a median of rounds.
 */

const ADMIN_KEY = 'the-management-key-of-the-bench'
const ROUNDS = 12
const SIDE_BY_SIDE = 8

type Kind = { method: 'GET' | 'POST'; path: string; key?: true; body?: string; requests: number }

const KINDS: Record<string, Kind> = {
  'GET /healthz': { method: 'GET', path: '/healthz', requests: 5000 },
  'GET /variables with ADMIN_KEY': {
    method: 'GET',
    path: '/api/v1/variables',
    key: true,
    requests: 5000,
  },
  'query, 30 bytes of JSON': {
    method: 'POST',
    path: '/api/v1/vector/query/quickstart',
    body: '{"query":"otters and beavers"}',
    requests: 2000,
  },
  'POST /node-load-method with ADMIN_KEY, 100 kB': {
    method: 'POST',
    path: '/api/v1/node-load-method/none',
    key: true,
    body: JSON.stringify({ inputs: { a: 'word '.repeat(20_000) } }),
    requests: 1000,
  },
  'upsert, JSON of 100 kB': {
    method: 'POST',
    path: '/api/v1/vector/upsert/quickstart',
    body: JSON.stringify({ overrideConfig: { metadata: { a: 'word '.repeat(20_000) } } }),
    requests: 1000,
  },
}

export async function run(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  const other = process.env.SLUICE_PROGRAM
  const servers: Server[] = []
  const agent = new http.Agent({ keepAlive: true, maxSockets: SIDE_BY_SIDE })
  try {
    for (const program of other === undefined ? [undefined] : [undefined, other])
      servers.push(await startServer(path.join(folder, String(servers.length)), [], { ADMIN_KEY }, program))
    const rows: (string | number)[][] = []
    for (const [name, kind] of Object.entries(KINDS)) {
      const spent = servers.map(() => 0)
      // The first two rounds are not counted: the code is not compiled yet.
      for (let round = -2; round < ROUNDS; round++)
        for (const [at, server] of round % 2 === 0
          ? [...servers.entries()]
          : [...servers.entries()].reverse()) {
          const seconds = await measure(server, kind, agent)
          if (round >= 0) spent[at]! += seconds
        }
      const each = spent.map((seconds) => Math.round((seconds / (ROUNDS * kind.requests)) * 1e7) / 10)
      rows.push([name, ...each, ...(other === undefined ? [] : [each[0]! / each[1]!])])
    }
    printTable([
      ['µs of the server a request', 'this', ...(other === undefined ? [] : ['other', 'ratio'])],
      ...rows,
    ])
  } finally {
    agent.destroy()
    for (const server of servers) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Processor seconds of the server for one round of requests. */
async function measure({ url, pid }: Server, kind: Kind, agent: http.Agent): Promise<number> {
  const before = processorSeconds(pid)
  let left = kind.requests
  const worker = async () => {
    while (left-- > 0) await send(url, kind, agent)
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker))
  return processorSeconds(pid) - before
}

function send(url: string, { method, path, key, body }: Kind, agent: http.Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(key ? { authorization: `Bearer ${ADMIN_KEY}` } : {}),
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    }
    http
      .request(
        url + path,
        { method, agent, headers },
        (response) => void response.resume().on('end', resolve),
      )
      .on('error', reject)
      .end(body)
  })
}

if (import.meta.main) await run()
