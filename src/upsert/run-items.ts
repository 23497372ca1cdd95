import { setImmediate } from 'node:timers/promises'
import type { DocumentPart, Metadata, TextRange } from '../contract/document.ts'
import type { Loader, LoaderItem, UploadedFile } from '../contract/loader.ts'
import type { KeptOriginal } from '../contract/source-load.ts'
import type { Cutter, OpenHeading, Piece, TextSplitter } from '../contract/splitter.ts'
import { withoutHeadMark } from '../documents/passage.ts'
import type { PlannedLoad } from '../flow/plan-store.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { isObject, type JsonObject } from '../kit/json.ts'
import { typeNotAccepted } from '../sources/type-not-accepted.ts'
import { createConversion } from './conversion.ts'
import { DOCUMENT_GAP, ExtractedItem } from './extracted-item.ts'
import { limitedMetadata } from './metadata-size.ts'
import { NodeFigures, noteWork, timed } from './node-figures.ts'
import { slicesOf } from './slices.ts'

/**
 * An item with the loader that reads it, or the reason why it cannot be read. `finds`: the loader found it by itself. `again`:
 * it is loaded as it was before.
 */
export type GatheredItem =
  | { name: string; loader: Loader; item: LoaderItem; finds?: true; again?: LoadAgain }
  | { name: string; empty: true }
  | { name: string; error: SluiceError }

/** How an item is loaded again: with the settings and additions of its earlier request, from a file that is kept already. */
export type LoadAgain = {
  load: PlannedLoad | undefined
  addMetadata: JsonObject
  kept?: KeptOriginal
  /** Removes the copy of its file. */
  release?: () => Promise<void>
}

/** How many uploads are looked at before the first of them is taken. */
const ASSIGNED_AHEAD = 8

/**
 * Finds the items of an upsert: each upload with the first loader that reads its type, then the items of loaders that
 * find theirs by themselves.
 */
export async function* gather(
  loaders: readonly Loader[],
  uploads: readonly UploadedFile[] | undefined,
  signal: AbortSignal,
): AsyncGenerator<GatheredItem> {
  yield* assignAll(loaders, uploads ?? [])
  const taken = new Map((uploads ?? []).map(({ name }) => [name, 1]))
  for (const loader of selfFindingLoaders(loaders, uploads))
    for await (const item of loader.items!(signal)) {
      const times = (taken.get(item.name) ?? 0) + 1
      taken.set(item.name, times)
      yield times === 1 ? { name: item.name, loader, item, finds: true } : numberedItem(loader, item, times)
    }
}

/**
 * A second item with the same name. Pages and tables share a source and get a number; a file that is recognised by its
 * bytes would replace the first one, so it fails.
 */
export function numberedItem(loader: Loader, item: LoaderItem, times: number): GatheredItem {
  const name = `${item.name} (${times})`
  return item.fingerprint === undefined
    ? { name, loader, item, finds: true }
    : { name, error: new SluiceError('file_duplicate', { file: item.name }) }
}

/** The loaders that find items by themselves in this run: an upload replaces the file that a flow stores. */
export const selfFindingLoaders = (
  loaders: readonly Loader[],
  uploads: readonly UploadedFile[] | undefined,
): readonly Loader[] => loaders.filter((loader) => loader.items && !(uploads && loader.uploads))

/** Assigns uploads in their order. The first bytes of the next ones are read meanwhile: each read waits for the disk. */
async function* assignAll(
  loaders: readonly Loader[],
  uploads: readonly UploadedFile[],
): AsyncGenerator<GatheredItem> {
  const ahead: Promise<GatheredItem>[] = []
  for (const upload of uploads) {
    ahead.push(assign(loaders, upload))
    if (ahead.length === ASSIGNED_AHEAD) yield await ahead.shift()!
  }
  for (const item of ahead) yield await item
}

/** An upload with the first loader that reads its type. */
export async function assign(loaders: readonly Loader[], upload: UploadedFile): Promise<GatheredItem> {
  const { name } = upload
  if (upload.size === 0) return { name, empty: true }
  try {
    for (const loader of loaders) {
      const item = await loader.uploads?.item(upload)
      if (item) return { name, loader, item }
    }
  } catch (error) {
    return { name, error: asFileError(name, error) }
  }
  const accepted = loaders.flatMap((loader) => loader.uploads?.accepts ?? [])
  return { name, error: typeNotAccepted(name, accepted) }
}

/** The failure of one file as an error that names it. */
export function asFileError(name: string, error: unknown): SluiceError {
  return error instanceof SluiceError
    ? error
    : new SluiceError('file_unreadable', { file: name, reason: reasonOf(error) }, { cause: error })
}

/** A failure of one file, which does not fail the others. */
export class FileFailure extends Error {
  readonly error: SluiceError

  constructor(error: SluiceError) {
    super(error.message)
    this.error = error
  }
}

export type ReadableItem = Extract<GatheredItem, { item: unknown }>

/** `password`: opens the file of the item. */
export type ReadItemOptions = {
  addMetadata: JsonObject
  metadataBytes: number
  password?: string | undefined
}

/** How many chunks go through the pipeline together, with one look-up in the store. */
const GROUP = 128

/** How many characters are cut before other requests get their turn. */
const TURN_CHARACTERS = 64 * 1024

/**
 * Reads an item and yields its chunks with their metadata, in groups.
 *
 * @param extracted learns about the extracted text of the item, part by part, and what was left out of it
 * @throws FileFailure for every failure of reading and cutting; otherwise only the reason of `signal`
 */
export async function* readItem(
  { name, loader, item }: ReadableItem,
  { addMetadata, metadataBytes, password }: ReadItemOptions,
  note: (text: string) => void,
  signal: AbortSignal,
  figures = new NodeFigures(),
  extracted: ExtractedItem = new ExtractedItem(),
): AsyncGenerator<CutChunk[]> {
  const reading = figures.of(loader)
  const cutting = figures.of(loader.splitter)
  let group: CutChunk[] = []
  let characters = 0
  try {
    await loader.splitter?.load?.()
    const cut = createCut(loader.splitter, name, (text) => extracted.extend(text))
    const converted = createConversion(loader.splitter, name)
    for await (const batch of timed(item.read(signal, password), reading)) {
      batch.notes.forEach(note)
      extracted.mayGain ||= batch.passing === true
      for (const dropped of batch.dropped ?? []) extracted.leaveOut(dropped)
      const parts = converted ? await converted(batch.parts, signal) : batch.parts
      for (const part of slicesOf(parts, TURN_CHARACTERS)) {
        characters += part.pageContent.length
        if (characters >= TURN_CHARACTERS) {
          characters = 0
          await setImmediate()
        }
        if (part.last) {
          reading.documents++
          cutting.documents++
        }
        const began = performance.now()
        const pieces = [...cut(part)]
        extracted.endPart(part.metadata)
        noteWork(cutting, began)
        cutting.chunks += pieces.length
        for (const { text, head, metadata, range } of pieces) {
          extracted.gaps.cover(text, range)
          group.push({
            text,
            ...(head === undefined ? {} : { head }),
            metadata: limitedMetadata(metadataBytes, loader, {
              file: name,
              own: metadata,
              added: addMetadata,
              note,
            }),
            range,
          })
          if (group.length < GROUP) continue
          yield group
          group = []
          // Many ready batches would block the event loop without this.
          await setImmediate()
        }
      }
    }
  } catch (error) {
    signal.throwIfAborted()
    throw new FileFailure(asFileError(name, error))
  }
  if (group.length > 0) yield group
}

/**
 * A chunk before it is placed: its text, what is above it in its document, the metadata of its document with its line numbers and
 * headings, and its range in the extracted text of the item.
 */
export type CutChunk = {
  text: string
  head?: string
  metadata: Metadata
  range?: TextRange | undefined
}

/** The most characters that a chunk may have, with and without a splitter. */
const MOST_CHARACTERS = 16_000_000

/**
 * Cuts documents that arrive in parts into chunks. A piece of white space only gives no chunk.
 *
 * @param extracted called with the extracted text of the item, part by part: the documents with `DOCUMENT_GAP` between
 *   them. The ranges of the chunks are positions in it
 */
export function createCut(
  splitter: TextSplitter | undefined,
  name: string,
  extracted: (text: string) => void = () => {},
) {
  let cutter: Cutter | undefined
  /** The headings at the end of the document before. */
  let before: readonly OpenHeading[] | undefined
  /** Where the current document begins in the extracted text, and how much of it has arrived. */
  let start = 0
  let length = 0

  return function* cut(part: DocumentPart): Generator<CutChunk> {
    if (!cutter && start > 0) extracted(DOCUMENT_GAP)
    cutter ??= splitter ? splitter.open({ name, metadata: part.metadata, before }) : wholeDocument(name)
    const text = clean(part.pageContent)
    length += text.length
    extracted(text)
    const pieces = cutter.push(text)
    yield* placed(pieces, start, part.metadata, name)
    if (!part.last) return
    const rest = cutter.end()
    before = cutter.headings?.()
    cutter = undefined
    yield* placed(rest, start, part.metadata, name)
    start += length + DOCUMENT_GAP.length
    length = 0
  }
}

function* placed(pieces: Piece[], start: number, metadata: Metadata, name: string): Generator<CutChunk> {
  for (const { text, lines, range, head, headings } of pieces) {
    if (text.length > MOST_CHARACTERS)
      throw tooLong(name, 'the text splitter gives a piece that is longer than')
    if (text.trim() === '') continue
    const loc = isObject(metadata.loc) ? metadata.loc : {}
    yield {
      text,
      ...(head === undefined ? {} : { head }),
      metadata: {
        // Headings of the author's metadata win.
        ...(headings ? { headings } : {}),
        ...metadata,
        ...(lines ? { loc: { ...(loc as Metadata), lines } } : {}),
      },
      range: range && { start: start + range.start, end: start + range.end },
    }
  }
}

/** Removes NUL and replaces halves of surrogate pairs and marks of our own, before anything is hashed or stored. */
function clean(text: string): string {
  const plain = withoutHeadMark(text.includes('\0') ? text.replaceAll('\0', '') : text)
  return plain.isWellFormed() ? plain : plain.toWellFormed()
}

/** Without a splitter a document is one chunk. */
function wholeDocument(name: string): Cutter {
  const parts: string[] = []
  let length = 0
  return {
    push(part) {
      length += part.length
      if (length > MOST_CHARACTERS) throw tooLong(name, 'without a text splitter a document may have')
      parts.push(part)
      return []
    },
    end: () => [{ text: parts.join(''), range: { start: 0, end: length } }],
  }
}

const tooLong = (file: string, why: string) =>
  new SluiceError('file_over_limit', { file, reason: `${why} ${MOST_CHARACTERS} characters` })
