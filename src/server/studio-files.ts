import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '../kit/hash.ts'
import { acceptedEncodings } from './accept-encoding.ts'

/** A file of the built studio: as it is, compressed, or both. */
export type StudioFile = { type: string; etag: string; brotli?: Buffer } & (
  | { bytes: Buffer; gzip?: Buffer }
  | { bytes?: undefined; gzip: Buffer }
)

/** What `npm run build:studio` made: the studio's page, the chat page, and assets with a hash of their content in their names. */
export type StudioFiles = {
  page: StudioFile
  /** Undefined in a build of an earlier version. */
  chatPage: StudioFile | undefined
  assets: ReadonlyMap<string, StudioFile>
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Reads the built studio, about 2 MB, into memory; undefined where it was not built. */
export function readStudioFiles(folder: string): StudioFiles | undefined {
  const page = path.join(folder, 'index.html')
  if (!existsSync(page)) return undefined
  const chatPage = path.join(folder, 'chatbot.html')
  const assets = path.join(folder, 'assets')
  const files = existsSync(assets) ? readdirSync(assets) : []
  const names = [...new Set(files.map((file) => file.replace(/\.(br|gz)$/, '')))]
  return {
    page: readFile(page),
    chatPage: existsSync(chatPage) ? readFile(chatPage) : undefined,
    assets: new Map(
      names
        .filter((name) => path.extname(name) in TYPES)
        .map((name) => [name, readFile(path.join(assets, name))]),
    ),
  }
}

function readFile(file: string): StudioFile {
  const [bytes, brotli, gzip] = ['', '.br', '.gz'].map((ending) =>
    existsSync(file + ending) ? readFileSync(file + ending) : undefined,
  )
  const type = TYPES[path.extname(file)]!
  const more = brotli ? { brotli } : {}
  if (bytes) return { type, etag: etagOf(bytes), bytes, ...more, ...(gzip ? { gzip } : {}) }
  if (gzip) return { type, etag: etagOf(gzip), gzip, ...more }
  throw new Error(`the studio has ${path.basename(file)} neither as it is nor as .gz`)
}

const etagOf = (bytes: Buffer): string => `"${sha256(bytes).slice(0, 32)}"`

/** The smallest form of a file that a client accepts. */
export function encodedFile(
  { bytes, brotli, gzip }: StudioFile,
  acceptEncoding: string | undefined,
): { body: Buffer; encoding?: 'br' | 'gzip' } {
  const accepted = acceptedEncodings(acceptEncoding)
  if (brotli && accepted.has('br')) return { body: brotli, encoding: 'br' }
  if (gzip && accepted.has('gzip')) return { body: gzip, encoding: 'gzip' }
  return { body: bytes ?? gunzipSync(gzip!) }
}

/** Answers with a page, or with 304 to a browser that has it. */
export function sendPage(
  page: StudioFile,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Buffer | FastifyReply {
  reply.headers({
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    vary: 'accept-encoding',
    etag: page.etag,
  })
  if (headers['if-none-match'] === page.etag) return reply.code(304).send()
  const { body, encoding } = encodedFile(page, headers['accept-encoding'])
  if (encoding) reply.header('content-encoding', encoding)
  return body
}
