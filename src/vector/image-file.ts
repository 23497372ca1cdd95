import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { BLOCK_SLOTS, blockBytes, strideOf } from './blocks.ts'
import { VectorImage } from './image.ts'
import type { ScanThreads } from './scan-threads.ts'
import type { Slots } from './slots.ts'

/*
 * The file of an image: its blocks as they are in memory, then a trailer. The trailer is a CRC-32 (uint32) of each block,
 * the facts as JSON, and four uint32: how many blocks there are, the bytes of the JSON, the CRC-32 of CRCs and JSON, a mark.
 */

/** What a file says about itself besides its blocks. */
export type ImageFacts = {
  /** The id of the index in its database. */
  index: number
  /** Random, for one file alone. */
  token: string
  /** The published run that the image is in the state of. */
  run: number
}

type Trailer = ImageFacts & { format: number; dimensions: number; blockSlots: number; used: number }

/** Changes with every change of the blocks or of the trailer. */
const FORMAT = 1
const MARK = 0x564c5353
const END_BYTES = 16
/** How much is copied, or read, at a time: the event loop is held up for a few milliseconds. */
const PIECE_BYTES = 4 * 2 ** 20
/** Blocks that may have changed while the others were written; they are copied in one go. */
const LAST_BYTES = 16 * 2 ** 20
/** How often all changed blocks are written again, before it is left for later. */
const MOST_PASSES = 6

/**
 * Calls a function at a moment at which the image is exactly in the state of a published run, with that run; undefined
 * where there is no such moment.
 */
export type AtRest = <Result>(take: (run: number) => Result) => Promise<Result | undefined>

/**
 * Writes an image that may change meanwhile: blocks that change are written again, the last of them together with the
 * facts of one moment. Returns the run that the file is in the state of; undefined where the image changes too quickly.
 *
 * @throws what `signal` is aborted with, and errors of the file system; the file is incomplete then
 */
export async function writeImageFile(
  file: string,
  { slots, dimensions }: Pick<VectorImage, 'slots' | 'dimensions'>,
  { atRest, signal, ...names }: Omit<ImageFacts, 'run'> & { atRest: AtRest; signal: AbortSignal },
): Promise<number | undefined> {
  const handle = await open(file, 'wx', 0o600)
  const changed = new Set(slots.blocks.keys())
  slots.watch(changed)
  try {
    const bytes = blockBytes(slots.layout.stride)
    const sums: number[] = []
    for (let pass = 0; pass < MOST_PASSES; pass++) {
      await writeBlocks(handle, slots, { changed, sums, signal })
      const end = await atRest((run) => {
        if (changed.size * bytes > LAST_BYTES) return undefined
        const last = [...changed].map((block) => ({ block, content: slots.bytesOf(block, 1).slice() }))
        for (const { block, content } of last) sums[block] = crc32(content)
        const facts = { ...names, run, format: FORMAT, dimensions, blockSlots: BLOCK_SLOTS, used: slots.used }
        return { last, trailer: trailerOf(sums, facts), run }
      })
      if (!end) continue
      for (const { block, content } of end.last) await writeAll(handle, content, block * bytes)
      await writeAll(handle, end.trailer, sums.length * bytes)
      await handle.datasync()
      return end.run
    }
    return undefined
  } finally {
    slots.watch(undefined)
    await handle.close()
  }
}

/** Writes the changed blocks in ascending order; those that change after they were copied are in the set again. */
async function writeBlocks(
  handle: FileHandle,
  slots: Slots,
  { changed, sums, signal }: { changed: Set<number>; sums: number[]; signal: AbortSignal },
): Promise<void> {
  const bytes = blockBytes(slots.layout.stride)
  const most = Math.max(1, Math.floor(PIECE_BYTES / bytes))
  const blocks = [...changed].sort((a, b) => a - b)
  for (let at = 0; at < blocks.length; ) {
    signal.throwIfAborted()
    const first = blocks[at]!
    let count = 1
    while (count < most && blocks[at + count] === first + count) count++
    for (let block = first; block < first + count; block++) changed.delete(block)
    const content = slots.bytesOf(first, count).slice()
    for (let place = 0; place < count; place++)
      sums[first + place] = crc32(content.subarray(place * bytes, (place + 1) * bytes))
    await writeAll(handle, content, first * bytes)
    at += count
  }
}

async function writeAll(handle: FileHandle, content: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < content.length; )
    at += (await handle.write(content, at, content.length - at, position + at)).bytesWritten
}

function trailerOf(sums: readonly number[], facts: Trailer): Uint8Array {
  const json = Buffer.from(JSON.stringify(facts))
  const body = Buffer.concat([Buffer.from(Uint32Array.from(sums).buffer), json])
  return Buffer.concat([
    body,
    Buffer.from(Uint32Array.of(sums.length, json.length, crc32(body), MARK).buffer),
  ])
}

/** Reads a file; undefined where it is missing, damaged, incomplete, or not the wanted one. */
export async function readImageFile(
  file: string,
  wanted: ImageFacts,
  threads: ScanThreads | undefined,
): Promise<VectorImage | undefined> {
  let handle: FileHandle
  try {
    handle = await open(file)
  } catch {
    return undefined
  }
  try {
    const found = await readTrailer(handle, wanted)
    if (!found) return undefined
    const { facts, sums } = found
    const image = new VectorImage({ dimensions: facts.dimensions, ...(threads ? { threads } : {}) })
    image.slots.reserve(facts.used)
    if (await readBlocks(handle, image.slots, sums)) return image
    image.close()
    return undefined
  } catch {
    // A disk that cannot read the file: the database has the vectors.
    return undefined
  } finally {
    await handle.close()
  }
}

async function readTrailer(
  handle: FileHandle,
  wanted: ImageFacts,
): Promise<{ facts: Trailer; sums: Uint32Array } | undefined> {
  const { size } = await handle.stat()
  const end = new Uint32Array(END_BYTES / 4)
  if (size < END_BYTES || !(await readAll(handle, bytesOf(end), size - END_BYTES))) return undefined
  const [blocks = 0, jsonBytes = 0, sum, mark] = end
  const blocksEnd = size - END_BYTES - jsonBytes - blocks * 4
  if (mark !== MARK || blocksEnd < 0) return undefined
  const sums = new Uint32Array(blocks)
  const json = new Uint8Array(jsonBytes)
  if (!(await readAll(handle, bytesOf(sums), blocksEnd))) return undefined
  if (!(await readAll(handle, json, blocksEnd + blocks * 4))) return undefined
  if (crc32(json, crc32(bytesOf(sums))) !== sum) return undefined
  const facts = JSON.parse(Buffer.from(json).toString()) as Trailer
  const { format, blockSlots, dimensions, used, index, token, run } = facts
  const fits =
    format === FORMAT &&
    blockSlots === BLOCK_SLOTS &&
    index === wanted.index &&
    token === wanted.token &&
    run === wanted.run &&
    blocks === Math.ceil(used / BLOCK_SLOTS) &&
    blocksEnd === blocks * blockBytes(strideOf(dimensions))
  return fits ? { facts, sums } : undefined
}

/** Reads all blocks into the memory of an image; returns whether they are sound. */
async function readBlocks(handle: FileHandle, slots: Slots, sums: Uint32Array): Promise<boolean> {
  const bytes = blockBytes(slots.layout.stride)
  const most = Math.max(1, Math.floor(PIECE_BYTES / bytes))
  let next = 0
  let sound = true
  const readSome = async () => {
    while (sound && next < sums.length) {
      const first = next
      const count = Math.min(most, sums.length - first)
      next += count
      const content = slots.bytesOf(first, count)
      if (!(await readAll(handle, content, first * bytes))) sound = false
      for (let place = 0; sound && place < count; place++) {
        sound = crc32(content.subarray(place * bytes, (place + 1) * bytes)) === sums[first + place]
        if (sound) slots.adopt(first + place)
      }
    }
  }
  // The disk reads one piece while another is checked.
  await Promise.all([readSome(), readSome()])
  return sound
}

/** Fills `content` from a position of a file; returns whether the file is long enough. */
async function readAll(handle: FileHandle, content: Uint8Array, position: number): Promise<boolean> {
  for (let at = 0; at < content.length; ) {
    const { bytesRead } = await handle.read(content, at, content.length - at, position + at)
    if (bytesRead === 0) return false
    at += bytesRead
  }
  return true
}

const bytesOf = (numbers: Uint32Array): Uint8Array => new Uint8Array(numbers.buffer)
