import assert from 'node:assert/strict'
import type { ErrorCode } from '../../../src/kit/errors.ts'
import type { Answer } from '../platform.ts'

/** Failures of the models and sites that a flow calls. */
export const BEHIND: ReadonlySet<string> = new Set<ErrorCode>([
  'provider_failed',
  'provider_timeout',
  'fetch_failed',
])

/** Paths of our code, as in a stack trace or a careless message. */
const INSIDE = /\bat .+:\d+:\d+|node_modules|\/src\/\w+|\.ts\b:\d|SQLITE_|file:\/\//

/** Fails if an answer is one that no request may get. Its schema is checked elsewhere. */
export function judge({ status, headers, text, body }: Answer): void {
  if (status < 400) return
  assert.notEqual(text, '', `${status} without a body`)
  assert.doesNotMatch(text, INSIDE, 'a place inside of the server')
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  const { code, error, jsonrpc, ...rest } = body as Record<string, unknown>
  if (jsonrpc !== undefined) return
  const given = code ?? (error as Record<string, unknown> | undefined)?.code
  assert.match(String(given), /^[a-z_]+$/, text)
  if (status >= 500) assert.ok(BEHIND.has(String(given)), `${status} ${text}`)
  // The one shape; below `/v1` it is the one of OpenAI.
  if (code !== undefined) assert.deepEqual([rest.statusCode, rest.success, rest.stack], [status, false, {}])
}

/** Lines of the log that report an internal failure of the server. */
export function errorsOf(log: readonly string[]): string[] {
  return log.filter((line) => {
    const { level, code } = JSON.parse(line) as { level: string; code?: string }
    return level === 'error' && !BEHIND.has(code ?? '')
  })
}
