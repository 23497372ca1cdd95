import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { FailureAnswer } from '../api/failure.ts'
import { reasonOf } from '../kit/errors.ts'
import { isObject, type Json, parseJson } from '../kit/json.ts'
import { Failure, ServerRefusal } from './failure.ts'
import { readEvents, type ServerEvent } from './server-events.ts'

/** A request body that is produced while it is sent. Without a length it is sent chunked (RFC 9112, 7.1). */
export type Body = { type: string; length: number | undefined; chunks(): AsyncIterable<Uint8Array> }

/** Calls a Sluice server over HTTP. `path` is relative to `/api/v1/`. */
export type Client = {
  url: URL
  /** @throws ServerRefusal with the message of the server; Failure where there is no answer, or none in JSON */
  send(method: string, path: string, body?: Body, headers?: Record<string, string>): Promise<Json>
  /** The events of a stream after the event with the id `seen`. @throws ServerRefusal, Failure */
  events(path: string, seen?: string): AsyncGenerator<ServerEvent>
  /** The events of an answer to a POST. An answer in JSON becomes one event with the name `answer`. @throws ServerRefusal, Failure */
  stream(path: string, body: Body): AsyncGenerator<ServerEvent>
}

const EVENT_STREAM = 'text/event-stream'

export type ClientOptions = { key?: string | undefined; signal?: AbortSignal }

export function connectTo(url: URL, { key, signal }: ClientOptions = {}): Client {
  const root = new URL('api/v1/', url.href.endsWith('/') ? url : `${url.href}/`)
  const send = (method: string, path: string, headers: Record<string, string | number>, body?: Body) => {
    const authorization: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
    const head = { method, headers: { ...headers, ...authorization }, ...(signal ? { signal } : {}) }
    return exchange(new URL(path, root), head, body)
  }

  /** @throws ServerRefusal, Failure */
  async function* eventsOf(answer: IncomingMessage): AsyncGenerator<ServerEvent> {
    if (answer.statusCode! >= 300)
      throw refusal(answer.statusCode!, parseJson(await textOf(answer, url)), key)
    if (answer.headers['content-type']?.startsWith('application/json')) {
      yield { id: '', event: 'answer', data: await textOf(answer, url) }
      return
    }
    try {
      yield* readEvents(answer)
    } catch (error) {
      throw new Failure(...unreachable(url, error as Error))
    }
  }

  return {
    url,
    async send(method, path, body, headers) {
      const answer = await send(
        method,
        path,
        {
          accept: 'application/json',
          ...(body ? { 'content-type': body.type } : {}),
          ...(body?.length === undefined ? {} : { 'content-length': body.length }),
          ...headers,
        },
        body,
      )
      const value = parseJson(await textOf(answer, url))
      if (answer.statusCode! >= 300) throw refusal(answer.statusCode!, value, key)
      if (value === undefined)
        throw new Failure(`The answer of ${url.origin} is not JSON: it may not be a Sluice server`)
      return value
    },
    async *events(path, seen) {
      const answer = await send('GET', path, {
        accept: EVENT_STREAM,
        ...(seen === undefined ? {} : { 'last-event-id': seen }),
      })
      yield* eventsOf(answer)
    },
    async *stream(path, body) {
      const headers = { accept: EVENT_STREAM, 'content-type': body.type }
      const length = body.length === undefined ? {} : { 'content-length': body.length }
      yield* eventsOf(await send('POST', path, { ...headers, ...length }, body))
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

/** Sends a request and resolves with the head of its answer. There is no time limit: an upsert may take long. */
function exchange(url: URL, head: Head, body?: Body): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, head)
  const source = Readable.from(body?.chunks() ?? [])
  source.on('error', (error) => request.destroy(error))
  request.on('error', (error) => {
    source.destroy()
    reject(error instanceof Failure ? error : new Failure(...unreachable(url, error)))
  })
  request.on('response', (response) => {
    // An answer before the end of the upload is a refusal: the server does not read the rest.
    if (!source.readableEnded) source.destroy()
    response.once('end', () => {
      if (!request.writableEnded) request.destroy()
    })
    resolve(response)
  })
  source.pipe(request)
  return promise
}

/** @throws Failure where the connection ends before the answer */
async function textOf(answer: IncomingMessage, url: URL): Promise<string> {
  try {
    return await text(answer)
  } catch (error) {
    throw new Failure(...unreachable(url, error as Error))
  }
}

function unreachable(url: URL, error: NodeJS.ErrnoException): [message: string, hint?: string] {
  switch (error.code) {
    case 'ECONNREFUSED':
      return [
        `No server answers at ${url.origin}`,
        'start one with "sluice start", or give its address with --url',
      ]
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return [`The host ${url.hostname} cannot be found`]
    case 'ECONNRESET':
    case 'EPIPE':
      return [
        `The server at ${url.origin} closed the connection before it answered`,
        'see its log; it ends uploads above its limits (MAX_UPLOAD_MB, MAX_FILES)',
      ]
    case 'ABORT_ERR':
      return ['Interrupted']
    default:
      return [`Cannot reach ${url.origin}: ${reasonOf(error)}`]
  }
}

/** A refusal with the message and hint of the server; where it gave none, with a text for the status. */
function refusal(status: number, value: Json | undefined, key: string | undefined): ServerRefusal {
  // Another program, such as a proxy, may have answered.
  const { message, hint }: { [N in keyof FailureAnswer]?: unknown } = isObject(value) ? value : {}
  const own =
    status === 401 && !key
      ? 'give an API key with --key or in SLUICE_KEY; to make one, run "sluice key new me --scope manage" on the machine of the server'
      : undefined
  return new ServerRefusal(
    status,
    typeof message === 'string' ? message : `The server answered with status ${status}`,
    typeof hint === 'string' ? hint : own,
  )
}
