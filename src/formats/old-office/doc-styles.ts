import { CHANGE, type Changes, readChanges } from './doc-properties.ts'

/** What the styles of a document say about paragraphs. */
export type DocStyles = {
  /** Level 1 to 9 of a heading, undefined for other text. */
  heading(style: number): number | undefined
  /** The operand of a change that the style or one of its base styles makes. */
  change(style: number, code: number): number | undefined
}

type Style = { id: number; base: number; changes: Changes }

/** Reads the style sheet (MS-DOC 2.9.271). */
export function readDocStyles(sheet: Buffer): DocStyles {
  const styles: (Style | undefined)[] = []
  if (sheet.length >= 6) {
    const count = sheet.readUInt16LE(2)
    const baseBytes = sheet.readUInt16LE(4)
    let at = 2 + sheet.readUInt16LE(0)
    for (let index = 0; index < count && at + 2 <= sheet.length; index++) {
      const length = sheet.readUInt16LE(at)
      styles.push(readStyle(sheet.subarray(at + 2, at + 2 + length), baseBytes))
      at += 2 + length
    }
  }

  /** The first value that a style or one of its base styles has. The bound ends a cycle of base styles. */
  function inherit<T>(style: number, read: (style: Style) => T | undefined): T | undefined {
    let at = styles[style]
    for (let step = 0; at && step < 32; step++) {
      const found = read(at)
      if (found !== undefined) return found
      at = styles[at.base]
    }
    return undefined
  }

  return {
    heading: (style) => inherit(style, headingLevel),
    change: (style, code) => inherit(style, ({ changes }) => changes.get(code)),
  }
}

function readStyle(bytes: Buffer, baseBytes: number): Style | undefined {
  if (bytes.length < 10) return undefined
  const id = bytes.readUInt16LE(0) & 0xfff
  const isParagraph = (bytes.readUInt16LE(2) & 0xf) === 1
  const base = bytes.readUInt16LE(2) >>> 4
  let changes: Changes = new Map()
  const name = baseBytes
  if (isParagraph && name + 2 <= bytes.length) {
    const at = name + 2 + 2 * bytes.readUInt16LE(name) + 2
    if (at + 4 <= bytes.length) changes = readChanges(bytes.subarray(at + 4, at + 2 + bytes.readUInt16LE(at)))
  }
  return { id, base, changes }
}

/** Built-in styles have numbers: 1 to 9 are headings, 62 is the title. */
function headingLevel({ id, changes }: Style): number | undefined {
  if (id >= 1 && id <= 9) return id
  if (id === TITLE) return 1
  const outline = changes.get(CHANGE.outline)
  return outline !== undefined && outline < 9 ? outline + 1 : undefined
}

const TITLE = 62
