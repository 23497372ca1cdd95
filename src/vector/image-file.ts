import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { BLOCK_SLOTS, blockBytes } from './blocks.ts'
import { FilePlaces, type ImageFileState } from './file-places.ts'
import { VectorImage } from './image.ts'
import type { ScanThreads } from './scan-threads.ts'
import type { Slots } from './slots.ts'

/*
 * The file of an image: its blocks as they are in memory, each in a place, and a trailer. A file is completed again and again:
 * blocks that changed are written to places that the last trailer does not use, with a new trailer, so the state before stays
 * whole until its owner names the new trailer. The trailer is four uint32 (how many blocks there are, the bytes of the JSON, the
 * CRC-32 of all that follows, a mark), a CRC-32 (uint32) of each block, the place (uint32) of each block, and the facts as JSON.
 */

/** What a file says about itself besides its blocks. */
export type ImageFacts = {
  /** The id of the index in its database. */
  index: number
  /** Random, for one state of one file alone. */
  token: string
  /** The published run that the image is in the state of. */
  run: number
}

type Trailer = ImageFacts & { format: number; dimensions: number; blockSlots: number; used: number }

/** Changes with every change of the blocks or of the trailer. */
const FORMAT = 2
const MARK = 0x564c5354
const HEAD_BYTES = 16
const MOST_FACTS_BYTES = 1024
/** How much is copied, or read, at a time: the event loop is held up for a few milliseconds. */
const PIECE_BYTES = 4 * 2 ** 20
/** Blocks that may have changed while the others were written; they are copied in one go. */
const LAST_BYTES = 16 * 2 ** 20
/** How many pieces are read at once: while a load keeps the event loop busy, all that have come are checked in one turn. */
const READS_AT_ONCE = 6
/** How often all changed blocks are written again, before it is left for later. */
const MOST_PASSES = 6

/**
 * Calls a function at a moment at which the image is exactly in the state of a published run, with that run; undefined
 * where there is no such moment.
 */
export type AtRest = <Result>(take: (run: number) => Result) => Promise<Result | undefined>

export type ImageWriting = {
  index: number
  /** The token of the state, once it is known where its trailer is. */
  token: (trailerAt: number) => string
  /** The numbers of the blocks that changed since `before`, and the set that `slots` watches. */
  changed: Set<number>
  /** The state of the file that stays whole; undefined for a file that does not exist yet. */
  before: ImageFileState | undefined
  atRest: AtRest
  signal: AbortSignal
}

/**
 * Writes the changed blocks of an image that may change meanwhile: blocks that change again are written again, the last of
 * them together with the facts of one moment. Returns the new state, its token and the run that it is of; undefined
 * where the image changes too quickly. Where there is no new state, `changed` has all blocks that changed since `before`.
 *
 * @throws what `signal` is aborted with, and errors of the file system
 */
export async function writeImageFile(
  file: string,
  { slots, dimensions }: Pick<VectorImage, 'slots' | 'dimensions'>,
  { index, token: tokenAt, changed, before, atRest, signal }: ImageWriting,
): Promise<{ state: ImageFileState; token: string; run: number } | undefined> {
  const handle = await open(file, before ? 'r+' : 'wx', 0o600)
  const bytes = blockBytes(slots.layout.stride)
  const places = new FilePlaces(bytes, before)
  const sums = [...(before?.sums ?? [])]
  let isComplete = false
  try {
    for (let pass = 0; pass < MOST_PASSES; pass++) {
      await writeBlocks(handle, slots, { changed, places, sums, signal })
      const end = await atRest((run) => {
        if (changed.size * bytes > LAST_BYTES) return undefined
        const last = [...changed].map((block) => ({
          at: places.take(block) * bytes,
          content: slots.bytesOf(block, 1).slice(),
          block,
        }))
        changed.clear()
        for (const { block, content } of last) sums[block] = crc32(content)
        const at = places.trailerAt(mostTrailerBytes(sums.length))
        const token = tokenAt(at)
        const facts = {
          index,
          token,
          run,
          format: FORMAT,
          dimensions,
          blockSlots: BLOCK_SLOTS,
          used: slots.used,
        }
        const trailer = trailerOf({ sums, places: places.places }, facts)
        const state = { trailer: { at, bytes: trailer.length }, places: places.places, sums }
        return { last, trailer, result: { state, token, run } }
      })
      if (!end) continue
      for (const { at, content } of end.last) await writeAll(handle, content, at)
      await writeAll(handle, end.trailer, end.result.state.trailer.at)
      await handle.datasync()
      isComplete = true
      return end.result
    }
    return undefined
  } finally {
    if (!isComplete) for (const block of places.taken) changed.add(block)
    await handle.close()
  }
}

/** Writes the changed blocks in ascending order; those that change after they were copied are in the set again. */
async function writeBlocks(
  handle: FileHandle,
  slots: Slots,
  {
    changed,
    places,
    sums,
    signal,
  }: { changed: Set<number>; places: FilePlaces; sums: number[]; signal: AbortSignal },
): Promise<void> {
  const bytes = blockBytes(slots.layout.stride)
  const most = Math.max(1, Math.floor(PIECE_BYTES / bytes))
  const blocks = [...changed].sort((a, b) => a - b)
  for (let at = 0; at < blocks.length; ) {
    signal.throwIfAborted()
    const first = blocks[at]!
    const place = places.take(first)
    let count = 1
    while (
      count < most &&
      blocks[at + count] === first + count &&
      places.take(first + count) === place + count
    )
      count++
    for (let block = first; block < first + count; block++) changed.delete(block)
    const content = slots.bytesOf(first, count).slice()
    for (let one = 0; one < count; one++)
      sums[first + one] = crc32(content.subarray(one * bytes, (one + 1) * bytes))
    await writeAll(handle, content, place * bytes)
    at += count
  }
}

async function writeAll(handle: FileHandle, content: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < content.length; )
    at += (await handle.write(content, at, content.length - at, position + at)).bytesWritten
}

/** The most bytes of a trailer for so many blocks: the token in its facts says where it is. */
const mostTrailerBytes = (blocks: number): number => HEAD_BYTES + 8 * blocks + MOST_FACTS_BYTES

function trailerOf({ sums, places }: Omit<ImageFileState, 'trailer'>, facts: Trailer): Uint8Array {
  const json = Buffer.from(JSON.stringify(facts))
  const lists = [sums, places].map((list) => Buffer.from(Uint32Array.from(list).buffer))
  const body = Buffer.concat([...lists, json])
  return Buffer.concat([
    Buffer.from(Uint32Array.of(sums.length, json.length, crc32(body), MARK).buffer),
    body,
  ])
}

/**
 * Reads a file in the state of a trailer; undefined where it is missing, damaged, incomplete, or not the wanted one.
 *
 * @param trailerAt where the trailer begins, in bytes
 */
export async function readImageFile(
  file: string,
  trailerAt: number,
  wanted: ImageFacts,
  threads: ScanThreads | undefined,
): Promise<{ image: VectorImage; state: ImageFileState } | undefined> {
  let handle: FileHandle
  try {
    handle = await open(file)
  } catch {
    return undefined
  }
  try {
    const found = await readTrailer(handle, trailerAt, wanted)
    if (!found) return undefined
    const { facts, state } = found
    const image = new VectorImage({ dimensions: facts.dimensions, ...(threads ? { threads } : {}) })
    image.slots.reserve(facts.used)
    if (await readBlocks(handle, image.slots, state)) return { image, state }
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
  at: number,
  wanted: ImageFacts,
): Promise<{ facts: Trailer; state: ImageFileState } | undefined> {
  const { size } = await handle.stat()
  const head = new Uint32Array(HEAD_BYTES / 4)
  if (!(await readAll(handle, bytesOf(head), at))) return undefined
  const [blocks = 0, jsonBytes = 0, sum, mark] = head
  const bodyBytes = blocks * 8 + jsonBytes
  if (mark !== MARK || at + HEAD_BYTES + bodyBytes > size) return undefined
  const body = new Uint8Array(bodyBytes)
  if (!(await readAll(handle, body, at + HEAD_BYTES)) || crc32(body) !== sum) return undefined
  const facts = JSON.parse(Buffer.from(body.subarray(blocks * 8)).toString()) as Trailer
  const { format, blockSlots, used, index, token, run } = facts
  const fits =
    format === FORMAT &&
    blockSlots === BLOCK_SLOTS &&
    index === wanted.index &&
    token === wanted.token &&
    run === wanted.run &&
    blocks === Math.ceil(used / BLOCK_SLOTS)
  if (!fits) return undefined
  const sums = [...new Uint32Array(body.buffer, 0, blocks)]
  const places = [...new Uint32Array(body.buffer, blocks * 4, blocks)]
  return { facts, state: { trailer: { at, bytes: HEAD_BYTES + bodyBytes }, places, sums } }
}

/** Reads all blocks into the memory of an image; returns whether they are sound. */
async function readBlocks(
  handle: FileHandle,
  slots: Slots,
  { places, sums }: ImageFileState,
): Promise<boolean> {
  const bytes = blockBytes(slots.layout.stride)
  const most = Math.max(1, Math.floor(PIECE_BYTES / bytes))
  let next = 0
  let sound = true
  const readSome = async () => {
    while (sound && next < sums.length) {
      const first = next
      const place = places[first]!
      let count = 1
      while (count < most && places[first + count] === place + count) count++
      next += count
      const content = slots.bytesOf(first, count)
      if (!(await readAll(handle, content, place * bytes))) sound = false
      for (let one = 0; sound && one < count; one++) {
        sound = crc32(content.subarray(one * bytes, (one + 1) * bytes)) === sums[first + one]
        if (sound) slots.adopt(first + one)
      }
    }
  }
  await Promise.all(Array.from({ length: READS_AT_ONCE }, readSome))
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
