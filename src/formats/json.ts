import type { ParseOptions } from '../contract/file-parser.ts'
import { isObject, type Json } from '../kit/json.ts'
import { decodeText } from './decode.ts'
import { linesOf, metadataOf, parseJsonFile, stepsOf } from './json-text.ts'
import { type Numbered, numbered } from './numbered.ts'
import type { FormatReader, Note } from './reader.ts'

/**
 * A JSON value; where it is an array, each of its elements is an item, else it is the one item itself. Three ways:
 * every text in an item is a document; with `pointers` only the texts below those keys or pointers, which are
 * looked for at every depth; with `separateByObject` each item that is an object is one document of lines
 * `a.b: value`. `metadataPointers` are followed from the item. Metadata `line` counts the documents from 1.
 */
export const readJson: FormatReader = async function* (file, options, limits) {
  const value = parseJsonFile(await decodeText(file.bytes), file.name, limits)
  yield* numbered(documents(Array.isArray(value) ? value : [value], options))
}

function* documents(items: Json[], options: ParseOptions): Generator<Numbered | Note> {
  const pointers = (options.pointers ?? []).map(stepsOf)
  let line = 0
  let skipped = 0
  for (const item of items) {
    if (options.separateByObject && !isObject(item)) {
      skipped++
      continue
    }
    const texts = options.separateByObject
      ? [linesOf(item)]
      : pointers.length > 0
        ? textsBelow(item, pointers)
        : textsIn(item)
    const metadata = metadataOf(item, options.metadataPointers)
    for (const pageContent of texts) {
      if (pageContent.trim() !== '') yield { line: ++line, pageContent, metadata }
    }
  }
  if (skipped > 0) yield { note: `${skipped} of ${items.length} elements are not objects and were skipped` }
}

function* textsIn(value: Json): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) yield* textsIn(child)
  }
}

/** @param begun what is left of pointers whose first steps led to this value */
function* textsBelow(value: Json, pointers: string[][], begun: string[][] = []): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) {
    const rests = [...begun, ...pointers].filter(([step]) => step === key).map(([, ...rest]) => rest)
    if (rests.some((rest) => rest.length === 0)) yield* textsIn(child)
    else yield* textsBelow(child, pointers, rests)
  }
}
