import type { FileType } from '../contract/file-parser.ts'
import type { DocumentPart, Metadata } from '../contract/document.ts'
import { SluiceError } from '../kit/errors.ts'
import { HEAD_BYTES } from './encoding.ts'
import type { FileLimits } from './limits.ts'
import type { InsideFile, InsideFiles, ReaderItem, ReaderOutput } from './reader.ts'
import { readerFailure } from './reader-failure.ts'
import { fileTypeOf } from './sniff.ts'

/** Opens the reader of a type on a file in memory; `isContainer` if that file may have files inside too. */
export type OpenReader = (
  file: InsideFile,
  type: FileType,
  inside: InsideFiles,
) => { items: ReaderOutput; isContainer: boolean }

/** How many files and bytes may still be held, for all files inside one mail at any depth. */
type Room = { files: number; bytes: number }

/** The files inside an uploaded file. */
export function insideFiles(limits: FileLimits, open: OpenReader): InsideFiles {
  return atDepth(0, roomOf(limits))

  function atDepth(depth: number, room: Room): InsideFiles {
    return {
      free: () => (room.files > 0 ? room.bytes : undefined),
      take(bytes) {
        room.files--
        room.bytes -= bytes
      },
      renewed: () => (depth === 0 ? atDepth(0, roomOf(limits)) : atDepth(depth, room)),
      read: (file, around) =>
        enter(file.name, depth, (name) => itemsOf(file, around, name, atDepth(depth + 1, room))),
      nested: (name, items) =>
        enter(name, depth, (name) => namedItems(items(atDepth(depth + 1, room)), name, {})),
    }
  }

  async function* enter(
    name: string,
    depth: number,
    items: (name: string) => AsyncIterable<ReaderItem>,
  ): AsyncGenerator<ReaderItem> {
    if (depth >= limits.insideDepth) {
      yield { note: `${name} was not read: files are inside one another more than ${depth} deep` }
      return yield leftOut(name)
    }
    /** The last part, if its document is not complete. */
    let open: DocumentPart | undefined
    try {
      for await (const item of withinTime(items(name), name)) {
        if ('pageContent' in item) open = item.last ? undefined : item
        yield item
      }
    } catch (error) {
      if (open) yield { ...open, pageContent: '', last: true }
      yield { note: `${readerFailure(error, name).message}${open ? '; its beginning was read' : ''}` }
      yield leftOut(name)
    }
  }

  /** @throws SluiceError `file_timeout`; the time in which nothing is asked for does not count */
  async function* withinTime(items: AsyncIterable<ReaderItem>, file: string): AsyncGenerator<ReaderItem> {
    const seconds = limits.insideSeconds
    let spent = 0
    let began = performance.now()
    for await (const item of items) {
      spent += performance.now() - began
      if (spent > seconds * 1000) throw new SluiceError('file_timeout', { file, seconds })
      yield item
      began = performance.now()
    }
  }

  async function* itemsOf(
    file: InsideFile,
    around: Metadata,
    name: string,
    inside: InsideFiles,
  ): AsyncGenerator<ReaderItem> {
    if (file.bytes.length === 0) return yield { note: `${name} is empty` }
    const type = fileTypeOf(name, file.bytes.subarray(0, HEAD_BYTES))
    if (type === undefined) {
      yield { note: `${name} was not read: there is no reader for its type` }
      return yield leftOut(name)
    }
    const { items, isContainer } = open(file, type, inside)
    yield* namedItems(items, name, isContainer ? {} : { around })
  }
}

/**
 * Adds the name of a file to what its reader yields.
 *
 * @param around metadata of the file around it; without, it may have named files inside, and its own facts: a mail
 *    inside a mail has its own sender and date, or none
 */
async function* namedItems(
  items: ReaderOutput,
  name: string,
  { around }: { around?: Metadata },
): AsyncGenerator<ReaderItem> {
  const within = (inner: unknown) => (!around && typeof inner === 'string' ? `${name}/${inner}` : name)
  for await (const item of items) {
    if ('note' in item) yield { ...item, note: `${name}: ${item.note}` }
    else if ('dropped' in item) {
      const { place } = item.dropped
      yield { dropped: { ...item.dropped, place: { ...place, part: within(place?.part) } } }
    } else {
      const attachment = within(item.metadata.attachment)
      yield { ...item, metadata: { ...around, ...item.metadata, attachment } }
    }
  }
}

const roomOf = (limits: FileLimits): Room => ({ files: limits.insideFiles, bytes: limits.insideBytes })

/** What is said of files of a mail beyond their number, if there are any. */
export function* beyondNumber(count: number, limits: FileLimits): Generator<ReaderItem> {
  if (count === 0) return
  const files = count === 1 ? '1 more attachment was' : `${count} more attachments were`
  yield { note: `${files} not read: a mail may have ${limits.insideFiles}` }
  yield { dropped: { kind: 'attachment', count } }
}

/** What is said of a file of a mail for which there is no room. */
export function* beyondRoom(name: string): Generator<ReaderItem> {
  yield { note: `${name} was not read: the attachments of the mail are too large together` }
  yield leftOut(name)
}

const leftOut = (part: string): ReaderItem => ({ dropped: { kind: 'attachment', count: 1, place: { part } } })
