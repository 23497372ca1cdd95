import { setImmediate } from 'node:timers/promises'
import { asFileError, type GatheredItem } from './gather.ts'
import { limitedMetadata } from './metadata-size.ts'
import { type CutChunk, createCut } from './cut.ts'
import { NodeFigures, noteWork, timed } from './node-figures.ts'
import { createConversion } from './conversion.ts'
import { ExtractedItem } from './extracted-item.ts'
import { slicesOf } from './slices.ts'
import type { JsonObject } from '../kit/json.ts'
import type { SluiceError } from '../kit/errors.ts'

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
