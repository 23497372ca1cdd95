import { type Below, pick } from './odd.ts'

/** The bytes of one upload, in the pieces in which they are sent, and the end of its connection. */
export type RawUpload = {
  pieces: Buffer[]
  /** The client ends the connection after the last piece: orderly, or not. */
  ending: 'answer' | 'end' | 'destroy' | 'reset'
  /** The changes, for the message of a failure. */
  what: string
}

const TARGETS = [
  '/api/v1/vector/upsert/loading',
  '/api/v1/vector/upsert/loading',
  '/api/v1/vector/upsert/loading?async=true',
  '/api/v1/vector/upsert/quickstart',
  '/api/v1/attachments/loading/chat-1',
  '/api/v1/vector/query/loading',
  '/api/v1/no/such/route',
]

const NAMES = [
  'a.txt',
  'b.md',
  'folder/c.txt',
  '../a.txt',
  '..\\a.txt',
  '/etc/passwd',
  'C:\\a.txt',
  'a\u0000.txt',
  '\u202etxt.exe',
  '\u200f\u200e.txt',
  '.',
  '..',
  '',
  ' ',
  'a"b.txt',
  'Grüße 中 🙂.txt',
  `${'x'.repeat(2000)}.txt`,
  '%2e%2e%2fa.txt',
  'con.txt',
  'a.txt\r\nX-Injected: 1',
]

const GOOD_NAMES = [
  'a.txt',
  'b.md',
  'folder/c.txt',
  '\u202ed.txt',
  'Grüße 中 🙂.txt',
  '%2e%2e%2fa.txt',
  'C:\\a.txt',
]

const TEXTS = [
  '',
  'Otters swim.',
  'Otters swim.\r\n--',
  '\r\n\r\n',
  '\u0000\u0001',
  '--b\r\n',
  'Ж'.repeat(3000),
]

const LETTERS = "abcXYZ019'()+_,-./:=? "

function boundaryOf(below: Below): string {
  if (below(4) > 0) return `b${below(1e6)}`
  const length = pick(below, [1, 5, 24, 70, 71, 200])
  return Array.from({ length }, () => LETTERS[below(LETTERS.length)]).join('')
}

/** A part of the form; every second form has only valid parts. */
function partOf(below: Below, boundary: string, index: number, wrong: boolean): Buffer {
  const now = (one: number) => wrong && below(one) === 0
  const isFile = index === 0 || below(4) > 0
  const name = now(6) ? pick(below, ['file', '', '__proto__', 'overrideConfig']) : isFile ? 'files' : 'chatId'
  const fileName = now(2) ? pick(below, NAMES) : `${index}-${pick(below, GOOD_NAMES)}`
  const file = isFile ? `; filename${now(10) ? '*' : ''}="${fileName}"` : ''
  const headers = [
    `Content-Disposition: form-data; name="${name}"${file}`,
    ...(below(4) === 0
      ? [`Content-Type: ${pick(below, ['text/plain', 'application/octet-stream', 'x', ''])}`]
      : []),
    ...(now(10) ? [`X-Long: ${'x'.repeat(100_000)}`] : []),
    ...(now(10) ? Array.from({ length: 500 }, (_, i) => `X-${i}: ${i}`) : []),
    ...(now(10) ? ['no colon here'] : []),
    ...(now(10) ? [`Content-Transfer-Encoding: ${pick(below, ['base64', '8bit', 'x'])}`] : []),
  ]
  const content =
    isFile && below(6) === 0 ? randomBytes(below, below(70_000)) : Buffer.from(pick(below, TEXTS))
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\n${headers.join('\r\n')}\r\n${now(15) ? '' : '\r\n'}`),
    isFile ? content : content.subarray(0, 100),
    Buffer.from('\r\n'),
  ])
}

const randomBytes = (below: Below, length: number) => Buffer.from(Array.from({ length }, () => below(256)))

/** A body of a form that is mostly valid, so that most of it is read. */
function bodyOf(below: Below, boundary: string): Buffer {
  const wrong = below(2) === 0
  const count = below(40) === 0 ? 1500 : below(6)
  const tiny = Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="x"\r\n\r\n\r\n`)
  const parts = Array.from({ length: count }, (_, index) =>
    count > 100 ? tiny : partOf(below, boundary, index, wrong),
  )
  const end =
    wrong && below(4) === 0 ? pick(below, ['', `--${boundary}`, `--${boundary}-`]) : `--${boundary}--\r\n`
  return Buffer.concat([...parts, Buffer.from(end)])
}

function cutUp(bytes: Buffer, below: Below): Buffer[] {
  if (bytes.length === 0 || below(2) === 0) return [bytes]
  const cuts = Array.from({ length: below(6) + 1 }, () => below(bytes.length)).toSorted((a, b) => a - b)
  return [...cuts, bytes.length].map((end, index) => bytes.subarray(index === 0 ? 0 : cuts[index - 1], end))
}

/** How the length of the body is given. */
const FRAMINGS = [
  'right',
  'right',
  'right',
  'right',
  'longer',
  'shorter',
  'none',
  'chunked',
  'chunked',
  'broken chunks',
] as const

/** An upload that is wrong in many ways: the form, its length, the connection. */
export function rawUpload(below: Below): RawUpload {
  const boundary = boundaryOf(below)
  const named = below(12) === 0 ? boundaryOf(below) : boundary
  const quoted = below(3) === 0 && /^\w+$/.test(named) ? named : `"${named}"`
  const type = pick(below, [
    `multipart/form-data; boundary=${quoted}`,
    `multipart/form-data; boundary=${quoted}`,
    `Multipart/Form-Data;charset=utf-8;boundary=${quoted}`,
    'multipart/form-data',
  ])
  const body = bodyOf(below, boundary)
  const framing = pick(below, FRAMINGS)
  const { fields, bytes } = framed(framing, body, below)
  const target = pick(below, TARGETS)
  const head = `POST ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: ${type}\r\n${fields}\r\n`
  const whole = Buffer.concat([Buffer.from(head), bytes])
  const isCut = below(4) === 0
  const sent = isCut ? whole.subarray(0, below(whole.length)) : whole
  const waits = framing === 'longer' || framing === 'broken chunks' || isCut
  const ending = isCut ? pick(below, ['end', 'destroy', 'reset'] as const) : waits ? 'end' : 'answer'
  return {
    pieces: cutUp(sent, below),
    ending,
    what: `${target}, length ${framing}, ${ending} after ${sent.length} of ${whole.length} bytes`,
  }
}

function framed(
  framing: (typeof FRAMINGS)[number],
  body: Buffer,
  below: Below,
): { fields: string; bytes: Buffer } {
  const length = (count: number) => ({ fields: `Content-Length: ${count}\r\n`, bytes: body })
  switch (framing) {
    case 'right':
      return length(body.length)
    case 'longer':
      return length(body.length + below(100_000) + 1)
    case 'shorter':
      return length(below(body.length + 1))
    case 'none':
      return { fields: '', bytes: Buffer.alloc(0) }
    default: {
      const chunks = cutUp(body, below).filter(({ length }) => length > 0)
      const written = chunks.flatMap((chunk) => [
        Buffer.from(`${chunk.length.toString(16)}\r\n`),
        chunk,
        Buffer.from('\r\n'),
      ])
      const end =
        framing === 'chunked' ? '0\r\n\r\n' : pick(below, ['', 'zz\r\n', '-1\r\n', 'ffffffffffffffffff\r\n'])
      return {
        fields: 'Transfer-Encoding: chunked\r\n',
        bytes: Buffer.concat([...written, Buffer.from(end)]),
      }
    }
  }
}
