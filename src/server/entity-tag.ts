import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '../kit/hash.ts'

/** JSON text that many requests get, with its weak tag: the same for each encoding. */
export type TaggedText = { text: string; tag: string }

export const taggedJson = (value: object): TaggedText => {
  const text = JSON.stringify(value)
  return { text, tag: `W/"${sha256(text).slice(0, 32)}"` }
}

/** Whether an If-None-Match header names a tag, by weak comparison (RFC 9110, 13.1.2). */
export function namesTag(header: string | undefined, tag: string): boolean {
  const opaque = (given: string) => given.trim().replace(/^W\//, '')
  return header?.trim() === '*' || (header ?? '').split(',').some((given) => opaque(given) === opaque(tag))
}

/** Answers with the text, or with 304 where the client has it. A browser asks each time before it uses what it has. */
export function sendTagged({ headers }: FastifyRequest, reply: FastifyReply, { text, tag }: TaggedText) {
  reply.headers({ etag: tag, 'cache-control': 'private, no-cache' })
  if (namesTag(headers['if-none-match'], tag)) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(text)
}
