import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import { buildEventApp } from '../../src/events/app.ts'
import { EventStore } from '../../src/events/store.ts'
import { readEventInput } from '../../src/events/validate.ts'
import { randomId } from '../../src/kit/hash.ts'
import { parseJson } from '../../src/kit/json.ts'

/**
 * The same service three times: list, checks and answers are the same, only the HTTP library differs. Run as a
 * child process with the name of one; it sends its port to its parent.
 */
const SERVERS = { ours, bare, express: overExpress }

export type ServerName = keyof typeof SERVERS

async function ours(): Promise<number> {
  return Number(new URL(await buildEventApp().listen({ host: '127.0.0.1', port: 0 })).port)
}

/** node:http without a framework: the least work for these answers. */
async function bare(): Promise<number> {
  const store = new EventStore()

  const send = (response: ServerResponse, status: number, value: unknown): void => {
    const text = JSON.stringify(value)
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    response.end(text)
  }
  const withBody = (request: IncomingMessage, use: (body: unknown) => void): void => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => use(parseJson(Buffer.concat(chunks).toString())))
  }

  return listen((request, response) => {
    const { method, url = '/' } = request
    const id = url.startsWith('/events/') ? decodeURIComponent(url.slice('/events/'.length)) : undefined
    if (id === undefined) {
      if (method === 'GET') return send(response, 200, store.list())
      return withBody(request, (body) => {
        const input = readEventInput(body)
        if ('error' in input) return send(response, 400, input)
        const event = { id: input.id ?? randomId(), ...input.details }
        store.append(event)
        send(response, 201, event)
      })
    }
    const event = store.find(id)
    if (!event) return send(response, 404, { error: 'Event not found' })
    if (method === 'GET') return send(response, 200, event)
    if (method === 'PATCH')
      return withBody(request, (body) => {
        const input = readEventInput(body)
        if ('error' in input) send(response, 400, input)
        else send(response, 200, store.replace(id, input.details))
      })
    store.remove(id)
    response.writeHead(204).end()
  })
}

/** Express 5 without its two headers (ETag, X-Powered-By), which only cost it time. */
async function overExpress(): Promise<number> {
  const store = new EventStore()
  const app = express().disable('x-powered-by').disable('etag')
  const known: RequestHandler<{ id: string }> = (request, response, next) => {
    if (store.find(request.params.id)) next()
    else response.status(404).json({ error: 'Event not found' })
  }
  const failed: ErrorRequestHandler = (_error, _request, response, _next) => {
    response.status(500).json({ error: 'Internal server error' })
  }
  app.use(express.json())
  app.get('/events', (_request, response) => {
    response.json(store.list())
  })
  app.post('/events', (request, response) => {
    const input = readEventInput(request.body)
    if ('error' in input) {
      response.status(400).json(input)
      return
    }
    const event = { id: input.id ?? randomId(), ...input.details }
    store.append(event)
    response.status(201).json(event)
  })
  app.get('/events/:id', known, (request, response) => {
    response.json(store.find(request.params.id))
  })
  app.patch('/events/:id', known, (request, response) => {
    const input = readEventInput(request.body)
    if ('error' in input) response.status(400).json(input)
    else response.json(store.replace(request.params.id, input.details))
  })
  app.delete('/events/:id', known, (request, response) => {
    store.remove(request.params.id)
    response.status(204).end()
  })
  app.use((_request, response) => {
    response.status(404).json({ error: 'Endpoint not found' })
  })
  app.use(failed)
  return listen(app)
}

function listen(handler: RequestListener): Promise<number> {
  const server = createServer({ keepAliveTimeout: 72_000 }, handler)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

if (import.meta.main) {
  const port = await SERVERS[process.argv[2] as ServerName]()
  process.send!(port)
  process.on('disconnect', () => process.exit())
}
