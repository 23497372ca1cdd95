import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sha256 } from '../kit/hash.ts'

/** A file of the built studio in the encodings that the build made of it. */
export type StudioFile = { type: string; etag: string; bytes: Buffer; brotli?: Buffer; gzip?: Buffer }

/** What `npm run build:studio` made: one page, and assets with a hash of their content in their names. */
export type StudioFiles = { page: StudioFile; assets: ReadonlyMap<string, StudioFile> }

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Reads the built studio, about 2 MB, into memory; undefined where it was not built. */
export function readStudioFiles(folder: string): StudioFiles | undefined {
  const page = path.join(folder, 'index.html')
  if (!existsSync(page)) return undefined
  const assets = path.join(folder, 'assets')
  const names = existsSync(assets) ? readdirSync(assets) : []
  return {
    page: readFile(page),
    assets: new Map(
      names
        .filter((name) => path.extname(name) in TYPES)
        .map((name) => [name, readFile(path.join(assets, name))]),
    ),
  }
}

function readFile(file: string): StudioFile {
  const bytes = readFileSync(file)
  const [brotli, gzip] = ['.br', '.gz'].map((ending) =>
    existsSync(file + ending) ? readFileSync(file + ending) : undefined,
  )
  return {
    type: TYPES[path.extname(file)]!,
    etag: `"${sha256(bytes).slice(0, 32)}"`,
    bytes,
    ...(brotli ? { brotli } : {}),
    ...(gzip ? { gzip } : {}),
  }
}

/** The smallest form of a file that a client accepts (RFC 9110, 12.5.3). */
export function encodedFile(
  { bytes, brotli, gzip }: StudioFile,
  acceptEncoding: string | undefined,
): { body: Buffer; encoding?: 'br' | 'gzip' } {
  const accepted = new Set(
    (acceptEncoding ?? '')
      .toLowerCase()
      .split(',')
      .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
      .map((part) => part.split(';')[0]!.trim()),
  )
  if (brotli && accepted.has('br')) return { body: brotli, encoding: 'br' }
  if (gzip && accepted.has('gzip')) return { body: gzip, encoding: 'gzip' }
  return { body: bytes }
}
