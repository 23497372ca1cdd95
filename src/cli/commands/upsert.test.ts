import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { Busboy } from '@fastify/busboy'
import type { JobAnswer } from '../../api/job.ts'
import { jobWith } from '../../../test/support/job-answer.ts'
import { paper, serve, sluice, temporaryDirectory } from '../../../test/support/command-line.ts'

type Received = {
  url: string
  key: string | undefined
  length: string | undefined
  fields: Record<string, string>
  files: Record<string, string>
}

async function receive(request: IncomingMessage): Promise<Received> {
  const { url, headers } = request
  const received: Received = {
    url: url!,
    key: headers.authorization,
    length: headers['content-length'],
    fields: {},
    files: {},
  }
  const parser = new Busboy({
    headers: { 'content-type': headers['content-type']! },
    preservePath: true,
  })
  const reading: Promise<void>[] = []
  parser.on('field', (name, value) => {
    received.fields[name] = String(value)
  })
  parser.on('file', (_, stream, name) => {
    reading.push(
      buffer(stream).then((bytes) => {
        received.files[name] = bytes.toString()
      }),
    )
  })
  await new Promise((resolve) => request.pipe(parser).on('finish', resolve))
  await Promise.all(reading)
  return received
}

const ANSWER = {
  numAdded: 12,
  numUpdated: 0,
  numSkipped: 3,
  numDeleted: 1,
  files: [{ name: 'a.md', status: 'indexed', chunks: 15, added: 12, updated: 0, skipped: 3, deleted: 1 }],
  numFailed: 0,
  numEmpty: 0,
  warnings: [],
  addedDocs: [],
  timeTaken: 412,
}

/** A server that answers upserts with `answer`; what it received, last first. */
async function answering(t: TestContext, answer: object, status = 200) {
  const received: Received[] = []
  const url = await serve(t, async (request, response) => {
    received.unshift(await receive(request))
    response.writeHead(status).end(JSON.stringify(answer))
  })
  return { url, received }
}

function documents(t: TestContext): string {
  const directory = temporaryDirectory(t)
  mkdirSync(path.join(directory, 'docs/sub'), { recursive: true })
  writeFileSync(path.join(directory, 'docs/a.md'), 'A')
  writeFileSync(path.join(directory, 'docs/sub/b.md'), 'B')
  return directory
}

test('sluice upsert sends a directory in one multipart request, with key, overrides and options', async (t) => {
  const { url, received } = await answering(t, ANSWER)
  const line =
    'upsert quickstart docs --chunk-size 500 --chunk-overlap 0 --strict --dry-run --source-documents'
  const more = ['--url', url, '--metadata', '{"team": "ops"}', '--set', 'topK=3', '--set', 'separators=a=b']
  const { code } = await sluice([...line.split(' '), ...more], {
    directory: documents(t),
    environment: { SLUICE_KEY: 'sl_k' },
  })
  assert.equal(code, 0)
  const { length, ...rest } = received[0]!
  assert.match(length!, /^\d+$/)
  assert.deepEqual(rest, {
    url: '/api/v1/vector/upsert/quickstart',
    key: 'Bearer sl_k',
    fields: {
      chunkSize: '500',
      chunkOverlap: '0',
      metadata: '{"team":"ops"}',
      strict: 'true',
      dryRun: 'true',
      returnSourceDocuments: 'true',
      topK: '3',
      separators: 'a=b',
    },
    files: { 'a.md': 'A', 'sub/b.md': 'B' },
  })
})

test('sluice upsert prints a row per file, and the sums', async (t) => {
  const { url } = await answering(t, ANSWER)
  const { stdout, stderr } = await sluice(['upsert', 'quickstart', 'docs', '--url', url], {
    directory: documents(t),
  })
  assert.equal(stderr, '')
  assert.equal(
    stdout,
    [
      'file  status   chunks  added  updated  skipped  deleted',
      'a.md  indexed      15     12        0        3        1',
      '',
      '12 added, 0 updated, 3 skipped, 1 deleted in 412 ms',
      '',
    ].join('\n'),
  )
})

test('sluice upsert --json prints the answer unchanged', async (t) => {
  const { url } = await answering(t, ANSWER)
  const { stdout } = await sluice(['upsert', 'quickstart', 'docs', '--json', '--url', url], {
    directory: documents(t),
  })
  assert.deepEqual(JSON.parse(stdout), ANSWER)
})

test('sluice upsert fails with the name of a failed file and the reason, and shows the warnings', async (t) => {
  const failed = {
    name: 'b.pdf',
    status: 'failed',
    code: 'file_encrypted',
    message: 'b.pdf is protected by a password',
    ...{ chunks: 0, added: 0, updated: 0, skipped: 0, deleted: 0 },
  }
  const { url } = await answering(t, {
    ...ANSWER,
    files: [...ANSWER.files, failed],
    numFailed: 1,
    warnings: [{ key: 'chunkSize', reason: 'this flow does not allow overriding it' }],
  })
  const { code, stdout, stderr } = await sluice(['upsert', 'quickstart', 'docs', '--url', url], {
    directory: documents(t),
  })
  assert.equal(code, 1)
  assert.equal(stderr, 'sluice: 1 file failed: b.pdf\n--password opens PDFs that are protected by one\n')
  assert.match(stdout, /^b\.pdf +failed +0/m)
  assert.match(stdout, /^failed +b\.pdf: is protected by a password \(file_encrypted\)$/m)
  assert.match(stdout, /^warning +chunkSize: this flow does not allow overriding it$/m)
  assert.match(stdout, /, 1 failed in 412 ms$/m)
})

test('sluice upsert prints the refusal of the server', async (t) => {
  const { url } = await answering(t, { message: 'Chatflow nope not found', code: 'flow_not_found' }, 404)
  assert.deepEqual(await sluice(['upsert', 'nope', 'docs', '--url', url], { directory: documents(t) }), {
    code: 1,
    stdout: '',
    stderr: 'sluice: Chatflow nope not found\n',
  })
})

test('sluice upsert - sends standard input with the given name', async (t) => {
  const { url, received } = await answering(t, ANSWER)
  const stdin = Readable.from([Buffer.from('from '), Buffer.from('a pipe')])
  const { code } = await sluice(['upsert', 'quickstart', '-', '--name', 'pipe.txt', '--url', url], { stdin })
  assert.equal(code, 0)
  assert.deepEqual([received[0]!.files, received[0]!.length], [{ 'pipe.txt': 'from a pipe' }, undefined])
})

test('sluice upsert shows its progress on a terminal, and clears the line at the end', async (t) => {
  const { url } = await answering(t, ANSWER)
  const stderr = paper(true)
  await sluice(['upsert', 'quickstart', 'docs', '--url', url], { directory: documents(t), stderr })
  assert.match(stderr.text, /Uploading/)
  assert.match(stderr.text, /Uploaded .* indexing/)
  assert.ok(stderr.text.endsWith('\r\u001b[K'))
})

test('sluice upsert sends nothing when there are too many files for one request', async (t) => {
  const { url, received } = await answering(t, ANSWER)
  const { code, stderr } = await sluice(['upsert', 'quickstart', 'docs', '--max-files', '1', '--url', url], {
    directory: documents(t),
  })
  assert.equal(code, 1)
  assert.match(stderr, /^sluice: 2 files are more than one upsert takes \(1\)\n.*MAX_FILES/)
  assert.equal(received.length, 0)
})

test('sluice upsert has different exit codes for wrong usage and for failed work', async (t) => {
  const directory = documents(t)
  const code = async (...argv: string[]) => (await sluice(['upsert', ...argv], { directory })).code
  assert.equal(await code('quickstart'), 2)
  assert.equal(await code('quickstart', '-'), 2)
  assert.equal(await code('quickstart', 'docs', '--set', 'nameless'), 2)
  assert.equal(await code('quickstart', 'docs', '--url', 'ftp://x'), 2)
  assert.equal(await code('quickstart', 'docs', '--port', '0'), 2)
  assert.equal(await code('quickstart', 'nowhere'), 1)
  assert.equal(await code('quickstart', 'docs', '--port', '1'), 1)
})

/** A server that runs an upsert as a job, with this last event. */
async function working(t: TestContext, last: Partial<JobAnswer>) {
  const asked: string[] = []
  const url = await serve(t, async (request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.prefer ?? '-'}`)
    if (request.method === 'POST') {
      await receive(request)
      return void response.writeHead(202).end('{"jobId": "j-1", "state": "queued"}')
    }
    const event = (given: Partial<JobAnswer>) =>
      `id: 1\nevent: job\ndata: ${JSON.stringify(jobWith(given))}\n\n`
    response.end(event({ state: 'running', stage: 'embed' }) + event(last))
  })
  return { url, asked }
}

test('sluice upsert waits for the job of the server, and prints its result', async (t) => {
  const { url, asked } = await working(t, { state: 'done', result: ANSWER })
  const line = ['upsert', 'quickstart', 'docs', '--json', '--url', url]
  const { code, stdout } = await sluice(line, { directory: documents(t) })
  assert.equal(code, 0)
  assert.deepEqual(JSON.parse(stdout), ANSWER)
  assert.deepEqual(asked, [
    'POST /api/v1/vector/upsert/quickstart respond-async',
    'GET /api/v1/jobs/j-1/events -',
  ])
})

test('sluice upsert fails with the message of its job', async (t) => {
  const { url } = await working(t, {
    state: 'failed',
    result: null,
    error: { code: 'file_encrypted', message: 'a.pdf is protected by a password' },
  })
  const line = ['upsert', 'quickstart', 'docs', '--url', url]
  assert.deepEqual(await sluice(line, { directory: documents(t) }), {
    code: 1,
    stdout: '',
    stderr: 'sluice: a.pdf is protected by a password\nsluice job show j-1 shows more\n',
  })
})

/** A terminal at which a person types these lines, one for each question. */
function typing(...lines: string[]) {
  const stdin = new Readable({ read() {} })
  const modes: boolean[] = []
  return Object.assign(stdin, {
    isTTY: true as const,
    modes,
    setRawMode(on: boolean) {
      modes.push(on)
      const line = on ? lines.shift() : undefined
      if (line !== undefined) stdin.push(`${line}\r`)
    },
  })
}

/** A server that opens `b.pdf` with one password only. */
async function guarding(t: TestContext, password: string) {
  const received: Received[] = []
  const url = await serve(t, async (request, response) => {
    const one = await receive(request)
    received.push(one)
    const given = (JSON.parse(one.fields.password ?? '{}') as Record<string, string>)['b.pdf']
    const counts = { chunks: 0, added: 0, updated: 0, skipped: 0, deleted: 0 }
    const failed = {
      name: 'b.pdf',
      status: 'failed',
      code: 'file_encrypted',
      message: 'b.pdf is locked',
      ...counts,
    }
    const loaded = { name: 'b.pdf', status: 'indexed', ...counts }
    const isOpen = given === password
    response.end(JSON.stringify({ ...ANSWER, files: [isOpen ? loaded : failed], numFailed: isOpen ? 0 : 1 }))
  })
  return { url, received }
}

test('sluice upsert asks on a terminal for the password of a PDF, and sends all files once more [upsert:password]', async (t) => {
  const { url, received } = await guarding(t, 'right')
  const [stdin, stderr, directory] = [typing('wrong', 'right'), paper(true), documents(t)]
  const { code } = await sluice(['upsert', 'quickstart', 'docs', '--url', url], { directory, stdin, stderr })
  assert.equal(code, 0)
  assert.deepEqual(
    received.map(({ fields }) => fields.password),
    [undefined, '{"b.pdf":"wrong"}', '{"b.pdf":"right"}'],
  )
  for (const { files } of received) assert.deepEqual(files, received[0]!.files)
  assert.match(stderr.text, /Password for b\.pdf \(empty to leave it out\): /)
  assert.match(stderr.text, /The password is wrong\. Another one for b\.pdf/)
  assert.ok(!stderr.text.includes('right'))
  assert.deepEqual(stdin.modes, [true, false, true, false])
})

test('sluice upsert ends its questions with an empty answer, and after the third wrong one', async (t) => {
  const { url, received } = await guarding(t, 'right')
  const directory = documents(t)
  const run = async (stdin: Readable) =>
    (await sluice(['upsert', 'quickstart', 'docs', '--url', url], { directory, stdin, stderr: paper(true) }))
      .code
  assert.equal(await run(typing('')), 1)
  assert.equal(received.length, 1)
  assert.equal(await run(typing('a', 'b', 'c')), 1)
  assert.equal(received.length, 5)
})

test('sluice upsert --password sends it for all files, and asks nothing without a terminal', async (t) => {
  const { url, received } = await guarding(t, 'right')
  const line = ['upsert', 'quickstart', 'docs', '--password', '{x', '--url', url]
  const { code, stderr } = await sluice(line, { directory: documents(t) })
  assert.deepEqual([code, received.length], [1, 1])
  assert.equal(received[0]!.fields.password, '{"*":"{x"}')
  assert.match(stderr, /--password opens PDFs that are protected by one\n$/)
})
