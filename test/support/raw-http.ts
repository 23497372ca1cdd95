import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type Answer, answerOf } from './platform.ts'

/** Opens a connection on which the test writes HTTP by hand. */
export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  return socket
}

/** Sends bytes as they are and reads the answer until the server closes the connection. */
export async function sendRaw<Body = unknown>(
  url: string,
  ...bytes: (string | Uint8Array)[]
): Promise<Answer<Body>> {
  const socket = await openSocket(url)
  const answer = readAnswer<Body>(socket)
  for (const part of bytes) socket.write(part)
  return answer
}

/** What arrives on a connection until its end, as one answer of HTTP/1.1 with a declared length. */
export async function readAnswer<Body = unknown>(socket: Socket): Promise<Answer<Body>> {
  return parseAnswer(Buffer.concat(await socket.toArray()).toString())
}

/** The first answer on a connection that may stay open. */
export function firstAnswer<Body = unknown>(socket: Socket): Promise<Answer<Body>> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.on('data', (piece: Buffer) => {
      text += piece.toString()
      const [head = '', body] = text.split('\r\n\r\n')
      const length = /content-length: (\d+)/i.exec(head)?.[1]
      if (body !== undefined && Buffer.byteLength(body) >= Number(length ?? 0)) resolve(parseAnswer(text))
    })
    socket.once('close', () => reject(new Error(`the connection ended after ${text.length} characters`)))
  })
}

function parseAnswer<Body>(text: string): Answer<Body> {
  const [head = '', ...body] = text.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const headers = new Headers(
    fields.map((field): [string, string] => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon), field.slice(colon + 1).trim()]
    }),
  )
  return answerOf(Number(line.split(' ')[1]), headers, body.join('\r\n\r\n'))
}

/** The bytes of a POST with a body, after which the server closes the connection. */
export function post(path: string, headers: Record<string, string>, body: string | Uint8Array): Buffer {
  const bytes = Buffer.from(body)
  const fields = {
    Host: 'localhost',
    Connection: 'close',
    'Content-Length': String(bytes.length),
    ...headers,
  }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${head.join('')}\r\n`), bytes])
}
