import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { reasonOf } from '../kit/errors.ts'
import { isObject, type Json, parseJson } from '../kit/json.ts'
import { Failure } from './failure.ts'

/** A request body that is made while it is sent. Without a length it goes in chunks (RFC 9112, 7.1). */
export type Body = { type: string; length: number | undefined; chunks(): AsyncIterable<Uint8Array> }

/** A Sluice server, spoken to over HTTP. `path` is relative to `/api/v1/`. */
export type Client = {
  url: URL
  /** @throws Failure with the server's own words, or why there are none */
  send(method: string, path: string, body?: Body): Promise<Json>
}

export type ClientOptions = { key?: string | undefined; signal?: AbortSignal }

export function connectTo(url: URL, { key, signal }: ClientOptions = {}): Client {
  const root = new URL('api/v1/', url.href.endsWith('/') ? url : `${url.href}/`)
  return {
    url,
    async send(method, path, body) {
      const headers = {
        accept: 'application/json',
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(body ? { 'content-type': body.type } : {}),
        ...(body?.length === undefined ? {} : { 'content-length': body.length }),
      }
      const answer = await exchange(
        new URL(path, root),
        { method, headers, ...(signal ? { signal } : {}) },
        body,
      )
      const value = parseJson(answer.text)
      if (answer.status >= 300) throw refusal(answer.status, value, key)
      if (value === undefined)
        throw new Failure(`What answers at ${url.origin} is no Sluice server: its answer is not JSON`)
      return value
    },
  }
}

export function jsonBody(value: Json): Body {
  const bytes = Buffer.from(JSON.stringify(value))
  return {
    type: 'application/json',
    length: bytes.length,
    async *chunks() {
      yield bytes
    },
  }
}

type Head = { method: string; headers: Record<string, string | number>; signal?: AbortSignal }

/** One request and its answer. No limit of time: an upsert answers when it is done. */
function exchange(url: URL, head: Head, body?: Body): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, head)
  const source = Readable.from(body?.chunks() ?? [])
  const fail = (error: Error) => {
    source.destroy()
    reject(error instanceof Failure ? error : new Failure(...unreachable(url, error)))
  }
  source.on('error', (error) => request.destroy(error))
  request.on('error', fail)
  request.on('response', async (response) => {
    // An answer that comes before the upload has ended is a refusal: nobody reads the rest.
    if (!source.readableEnded) source.destroy()
    try {
      resolve({ status: response.statusCode!, text: await text(response) })
    } catch (error) {
      fail(error as Error)
    }
    if (!request.writableEnded) request.destroy()
  })
  source.pipe(request)
  return promise
}

function unreachable(url: URL, error: NodeJS.ErrnoException): [message: string, hint?: string] {
  switch (error.code) {
    case 'ECONNREFUSED':
      return [
        `No server answers at ${url.origin}`,
        'start one with "sluice start", or say where it is with --url',
      ]
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return [`The host ${url.hostname} is not known`]
    case 'ECONNRESET':
    case 'EPIPE':
      return [
        `The server at ${url.origin} closed the connection before it answered`,
        'its log may tell why; an upload over its limits is cut off (MAX_UPLOAD_MB, MAX_FILES)',
      ]
    case 'ABORT_ERR':
      return ['Interrupted']
    default:
      return [`Cannot reach ${url.origin}: ${reasonOf(error)}`]
  }
}

/** The server's own message and hint; where it gave none, what its status means for this client. */
function refusal(status: number, value: Json | undefined, key: string | undefined): Failure {
  const { message, hint } = isObject(value) ? value : {}
  const own = status === 401 && !key ? 'give an API key with --key, or in SLUICE_KEY' : undefined
  return new Failure(
    typeof message === 'string' ? message : `The server answered with status ${status}`,
    typeof hint === 'string' ? hint : own,
  )
}
