import { fork } from 'node:child_process'
import { once } from 'node:events'
import { SEED_EVENTS } from '../src/events/event.ts'
import { LoadClient, type Load } from './events/load.ts'
import { measureLookups } from './events/lookup.ts'
import type { ServerName } from './events/servers.ts'

const SERVERS = ['ours', 'bare', 'express'] as const satisfies ServerName[]
const CONNECTIONS = 32
const REQUESTS = 8000
/** A multiple of the number of servers: the first in a round is slower, since the machine was idle. */
const ROUNDS = 9

type Measured = { operation: string; server: ServerName; load: Load }

const body = JSON.stringify({
  name: 'Tech Conference 2024',
  date: '2024-06-15T09:00:00Z',
  location: 'San Francisco, CA',
})
const bodyOf = (index: number): string => body.replace('{', `{"id":"b${index}",`)

/** What is measured, in an order that ends with the first five events: delete removes what create made. */
const OPERATIONS: { name: string; status: number; requests: Buffer[] }[] = [
  { name: 'list', status: 200, requests: many(() => request('GET', '/events')) },
  { name: 'get', status: 200, requests: many((index) => request('GET', `/events/${(index % 5) + 1}`)) },
  {
    name: 'patch',
    status: 200,
    requests: many((index) => request('PATCH', `/events/${(index % 5) + 1}`, body)),
  },
  { name: 'create', status: 201, requests: many((index) => request('POST', '/events', bodyOf(index))) },
  { name: 'delete', status: 204, requests: many((index) => request('DELETE', `/events/b${index}`)) },
]

/** Requests per second and p99 of the event service beside a bare node:http server and Express, then look-up times. */
export async function run(): Promise<void> {
  const servers = SERVERS.map((name) => ({
    name,
    child: fork(new URL('./events/servers.ts', import.meta.url), [name]),
  }))
  try {
    const clients = await Promise.all(
      servers.map(async ({ name, child }) => {
        const [port] = await once(child, 'message')
        await mustAnswerAlike(`http://127.0.0.1:${port}`, name)
        return { name, client: await LoadClient.open(port as number, CONNECTIONS) }
      }),
    )
    const loads: Measured[] = []
    for (let round = -1; round < ROUNDS; round++) {
      const turn = clients.map((_, index) => clients[(index + round + 1) % clients.length]!)
      for (const { name: operation, status, requests } of OPERATIONS) {
        for (const { name, client } of turn) {
          const load = await client.run(requests, status)
          if (round >= 0) loads.push({ operation, server: name, load })
        }
      }
    }
    for (const { client } of clients) client.close()
    printLoads(loads)
  } finally {
    for (const { child } of servers) child.disconnect()
  }
  printLookups()
}

/** The servers must answer the same bytes, or their work is not comparable. */
async function mustAnswerAlike(url: string, name: string): Promise<void> {
  for (const path of ['/events', '/events/4']) {
    const expected = JSON.stringify(path === '/events' ? SEED_EVENTS : SEED_EVENTS[3])
    if ((await (await fetch(url + path)).text()) !== expected)
      throw new Error(`${name} answers otherwise on ${path}`)
  }
}

function printLoads(measured: readonly Measured[]): void {
  console.log(
    `events: ${CONNECTIONS} keep-alive connections, ${ROUNDS} rounds of ${REQUESTS} requests, medians; ratios are medians of the ratios of each round`,
  )
  console.table(
    Object.fromEntries(
      OPERATIONS.map(({ name }) => {
        const of = (server: ServerName) =>
          measured.filter((one) => one.operation === name && one.server === server).map((one) => one.load)
        const rates = (server: ServerName) => of(server).map((load) => load.perSecond)
        const p99 = (server: ServerName) => median(of(server).map((load) => load.p99Ms)).toFixed(2)
        const ratio = (server: ServerName) =>
          median(rates('ours').map((rate, round) => rate / rates(server)[round]!)).toFixed(2)
        return [
          name,
          {
            ...Object.fromEntries(
              SERVERS.map((server) => [`${server}/s`, Math.round(median(rates(server)))]),
            ),
            'ours : bare': ratio('bare'),
            'ours : express': ratio('express'),
            ...Object.fromEntries(SERVERS.map((server) => [`${server} p99 ms`, p99(server)])),
          },
        ]
      }),
    ),
  )
  const busy = Math.max(...SERVERS.map((server) => busyWith(measured, server)))
  console.log(
    `the load generator was busy for at most ${Math.round(busy * 100)} % of a core (median of a server)`,
  )
}

function busyWith(measured: readonly Measured[], server: ServerName): number {
  return median(measured.filter((one) => one.server === server).map((one) => one.load.busy))
}

function printLookups(): void {
  console.log(
    'events: one look-up by id and one deletion in this process, by the length of the list (what grows is the share that misses the processor’s caches)',
  )
  console.table(
    Object.fromEntries(
      measureLookups().map(({ events, getNs, deleteNs }) => [
        events.toLocaleString('en-US'),
        { 'get ns': Math.round(getNs), 'delete ns': Math.round(deleteNs) },
      ]),
    ),
  )
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

function many(make: (index: number) => Buffer): Buffer[] {
  return Array.from({ length: REQUESTS }, (_, index) => make(index))
}

function request(method: string, path: string, body = ''): Buffer {
  const described = body && `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${described}\r\n${body}`)
}

if (import.meta.main) await run()
