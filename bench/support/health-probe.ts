import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Asks `/healthz` on a new connection, again and again, until it is killed or its time is over: `health-probe.ts URL SECONDS`. A process of
 * its own, since that of the clients is busy. It prints the milliseconds of each answer as JSON.
 */
const [url = '', seconds = '0'] = process.argv.slice(2)

const GAP_MS = 250

const ask = (): Promise<void> =>
  new Promise((resolve, reject) => {
    http
      .get(`${url}/healthz`, { agent: false }, (response) => void response.resume().on('end', resolve))
      .on('error', reject)
  })

const taken: number[] = []
const end = performance.now() + Number(seconds) * 1000
while (performance.now() < end) {
  const startedAt = performance.now()
  await ask()
  taken.push(performance.now() - startedAt)
  await pause(GAP_MS)
}
console.log(JSON.stringify(taken))
