import assert from 'node:assert/strict'
import { readdirSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { judge } from '../support/http-fuzz/judge.ts'
import { type RawUpload, rawUpload } from '../support/http-fuzz/multipart.ts'
import { Tally } from '../support/http-fuzz/tally.ts'
import { type Answer, makePlatform } from '../support/platform.ts'
import { openSocket } from '../support/raw-http.ts'
import { randomBelow } from '../support/random.ts'
import { until } from '../support/until.ts'

/** Uploads that are wrong in many ways. `FUZZ_SECONDS=600` goes on, `FUZZ_SEED=7` begins elsewhere. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_122)
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 0)
const REQUESTS = 400

const platform = await makePlatform()
await platform.flow({ slug: 'loading', overridable: ['files', 'chunkSize'] })
const tally = new Tally()
/** The files that this process, which is the server's too, holds open below the data directory. */
const openUploads = () =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`)
      return file.startsWith(path.join(platform.dataDirectory, 'uploads')) ? [file] : []
    } catch {
      // The one with which the folder was listed.
      return []
    }
  })

type Outcome = {
  answer: Answer | undefined
  /** The server ended the connection while there was more to send: the answer may be lost on its way. */
  refused: boolean
}

async function sent({ pieces, ending }: RawUpload): Promise<Outcome> {
  const socket = await openSocket(platform.url)
  const received: Buffer[] = []
  let refused = false
  socket.on('data', (data: Buffer) => received.push(data))
  socket.on('error', () => {
    refused = true
  })
  const closed = new Promise((resolve) => socket.on('close', resolve))
  for (const piece of pieces) {
    if (socket.writable) socket.write(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (ending === 'end') socket.end()
  else if (ending === 'destroy') socket.destroy()
  else if (ending === 'reset') socket.resetAndDestroy()
  await closed
  return { answer: firstAnswer(Buffer.concat(received)), refused }
}

/** The first answer on a connection; what comes after a length that was too short is another request. */
function firstAnswer(bytes: Buffer): Answer | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [line = '', ...fields] = bytes.subarray(0, end).toString().split('\r\n')
  const headers = new Headers(fields.map((field) => field.split(/: (.*)/s).slice(0, 2) as [string, string]))
  const length = headers.get('content-length')
  const text = bytes.subarray(end + 4, length === null ? undefined : end + 4 + Number(length)).toString()
  const isJson = headers.get('content-type')?.startsWith('application/json') && length !== null
  return {
    status: Number(line.split(' ')[1]),
    headers,
    text,
    body: isJson ? (JSON.parse(text) as unknown) : undefined,
  }
}

const jobs = async (state: string) =>
  (await platform.manage<{ total: number }>('GET', `/api/v1/jobs?state=${state}&limit=1`)).body.total

test('uploads that are broken anywhere get one of the known answers, and leave no file, no job and no error [server:fuzz:uploads]', async (t) => {
  const below = randomBelow(SEED)
  const end = performance.now() + SECONDS * 1000
  for (let count = 0; count < REQUESTS || performance.now() < end; count++) {
    const upload = rawUpload(below)
    const { answer, refused } = await sent(upload)
    try {
      if (answer) judge(answer)
      else assert.ok(refused || upload.ending !== 'answer', 'no answer')
    } catch (error) {
      assert.fail(`request ${count}, ${upload.what}: ${(error as Error).message}`)
    }
    tally.add(answer ? 'answered' : 'cut', answer?.status ?? 0)
  }
  for (const line of tally.lines()) t.diagnostic(line)
  assert.ok(tally.of('answered', '2xx') > 0 && tally.of('answered', '4xx') > 0)

  await until(async () => (await jobs('queued')) + (await jobs('running')) === 0, 'the end of all jobs')
  // Uploads of failed jobs are kept for a retry; all others are gone.
  const kept = await jobs('failed')
  await until(() => platform.uploads().length === kept, 'the removal of the other uploads')
  await until(() => openUploads().length === 0, 'the closing of all files')
  assert.equal((await platform.call('GET', '/readyz')).status, 200)
  assert.deepEqual(
    platform.log.filter(({ level }) => level === 'error'),
    [],
  )
})
