import type { Duplex } from 'node:stream'
import { type ErrorCode, errorBody, SluiceError } from '../../kit/errors.ts'

// An `import` of node:http also loads everything that it re-exports, as fetch: 20 ms of a start.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

const CODES: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}

/** Answers bytes that Node cannot read as HTTP, and closes the connection. There is no request object yet. */
export function answerMalformed({ code }: { code?: string }, socket: Duplex): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  answerSocket(socket, new SluiceError(CODES[code ?? ''] ?? 'request_malformed'))
}

/** Writes a failure to a connection without a request object, and closes the connection. */
export function answerSocket(socket: Duplex, error: SluiceError): void {
  const body = JSON.stringify(errorBody(error))
  const { retryAfter } = error.facts
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      (retryAfter === undefined ? '' : `Retry-After: ${retryAfter}\r\n`) +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
