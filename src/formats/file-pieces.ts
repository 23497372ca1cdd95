import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { SluiceError } from '../kit/errors.ts'
import type { FileLimits } from './limits.ts'
import type { StreamFile } from './reader.ts'

/** Bytes read at a time: large enough for a small cost per piece, small enough for many files at once. */
const PIECE_BYTES = 256 * 1024

/** The bytes of a file, piece by piece. */
export async function* bytePieces(file: StreamFile): AsyncGenerator<Uint8Array> {
  if ('path' in file) return yield* createReadStream(file.path, { highWaterMark: PIECE_BYTES })
  for (let at = 0; at < file.bytes.length; at += PIECE_BYTES) yield file.bytes.subarray(at, at + PIECE_BYTES)
}

/** All bytes of a file. @throws SluiceError `file_over_limit` if there are more than `limits.documentBytes` */
export async function wholeBytes(file: StreamFile, size: number, limits: FileLimits): Promise<Uint8Array> {
  if (size > limits.documentBytes) {
    const reason = `it has ${Math.ceil(size / 2 ** 20)} MB, the limit is ${Math.floor(limits.documentBytes / 2 ** 20)} MB`
    throw new SluiceError('file_over_limit', { file: file.name, reason })
  }
  return 'path' in file ? readFile(file.path) : file.bytes
}
