import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import {
  FILE_TYPES,
  type FileParser,
  type FileType,
  type ParsedBatch,
  type ParseOptions,
} from '../contract/file-parser.ts'
import type { LoaderItem, UploadedFile } from '../contract/loader.ts'
import { typeNotAccepted } from './type-not-accepted.ts'
import { FILE_TYPE_FACTS, fileFingerprint, TYPE_OF_ENDING } from '../formats/file-types.ts'
import { fileTypeOf } from '../formats/sniff.ts'
import { SluiceError } from '../kit/errors.ts'
import { fingerprint, sha256, sha256Stream } from '../kit/hash.ts'

const SNIFFED_BYTES = 65_536

/** What distinguishes one file loader from another: the types that it reads, and with which options. */
export type FileReadSettings = {
  types: readonly FileType[]
  /** File name endings, for messages: `.pdf`. */
  accepts: readonly string[]
  options: ParseOptions
  parser: FileParser
}

/** A file on disk, with the name that users know. */
export type FileOnDisk = { name: string; path: string; size: number }

/**
 * A file as an item; undefined if the loader does not read its type.
 *
 * @throws SluiceError `file_unreadable`, `file_encrypted`
 */
export async function fileItem(
  file: UploadedFile,
  reading: FileReadSettings,
): Promise<LoaderItem | undefined> {
  const type = readableAs(await typeOfUpload(file), file.name, reading)
  if (type === undefined) return undefined
  const variant = await variantOf(type, reading)
  return {
    name: file.name,
    source: file.name,
    fingerprint: fileFingerprint(type, file.sha256, variant),
    bytes: file.size,
    file: { path: file.path, type, variant },
    read: (signal, password) => parse(file, type, reading, { signal, password }),
  }
}

/** `password`: opens a file that is protected by one. */
export type Opening = { signal: AbortSignal; password?: string | undefined }

/** How a loader handles files, its own and uploaded ones. */
export type FileHandler = {
  accepts: readonly string[]
  /** {@link LoaderItem.fingerprint} of a file that is in memory. */
  fingerprint(name: string, bytes: Uint8Array): Promise<string>
  /** An upload as an item; undefined if the loader does not read its type. */
  item(file: UploadedFile): Promise<LoaderItem | undefined>
  read(file: FileOnDisk, opening: Opening): AsyncIterable<ParsedBatch>
}

/** The handler of files for a loader. */
export const fileHandler = (reading: FileReadSettings): FileHandler => ({
  accepts: reading.accepts,
  fingerprint(name, bytes) {
    const type = typeIfKnown(name, bytes.subarray(0, SNIFFED_BYTES))
    return fingerprintOf(readableAs(type, name, reading) ?? type, sha256(bytes), reading)
  },
  item: (file) => fileItem(file, reading),
  read: (file, opening) => readFileOnDisk(file, reading, opening),
})

/**
 * Reads a file with the reader of its type.
 *
 * @throws SluiceError `file_type_not_accepted`, and the errors of reading
 */
export async function* readFileOnDisk(
  file: FileOnDisk,
  reading: FileReadSettings,
  opening: Opening,
): AsyncGenerator<ParsedBatch> {
  if (file.size === 0) return yield { parts: [], notes: ['the file is empty'] }
  const type = await typeOf(file, reading)
  if (type === undefined) throw typeNotAccepted(file.name, reading.accepts)
  yield* parse(file, type, reading, opening)
}

async function* parse(
  { name, path: place }: FileOnDisk,
  type: FileType,
  { parser, options: settings }: FileReadSettings,
  { signal, password }: Opening,
): AsyncGenerator<ParsedBatch> {
  const options = password === undefined ? settings : { ...settings, password }
  for await (const batch of parser.parse({ path: place, name, type, options }, signal)) {
    for (const part of batch.parts) part.metadata = { source: name, ...part.metadata }
    yield batch
  }
}

/** How many types of uploads are remembered, some 200 bytes each. */
const MOST_REMEMBERED = 5000

/** Types of uploads, by the SHA-256 of their bytes and their ending: most files of a folder are sent again unchanged. */
const remembered = new Map<string, FileType>()

async function typeOfUpload(file: UploadedFile): Promise<FileType | undefined> {
  const key = `${file.sha256}.${endingOf(file.name)}`
  const known = remembered.get(key)
  if (known) return known
  const type = await typeOnDisk(file)
  if (type === undefined) return undefined
  if (remembered.size === MOST_REMEMBERED) remembered.delete(remembered.keys().next().value!)
  remembered.set(key, type)
  return type
}

async function typeOf(file: FileOnDisk, reading: FileReadSettings): Promise<FileType | undefined> {
  return readableAs(await typeOnDisk(file), file.name, reading)
}

/**
 * The type as which a loader reads a file: by its content, or by its ending, where a web page is called `.xls`. What only its content
 * shows to be more than text is also text.
 */
function readableAs(
  type: FileType | undefined,
  name: string,
  { types }: FileReadSettings,
): FileType | undefined {
  if (type === undefined || types.includes(type)) return type
  const named = TYPE_OF_ENDING.get(endingOf(name))
  if (named !== undefined) return types.includes(named) ? type : undefined
  return FILE_TYPE_FACTS[type].content === 'text' && types.includes('text') ? 'text' : undefined
}

const endingOf = (name: string): string => path.extname(name).slice(1).toLowerCase()

/** The type that name and first bytes show. @throws SluiceError `file_unreadable`, `file_encrypted`, `storage_full` */
const typeOnDisk = async (file: FileOnDisk): Promise<FileType | undefined> =>
  fileTypeOf(file.name, await withDiskErrors(file.name, () => headOf(file)))

async function headOf(file: FileOnDisk): Promise<Uint8Array> {
  const handle = await open(file.path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(Math.min(SNIFFED_BYTES, file.size)))
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** {@link LoaderItem.fingerprint} of a file on disk. @throws SluiceError `file_unreadable` */
export const fingerprintOnDisk = (file: FileOnDisk, reading: FileReadSettings): Promise<string> =>
  withDiskErrors(file.name, async () =>
    fingerprintOf(
      typeIfKnown(file.name, await headOf(file)),
      await sha256Stream(createReadStream(file.path)),
      reading,
    ),
  )

/** The fingerprint of a file as this parser reads it now. */
const fingerprintOf = async (
  type: FileType | undefined,
  hash: string,
  reading: Pick<FileReadSettings, 'parser' | 'options'>,
): Promise<string> => fileFingerprint(type, hash, type && (await variantOf(type, reading)))

/**
 * What decides about the documents of a file beside its name and bytes, whatever its type is: for {@link LoaderItem.fingerprint} of a file
 * that is not here, whose type its bytes would tell. It changes with the revision of each reader.
 */
export async function readersNow(reading: Pick<FileReadSettings, 'parser' | 'options'>): Promise<string> {
  return fingerprint((await Promise.all(FILE_TYPES.map((type) => fingerprintOf(type, '', reading)))).join())
}

const variantOf = async (
  type: FileType,
  { parser, options }: Pick<FileReadSettings, 'parser' | 'options'>,
): Promise<string | undefined> => parser.variant?.(type, options)

/** The type of a file; undefined if reading it will be refused. */
function typeIfKnown(name: string, head: Uint8Array): FileType | undefined {
  try {
    return fileTypeOf(name, head)
  } catch {
    return undefined
  }
}

/**
 * Runs disk operations for one file. The error names the file, never its path on this machine.
 *
 * @throws SluiceError `storage_full`, `file_unreadable`
 */
export async function withDiskErrors<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new SluiceError('storage_full', {}, { cause: error })
    throw new SluiceError(
      'file_unreadable',
      { file: name, reason: `the server has no access to it (${code ?? 'unknown'})` },
      { cause: error },
    )
  }
}
