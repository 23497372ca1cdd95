import type { OfficePackage } from './office-package.ts'
import type { FileLimits } from '../limits.ts'
import { SKIP_ELEMENT } from '../xml.ts'

/**
 * The strings that cells refer to by index (ECMA-376 part 1, 18.4). Formatted strings become plain text, without the
 * phonetic readings of Japanese words.
 */
export function readSharedStrings(
  source: OfficePackage,
  part: string | undefined,
  limits: FileLimits,
): string[] {
  const strings: string[] = []
  let length = 0
  let string = ''
  if (part === undefined) return strings
  source.read(part, {
    si: { open: () => (string = ''), close: () => strings.push(unescapeString(string)) },
    t: {
      text(text) {
        length += text.length
        if (length > limits.textLength) source.overLimit(`it holds more than ${limits.textLength} characters`)
        string += text
      },
    },
    rPh: SKIP_ELEMENT,
  })
  return strings
}

/** Decodes characters that XML cannot contain: `_x000D_` (ECMA-376 part 1, 22.9.2.19). */
export function unescapeString(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

const ESCAPED = /_x([0-9A-Fa-f]{4})_/g
