import type { FastifyInstance } from 'fastify'

/** The most bytes a request body may have: 100 kB. */
export const BODY_LIMIT = 100_000

/** A body with the content type JSON that is not valid JSON. */
export class InvalidJson extends Error {
  constructor() {
    super('Request body is not valid JSON')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Accepts only JSON bodies. An empty body and one of another content type are read, so that their size is checked, and
 * count as absent.
 */
export function takeJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    let body: unknown
    try {
      body = JSON.parse(utf8.decode(bytes))
    } catch {
      return done(new InvalidJson())
    }
    done(null, body)
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => done(null, undefined))
}
