import assert from 'node:assert/strict'
import type { DocumentPart } from '../../src/contract/document.ts'
import type { Dropped } from '../../src/contract/file-parser.ts'
import { FILE_LIMITS, type FileLimits } from '../../src/formats/limits.ts'
import type { FormatReader } from '../../src/formats/reader.ts'
import { writeZip, type ZipQuirks } from './zip-writer.ts'

/** The relationships of one part: id to type and target. */
type Relations = Record<string, [type: string, target: string]>

/** The beginning of all relationship types, transitional and strict. */
const TRANSITIONAL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
const STRICT = 'http://purl.oclc.org/ooxml/officeDocument/relationships/'

/**
 * Builds an Office file. Relationships are given by part (`''` for those of the package), content by part name;
 * `main` is the part that the package begins with.
 */
export function officeFile(
  main: string,
  parts: Record<string, string | Uint8Array>,
  relations: Record<string, Relations> = {},
  quirks: ZipQuirks & { strict?: boolean } = {},
): Buffer {
  const base = quirks.strict ? STRICT : TRANSITIONAL
  const files: Record<string, string | Uint8Array> = {}
  const all: Record<string, Relations> = {
    ...relations,
    '': { rIdMain: ['officeDocument', main], ...relations[''] },
  }
  for (const [part, targets] of Object.entries(all)) {
    const items = Object.entries(targets).map(
      ([id, [type, target]]) => `<Relationship Id="${id}" Type="${base}${type}" Target="${target}"/>`,
    )
    const cut = part.lastIndexOf('/') + 1
    files[`${part.slice(0, cut)}_rels/${part.slice(cut)}.rels`] = xml(
      `<Relationships xmlns="r">${items.join('')}</Relationships>`,
    )
  }
  for (const [part, content] of Object.entries(parts)) {
    files[part] = typeof content === 'string' ? xml(content) : content
  }
  return writeZip(files, quirks)
}

/** Reads a file to the end: its parts, the notes that came with them, and what was left out of the text. */
export async function readAll(
  read: FormatReader,
  bytes: Uint8Array,
  limits: Partial<FileLimits> = {},
): Promise<{ parts: DocumentPart[]; notes: string[]; dropped: Dropped[] }> {
  const parts: DocumentPart[] = []
  const notes: string[] = []
  const dropped: Dropped[] = []
  for await (const item of read({ bytes, name: 'a.file' }, {}, { ...FILE_LIMITS, ...limits })) {
    if ('note' in item) notes.push(item.note)
    else if ('dropped' in item) dropped.push(item.dropped)
    else parts.push(item)
  }
  return { parts, notes, dropped }
}

/** The text of the only document that a reader gives, empty where it gives none. */
export async function onlyText(read: FormatReader, bytes: Uint8Array): Promise<string> {
  const { parts } = await readAll(read, bytes)
  assert.ok(parts.length <= 1)
  return parts[0]?.pageContent ?? ''
}

const xml = (content: string): string =>
  content.startsWith('<?xml') ? content : `<?xml version="1.0" encoding="UTF-8"?>${content}`
