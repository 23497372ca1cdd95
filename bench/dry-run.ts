import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { quietLog } from '../src/kit/log.ts'
import { readConfig } from '../src/kit/config.ts'
import { startPlatform } from '../src/main.ts'
import { printTable } from './support/table.ts'

const KEY = 'the-management-key-of-the-bench'
/** Of each file, so that a larger bench has more files and not larger ones. */
const CHUNKS_OF_FILE = 5000

type Job = {
  state: string
  startedAt: string | null
  finishedAt: string | null
  error: { message: string } | null
  result: Record<string, unknown> | null
}
type Drawing = { nodes: { data: { name: string; inputs: Record<string, unknown> } }[] }

/**
 * Dry runs of a draft over `BENCH_CHUNKS` stored chunks (100,000 unless given), from kept files: nothing differs, all chunks of other sizes,
 * and files with a new first line, of which all chunks move. Prints the time of the job, the processor time, and the largest memory of the process
 * above that before it.
 */
export async function run(): Promise<void> {
  const chunks = Number(process.env.BENCH_CHUNKS ?? 100_000)
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  const flags = { PORT: '0', DATA_DIR: directory, ADMIN_KEY: KEY, MAX_UPLOAD_MB: '2048' }
  const platform = await startPlatform(readConfig({ flags, environment: {}, directory }), quietLog)
  const call = async <T>(method: string, at: string, body?: object | FormData): Promise<T> => {
    const json = body !== undefined && !(body instanceof FormData)
    const response = await fetch(`${platform.url}/api/v1/${at}`, {
      method,
      headers: { authorization: `Bearer ${KEY}`, ...(json ? { 'content-type': 'application/json' } : {}) },
      ...(body === undefined ? {} : { body: json ? JSON.stringify(body) : (body as FormData) }),
    })
    const answer = (await response.json()) as T
    if (!response.ok) throw new Error(JSON.stringify(answer))
    return answer
  }
  const rows: (string | number)[][] = [['dry run', 'seconds', 'CPU s', 'MB above before', 'fates']]

  /** The job of a request, followed to its end; the memory is looked at ten times a second. */
  async function measure(name: string, body: object | FormData): Promise<void> {
    globalThis.gc?.()
    const before = process.memoryUsage.rss()
    let most = before
    const clock = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss())
    }, 100)
    const cpu = process.cpuUsage()
    const { jobId } = await call<{ jobId: string }>('POST', 'vector/dry-run/bench', body)
    let job: Job
    do {
      await new Promise((resolve) => setTimeout(resolve, 50))
      job = await call<Job>('GET', `jobs/${jobId}`)
    } while (job.state === 'queued' || job.state === 'running')
    clearInterval(clock)
    if (job.state !== 'done') throw new Error(job.error?.message)
    const { user, system } = process.cpuUsage(cpu)
    rows.push([
      name,
      (Date.parse(job.finishedAt!) - Date.parse(job.startedAt!)) / 1000,
      (user + system) / 1e6,
      (most - before) / 1e6,
      JSON.stringify(job.result!.fates),
    ])
  }

  try {
    await call('POST', 'chatflows', { name: 'Bench', slug: 'bench', template: 'quickstart' })
    await call('PATCH', 'chatflows/bench/settings', {
      set: { originals: 'on', chunkSize: 400, chunkOverlap: 0, uploads: 'on' },
    })
    const files = Math.ceil(chunks / CHUNKS_OF_FILE)
    const lines = Math.ceil(chunks / files)
    const text = (file: number, first = '') =>
      `${first}${Array.from({ length: lines }, (_, n) => `Berth ${n} of harbour ${file} takes ships of ${n + 40} metres, and ${'more of them wait outside. '.repeat(11)}`).join('\n\n')}`
    const form = (first = '') => {
      const data = new FormData()
      for (let file = 0; file < files; file++)
        data.append('files', new File([text(file, first)], `harbour-${file}.txt`))
      return data
    }
    const began = Date.now()
    const loaded = await call<{ numAdded: number }>('POST', 'vector/upsert/bench', form())
    console.log(`${loaded.numAdded} chunks loaded in ${(Date.now() - began) / 1000} s`)
    await measure('nothing differs', { refresh: true })
    await measure('the same files again', form())
    await measure('a new first line', form('A new first line.\n\n'))
    const { flowData } = await call<{ flowData: string }>('GET', 'chatflows/bench')
    const drawing = JSON.parse(flowData) as Drawing
    for (const { data } of drawing.nodes) if (data.name === 'sluiceTextSplitter') data.inputs.chunkSize = 800
    await call('PUT', 'chatflows/bench/draft', { flowData: drawing })
    await measure('the draft, other chunk size', { draft: true, refresh: true })
    printTable(rows)
  } finally {
    await platform.close()
    rmSync(directory, { recursive: true, force: true })
  }
}
