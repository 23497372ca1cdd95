import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { connectTo, jsonBody } from '../src/cli/http.ts'
import { multipart } from '../src/cli/multipart.ts'
import { residentOf } from './support/process-tree.ts'
import { prose } from './support/prose.ts'
import { startServer } from './support/server.ts'
import { printTable } from './support/table.ts'

const DOCUMENTS = 200
const CLIENTS = 4
const SAMPLES = 12

/** The memory after this share of the time is what the rest is compared with: five minutes of an hour. */
const SETTLED = 1 / 12

/**
 * The memory of a server while the same 200 documents are changed, removed and searched again and again, for `--minutes`
 * (`BENCH_MINUTES`), two unless given. It must stay within a tenth of its value after the first twelfth of the time. With
 * `DATABASE_URL` the server is one over PostgreSQL.
 */
export async function run(): Promise<void> {
  const minutes = Number(process.env.BENCH_MINUTES ?? 2)
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-soak-'))
  const server = await startServer(path.join(folder, 'data'))
  const rows: (string | number)[][] = [['minutes', 'RSS MB', 'upserts', 'removals', 'queries', 'errors']]
  const done = { upserts: 0, removals: 0, queries: 0, errors: 0 }
  const began = performance.now()
  const elapsed = () => (performance.now() - began) / 60_000
  const work = Array.from({ length: CLIENTS }, (_, client) =>
    soak(server.url, client, done, () => elapsed() < minutes),
  )
  const resident: number[] = []
  try {
    for (let sample = 1; sample <= SAMPLES; sample++) {
      await setTimeout(Math.max(0, (sample * minutes) / SAMPLES - elapsed()) * 60_000)
      resident.push(residentOf(server.pid).own)
      const { upserts, removals, queries, errors } = done
      rows.push([elapsed(), resident.at(-1)!, upserts, removals, queries, errors])
    }
    await Promise.all(work)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  printTable(rows)
  const settled = resident[Math.max(0, Math.round(SAMPLES * SETTLED) - 1)]!
  console.log()
  printTable([['the most to that after a twelfth of the time, times', Math.max(...resident) / settled]])
}

/** One client: it changes a document, searches, and now and then removes a document. */
async function soak(
  url: string,
  client: number,
  done: Record<'upserts' | 'removals' | 'queries' | 'errors', number>,
  goOn: () => boolean,
): Promise<void> {
  const { send } = connectTo(new URL(url))
  const call = async (name: 'upserts' | 'removals' | 'queries', work: () => Promise<unknown>) => {
    try {
      await work()
      done[name]++
    } catch {
      done.errors++
    }
  }
  for (let turn = 0; goOn(); turn++) {
    const number = (turn * CLIENTS + client) % DOCUMENTS
    const name = `document-${number}.txt`
    const content = Buffer.from(prose(3000, turn * CLIENTS + client))
    const open = async function* () {
      yield content
    }
    await call('upserts', () =>
      send(
        'POST',
        'vector/upsert/quickstart',
        multipart([], [{ name, from: name, size: content.length, open }]),
      ),
    )
    for (let query = 0; query < 5; query++)
      await call('queries', () =>
        send('POST', 'vector/query/quickstart', jsonBody({ query: prose(60, turn + query), topK: 5 })),
      )
    if (turn % 10 === 9)
      await call('removals', () =>
        send('DELETE', 'vector/upsert/quickstart', jsonBody({ sources: [name], permanent: true })),
      )
  }
}

if (import.meta.main) await run()
