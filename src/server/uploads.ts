import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import type { UploadedFile } from '../contract/loader.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { randomId, sha256 } from '../kit/hash.ts'
import { incomingBodyOf } from './door/bodies.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../kit/json.ts'

/** A multipart request whose files are on disk. */
export type Upload = {
  /** The name of its folder in the upload directory; the files in it are named 0, 1, … */
  folder: string
  files: UploadedFile[]
  /** The text parts, in order. */
  fields: [name: string, value: string][]
  /** Removes the files. */
  remove(): Promise<void>
}

export type UploadLimits = {
  megabytes: number
  files: number
  /** The refusal of uploads while the disk is full. */
  shortage(): SluiceError | undefined
}

/** The limit of one text part, in bytes. */
const FIELD_BYTES = 10 * 2 ** 20
/** The limit of all text parts together, in bytes: they stay in memory. */
const FIELDS_BYTES = 20 * 2 ** 20
/** The limit of the number of text parts. */
const MAX_FIELDS = 1000
/** The room on the disk is checked every so many bytes. */
const CHECK_EVERY_BYTES = 4 * 2 ** 20

/**
 * Writes the files of a multipart body to a new folder while they arrive, and hashes them. After a failure the folder is
 * removed.
 *
 * @throws SluiceError `upload_too_large`, `too_many_files`, `file_duplicate`, `file_name_invalid`, `field_unexpected`,
 *   `body_invalid`, `storage_full`
 */
export async function receiveUpload(
  request: IncomingMessage,
  directory: string,
  limits: UploadLimits,
): Promise<Upload> {
  const name = randomId()
  const folder = path.join(directory, name)
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    checkDeclaredLength(request, limits)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return { folder: name, ...(await receive(request, folder, limits)), remove }
  } catch (error) {
    await remove()
    // The failure is answered without waiting for the rest of the body.
    request.unpipe()
    request.resume()
    throw asUploadError(error)
  }
}

/** Writes files from a JSON body to a new folder, like those of a form. */
export async function shelveFiles(
  directory: string,
  files: readonly { name: string; bytes: Buffer }[],
): Promise<Upload> {
  const folder = randomId()
  const location = path.join(directory, folder)
  const remove = () => rm(location, { recursive: true, force: true })
  try {
    await mkdir(location, { recursive: true, mode: 0o700 })
    const written = files.map(async ({ name, bytes }, index) => {
      const fault = nameFault(name)
      if (fault) throw new SluiceError('file_name_invalid', { file: printable(name), reason: fault })
      const file = {
        name,
        path: path.join(location, String(index)),
        size: bytes.length,
        sha256: sha256(bytes),
      }
      await writeFile(file.path, bytes, { mode: 0o600 })
      return file
    })
    return { folder, files: await Promise.all(written), fields: [], remove }
  } catch (error) {
    await remove()
    throw asUploadError(error)
  }
}

function checkDeclaredLength(request: IncomingMessage, { megabytes }: UploadLimits): void {
  if (Number(request.headers['content-length']) > megabytes * 2 ** 20)
    throw new SluiceError('upload_too_large', { limit: megabytes })
}

async function receive(
  request: IncomingMessage,
  folder: string,
  limits: UploadLimits,
): Promise<Pick<Upload, 'files' | 'fields'>> {
  const parser = openParser(request)
  const files: UploadedFile[] = []
  const names = new Set<string>()
  const fields: Upload['fields'] = []
  const streams: Readable[] = []
  let fieldBytes = 0
  const writes: Promise<void>[] = []

  function keepField(name: string, value: string): void {
    fieldBytes += Buffer.byteLength(value)
    if (fieldBytes > FIELDS_BYTES)
      return void parser.destroy(
        new SluiceError('body_too_large', { limit: `${FIELDS_BYTES / 2 ** 20} MB in all fields` }),
      )
    try {
      incomingBodyOf(request)?.hold(Buffer.byteLength(value))
      fields.push([name, value])
    } catch (error) {
      parser.destroy(error as Error)
    }
  }

  parser.on('field', (name: string | undefined, value, _nameCut, valueCut) => {
    if (valueCut)
      parser.destroy(new SluiceError('body_too_large', { limit: `${FIELD_BYTES / 2 ** 20} MB in one field` }))
    else if (name === undefined)
      parser.destroy(new SluiceError('body_invalid', { reason: 'a part of the form has no name' }))
    else if (name === 'files' && value !== '') parser.destroy(nameMissing())
    else keepField(name, value)
  })
  parser.on('fieldsLimit', () =>
    parser.destroy(new SluiceError('body_invalid', { reason: `it has more than ${MAX_FIELDS} fields` })),
  )
  parser.on('file', (part, stream, name) => {
    const refuse = (error: SluiceError) => {
      stream.resume()
      parser.destroy(error)
    }
    // A browser sends an empty part for a file input without a file.
    if (name === '') return void stream.once('data', () => refuse(nameMissing()))
    if (part !== 'files') return refuse(new SluiceError('field_unexpected', { part }))
    const fault = nameFault(name)
    if (fault) return refuse(new SluiceError('file_name_invalid', { file: printable(name), reason: fault }))
    if (names.has(name)) return refuse(new SluiceError('file_duplicate', { file: name }))
    if (names.size === limits.files) return refuse(new SluiceError('too_many_files', { limit: limits.files }))
    const file = { name, path: path.join(folder, String(names.size)), size: 0, sha256: '' }
    names.add(name)
    files.push(file)
    streams.push(stream)
    const written = write(stream, file)
    written.catch((error: Error) => parser.destroy(error))
    writes.push(written)
  })

  incomingBodyOf(request)?.onSlow((error) => parser.destroy(error))
  try {
    await pipeline(request, limitBody(limits), parser)
    await Promise.all(writes)
  } catch (error) {
    // The parser does not close the file that it was writing.
    for (const stream of streams) stream.destroy()
    await Promise.allSettled(writes)
    throw error
  }
  return { files, fields }
}

function openParser(request: IncomingMessage) {
  const { 'content-type': type, ...rest } = request.headers
  try {
    return new Busboy({
      headers: { ...rest, 'content-type': type! },
      preservePath: true,
      // The default of the parser is that any part of type application/octet-stream is a file.
      isPartAFile: (_part, _type, name) => name !== undefined,
      limits: { fieldSize: FIELD_BYTES, fields: MAX_FIELDS, headerPairs: 100 },
    })
  } catch (error) {
    throw new SluiceError('body_invalid', { reason: reasonOf(error) })
  }
}

async function write(stream: NodeJS.ReadableStream, file: UploadedFile): Promise<void> {
  const digest = createHash('sha256')
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      digest.update(chunk)
      file.size += chunk.length
      done(null, chunk)
    },
  })
  await pipeline(stream, hashing, createWriteStream(file.path, { mode: 0o600 }))
  file.sha256 = digest.digest('hex')
}

/** Refuses a body that exceeds the limit or fills the disk. Its declared length may be absent or wrong. */
function limitBody({ megabytes, shortage }: UploadLimits): Transform {
  let bytes = 0
  let nextCheck = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > megabytes * 2 ** 20) done(new SluiceError('upload_too_large', { limit: megabytes }))
      else if (bytes >= nextCheck) {
        nextCheck = bytes + CHECK_EVERY_BYTES
        done(shortage(), chunk)
      } else done(null, chunk)
    },
  })
}

/** Why a file name is refused. Names are kept as sent, with folders, but never used as paths on this server. */
function nameFault(name: string): string | undefined {
  if (name.length > 1024) return 'it has more than 1024 characters'
  if (/\p{Cc}/u.test(name)) return 'it has control characters'
  if (name.split(/[\\/]/).includes('..')) return 'it leads out of its folder with ..'
  return undefined
}

const nameMissing = () =>
  new SluiceError('file_name_invalid', { file: 'in "files"', reason: 'it is missing' })

const printable = (name: string) => name.replace(/\p{Cc}/gu, '?').slice(0, 200)

function asUploadError(error: unknown): unknown {
  if (error instanceof SluiceError) return error
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOSPC' || code === 'EDQUOT') return new SluiceError('storage_full', {}, { cause: error })
  if (code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET') {
    return new SluiceError('body_invalid', { reason: 'the upload is incomplete: the connection was closed' })
  }
  if (error instanceof Error && /multipart|boundary|part/i.test(error.message)) {
    return new SluiceError('body_invalid', { reason: reasonOf(error) })
  }
  return error
}

/** Fields of a form that are no overrides. */
const REQUEST_FIELDS = new Set(['overrideConfig', 'stopNodeId', 'chatId', 'question'])

type FormRequest = { overrides: JsonObject; stopNodeId?: string; chatId?: string }

/**
 * The overrides of a multipart form: the JSON object in `overrideConfig` and all other fields, which have precedence.
 * `chunkSize[splitter_0]=500` is for one node only.
 *
 * @throws SluiceError `body_invalid` if `overrideConfig` is not a JSON object
 */
export function readFormOverrides(fields: readonly (readonly [name: string, value: string])[]): FormRequest {
  let overrides: JsonObject = {}
  let stopNodeId: string | undefined
  let chatId: string | undefined
  for (const [name, value] of fields) {
    if (name === 'overrideConfig') overrides = { ...overrides, ...readObject(value) }
    else if (name === 'stopNodeId' && value !== '') stopNodeId = value
    else if (name === 'chatId' && value !== '') chatId = value
  }
  for (const [name, value] of fields)
    if (!REQUEST_FIELDS.has(name)) overrides = withField(overrides, name, value)
  return {
    overrides,
    ...(stopNodeId === undefined ? {} : { stopNodeId }),
    ...(chatId === undefined ? {} : { chatId }),
  }
}

function readObject(text: string): JsonObject {
  if (text.trim() === '') return {}
  const value = parseJson(text)
  if (value === null) return {}
  if (isObject(value)) return value as JsonObject
  throw new SluiceError('body_invalid', { reason: 'the part overrideConfig is not a JSON object' })
}

function withField(overrides: JsonObject, name: string, value: string): JsonObject {
  const [, key, nodeId] = /^([^[\]]+)\[([^[\]]+)\]$/.exec(name) ?? []
  if (key === undefined || nodeId === undefined) return { ...overrides, [name]: value }
  const present = overrides[key]
  return {
    ...overrides,
    [key]: { ...(isObject(present) ? (present as { [id: string]: Json }) : {}), [nodeId]: value },
  }
}
