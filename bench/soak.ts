import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { newPostgres } from '../test/support/postgres.ts'
import type { JsonObject } from '../src/kit/json.ts'
import { connectTo, jsonBody } from '../src/cli/http.ts'
import { multipart } from '../src/cli/multipart.ts'
import { residentOf } from './support/process-tree.ts'
import { prose } from './support/prose.ts'
import { startServer } from './support/server.ts'
import { printTable } from './support/table.ts'

const DOCUMENTS = 200
const CLIENTS = 4
const SAMPLES = 12

const SECRET_KEY = 'the-secret-of-the-bench'
/** A key with all rights. */
const KEY = 'the-management-key-of-the-bench'

/** The memory after this share of the time is what the rest is compared with: five minutes of an hour. */
const SETTLED = 1 / 12

/**
 * The memory of a server while the same 200 documents are changed, removed and searched again and again, for `--minutes`
 * (`BENCH_MINUTES`), two unless given. It must stay within a tenth of its value after the first twelfth of the time.
 *
 * With `--namespaces` (`BENCH_NAMESPACES`) so many flows have a document each, and are changed, searched, removed and made again; the
 * time begins when each was searched once: before that the server keeps nothing of it.
 * With `--postgres` (`BENCH_POSTGRES`) the server is one over PostgreSQL; with `DATABASE_URL` over that one. With `BENCH_SNAPSHOTS`, a
 * folder, V8 writes a snapshot of its heap there after the first twelfth of the time and at the end.
 */
export async function run(): Promise<void> {
  const minutes = Number(process.env.BENCH_MINUTES ?? 2)
  const namespaces = Number(process.env.BENCH_NAMESPACES ?? 0)
  const snapshots = process.env.BENCH_SNAPSHOTS
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-soak-'))
  const database = process.env.BENCH_POSTGRES ? await newPostgres() : undefined
  const server = await startServer(
    path.join(folder, 'data'),
    snapshots ? ['--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${snapshots}`] : [],
    { ADMIN_KEY: KEY, ...(database ? { DATABASE_URL: database.address, SECRET_KEY } : {}) },
  )
  const rows: (string | number)[][] = [['minutes', 'RSS MB', 'upserts', 'removals', 'queries', 'errors']]
  const done = { upserts: 0, removals: 0, queries: 0, errors: 0 }
  const resident: number[] = []
  try {
    const flows = namespaces > 0 ? await makeFlows(server.url, namespaces) : []
    const each = (work: (client: number) => Promise<void>) =>
      Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)))
    const round = Math.ceil(namespaces / CLIENTS)
    await each((client) => soakFlows(server.url, flows, client, done, 0, (turn) => turn < round))
    const began = performance.now()
    const elapsed = () => (performance.now() - began) / 60_000
    const goOn = () => elapsed() < minutes
    const work = each((client) =>
      namespaces > 0
        ? soakFlows(server.url, flows, client, done, round, goOn)
        : soak(server.url, client, done, goOn),
    )
    for (let sample = 1; sample <= SAMPLES; sample++) {
      await setTimeout(Math.max(0, (sample * minutes) / SAMPLES - elapsed()) * 60_000)
      resident.push(residentOf(server.pid).own)
      const { upserts, removals, queries, errors } = done
      rows.push([elapsed(), resident.at(-1)!, upserts, removals, queries, errors])
      if (snapshots && (sample === 1 || sample === SAMPLES)) process.kill(server.pid, 'SIGUSR2')
    }
    await work
  } finally {
    await server.stop()
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  }
  printTable(rows)
  const settled = resident[Math.max(0, Math.round(SAMPLES * SETTLED) - 1)]!
  console.log()
  printTable([['the most to that after a twelfth of the time, times', Math.max(...resident) / settled]])
}

type Done = Record<'upserts' | 'removals' | 'queries' | 'errors', number>

/** Makes a call, and counts it or its failure. */
async function count(done: Done, name: keyof Done, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
    done[name]++
  } catch {
    done.errors++
  }
}

/** The upload of a text file. */
function textFile(name: string, content: string) {
  const bytes = Buffer.from(content)
  const open = async function* () {
    yield bytes
  }
  return multipart([], [{ name, from: name, size: bytes.length, open }])
}

/** Flows like the first one, each with a namespace of its own. */
async function makeFlows(url: string, count: number): Promise<string[]> {
  const { send } = connectTo(new URL(url), { key: KEY })
  const flows: string[] = []
  for (let number = 0; number < count; number++) flows.push(await makeFlow(send, number))
  return flows
}

async function makeFlow(send: ReturnType<typeof connectTo>['send'], number: number): Promise<string> {
  const { flowData, apiConfig } = (await send('GET', 'chatflows/quickstart')) as JsonObject
  const flow: JsonObject = {
    name: `flow ${number}`,
    flowData: flowData!,
    apiConfig: apiConfig!,
    deployed: true,
  }
  return ((await send('POST', 'chatflows', jsonBody(flow))) as { id: string }).id
}

/** One client: it changes the document of a flow, searches, and now and then removes a flow and makes another. */
async function soakFlows(
  url: string,
  flows: string[],
  client: number,
  done: Done,
  first: number,
  goOn: (turn: number) => boolean,
): Promise<void> {
  const { send } = connectTo(new URL(url), { key: KEY })
  for (let turn = first; goOn(turn); turn++) {
    const place = (turn * CLIENTS + client) % flows.length
    const flow = flows[place]!
    await count(done, 'upserts', () =>
      send('POST', `vector/upsert/${flow}`, textFile('document.txt', prose(500, turn * CLIENTS + client))),
    )
    for (let query = 0; query < 2; query++)
      await count(done, 'queries', () =>
        send('POST', `vector/query/${flow}`, jsonBody({ query: prose(60, turn + query), topK: 5 })),
      )
    if (turn % 10 === 9)
      await count(done, 'removals', async () => {
        await send('DELETE', `chatflows/${flow}`)
        flows[place] = await makeFlow(send, turn)
      })
  }
}

/** One client: it changes a document, searches, and now and then removes a document. */
async function soak(url: string, client: number, done: Done, goOn: () => boolean): Promise<void> {
  const { send } = connectTo(new URL(url), { key: KEY })
  for (let turn = 0; goOn(); turn++) {
    const name = `document-${(turn * CLIENTS + client) % DOCUMENTS}.txt`
    await count(done, 'upserts', () =>
      send('POST', 'vector/upsert/quickstart', textFile(name, prose(3000, turn * CLIENTS + client))),
    )
    for (let query = 0; query < 5; query++)
      await count(done, 'queries', () =>
        send('POST', 'vector/query/quickstart', jsonBody({ query: prose(60, turn + query), topK: 5 })),
      )
    if (turn % 10 === 9)
      await count(done, 'removals', () =>
        send('DELETE', 'vector/upsert/quickstart', jsonBody({ sources: [name], permanent: true })),
      )
  }
}

if (import.meta.main) await run()
