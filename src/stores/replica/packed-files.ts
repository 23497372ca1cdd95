import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises'
import path from 'node:path'

/*
 * Some files of a folder as one stream of bytes: the length of a JSON text (uint32, big-endian), this text with the names and
 * sizes of the files, then their contents in this order.
 */

/** The bytes of a copy are not those that were saved. */
export class DamagedCopy extends Error {}

/** `size`: of the stream, in bytes. `read` fails where a file has become shorter. */
export type PackedFiles = { size: number; read(signal: AbortSignal): AsyncGenerator<Uint8Array> }

type PackedFile = { name: string; size: number }

const LENGTH_BYTES = 4

/** A longer list of files is none of ours. */
const MOST_LIST_BYTES = 64 * 1024

/** How much of a file is read at a time. */
const PIECE_BYTES = 4 * 2 ** 20

/** @param names of files that nobody changes meanwhile, below the folder, with slashes */
export async function packFiles(folder: string, names: readonly string[]): Promise<PackedFiles> {
  const files: PackedFile[] = []
  for (const name of names) files.push({ name, size: (await stat(path.join(folder, name))).size })
  const text = Buffer.from(JSON.stringify(files))
  const head = Buffer.alloc(LENGTH_BYTES + text.length)
  head.writeUInt32BE(text.length)
  text.copy(head, LENGTH_BYTES)
  return {
    size: files.reduce((sum, { size }) => sum + size, head.length),
    async *read(signal) {
      yield head
      for (const { name, size } of files) {
        let left = size
        if (left === 0) continue
        const content = createReadStream(path.join(folder, name), {
          ...{ end: size - 1, highWaterMark: PIECE_BYTES, signal },
        }) as AsyncIterable<Buffer>
        for await (const piece of content) {
          left -= piece.length
          yield piece
        }
        if (left > 0) throw new Error(`${name} is shorter than it was`)
      }
    },
  }
}

/**
 * Writes the files of a stream into a folder.
 *
 * @param isExpected whether a file of this name may be written
 * @throws DamagedCopy where the stream is not one of {@link packFiles}
 */
export async function unpackFiles(
  content: AsyncIterable<Uint8Array>,
  folder: string,
  isExpected: (name: string) => boolean,
): Promise<void> {
  let head: Buffer | undefined = Buffer.alloc(0)
  const files: PackedFile[] = []
  let current: { handle: FileHandle; left: number } | undefined

  /** Opens the next files, those that are empty included, until one takes bytes. */
  async function goOn(): Promise<void> {
    while (current === undefined || current.left === 0) {
      await current?.handle.close()
      current = undefined
      const next = files.shift()
      if (!next) return
      const file = path.join(folder, next.name)
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      current = { handle: await open(file, 'wx', 0o600), left: next.size }
    }
  }

  try {
    for await (const piece of content) {
      let bytes: Uint8Array = piece
      if (head) {
        head = Buffer.concat([head, bytes])
        const listed = listOf(head, isExpected)
        if (!listed) continue
        files.push(...listed.files)
        bytes = head.subarray(listed.end)
        head = undefined
        await goOn()
      }
      while (bytes.length > 0) {
        if (!current) throw new DamagedCopy('it has more bytes than its files')
        const taken = bytes.subarray(0, current.left)
        await current.handle.writeFile(taken)
        current.left -= taken.length
        bytes = bytes.subarray(taken.length)
        if (current.left === 0) await goOn()
      }
    }
    if (head || current) throw new DamagedCopy('it ends before its files do')
  } finally {
    await current?.handle.close()
  }
}

/** The list at the beginning of a stream, and where it ends; undefined where more bytes are needed. */
function listOf(
  bytes: Buffer,
  isExpected: (name: string) => boolean,
): { files: PackedFile[]; end: number } | undefined {
  if (bytes.length < LENGTH_BYTES) return undefined
  const length = bytes.readUInt32BE()
  if (length > MOST_LIST_BYTES) throw new DamagedCopy('it does not begin with a list of files')
  const end = LENGTH_BYTES + length
  if (bytes.length < end) return undefined
  const files = parsed(bytes.subarray(LENGTH_BYTES, end).toString())
  if (!Array.isArray(files) || !files.every((file) => isFile(file) && isExpected(file.name)))
    throw new DamagedCopy('it does not begin with a list of files')
  return { files: files as PackedFile[], end }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isFile(value: unknown): value is PackedFile {
  const { name, size } = (value ?? {}) as Partial<PackedFile>
  return typeof name === 'string' && Number.isSafeInteger(size) && size! >= 0
}
