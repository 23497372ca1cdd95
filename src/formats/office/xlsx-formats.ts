import { dateFromSerial, format, getFormatFromId, getFormatInfo } from 'numfmt'
import type { OfficePackage } from './office-package.ts'
import { SKIP_ELEMENT } from '../xml.ts'

/** A formatted number: its text, and its value, which is a text for a date. */
export type FormattedNumber = { text: string; value: string | number }

/** The number formats of a workbook. */
export type NumberFormats = {
  /** @param style the style index of the cell */
  apply(number: number, style: number): FormattedNumber
}

/**
 * Reads the number formats of styles.xml (ECMA-376 part 1, 18.8.30). Numbers become the text that Excel shows; dates
 * become `2024-05-31` or `2024-05-31 14:30`, whatever the order and language of their format.
 *
 * @param epoch1904 whether day 0 is 1904-01-01, as on old Macintosh computers
 */
export function readNumberFormats(
  source: OfficePackage,
  part: string | undefined,
  epoch1904: boolean,
): NumberFormats {
  return numberFormats(readCodes(source, part), epoch1904)
}

/** Applies format codes, by the style index of the cell. @param epoch1904 as in {@link readNumberFormats} */
export function numberFormats(codes: readonly string[], epoch1904: boolean): NumberFormats {
  const kinds = new Map([...new Set(codes)].slice(0, MAX_CODES).map((code) => [code, kindOf(code)]))

  function apply(number: number, style: number): FormattedNumber {
    const code = codes[style] ?? 'General'
    const kind = kinds.get(code) ?? 'plain'
    if (kind === 'plain') return { text: plain(number), value: number }
    if (kind === 'date' || kind === 'datetime') {
      const day = number + (epoch1904 ? DAYS_TO_1904 : 0)
      return isDay(day) ? asText(isoDate(day, kind)) : { text: plain(number), value: number }
    }
    const text = show(code, number) || plain(number)
    return kind === 'number' ? { text, value: number } : asText(text)
  }

  return { apply }
}

type Kind = 'plain' | 'number' | 'date' | 'datetime' | 'time'

/** Excel accepts no longer codes; more codes than this are only in hostile files. */
const MAX_CODE_LENGTH = 255
const MAX_CODES = 1000

const DAYS_TO_1904 = 1462

function readCodes(source: OfficePackage, part: string | undefined): string[] {
  const own = new Map<string, string>()
  const ids: string[] = []
  let inCellFormats = false
  if (part !== undefined) {
    source.read(part, {
      numFmt: {
        open: ({ numFmtId = '', formatCode = '' }) => own.set(numFmtId, formatCode),
      },
      cellXfs: { open: () => (inCellFormats = true), close: () => (inCellFormats = false) },
      xf: { open: ({ numFmtId = '0' }) => inCellFormats && ids.push(numFmtId) },
      dxfs: SKIP_ELEMENT,
    })
  }
  return ids.map((id) => formatCode(own, id))
}

/** The code of a format by its id: one of the workbook itself, or one that all workbooks have. */
export const formatCode = (own: ReadonlyMap<string, string>, id: string): string =>
  own.get(id) ?? getFormatFromId(Number(id)) ?? 'General'

function kindOf(code: string): Kind {
  if (code.length > MAX_CODE_LENGTH) return 'plain'
  const { type } = getFormatInfo(code)
  if (type === 'date' || type === 'datetime' || type === 'time') return type
  return type === 'general' || type === 'text' || type === 'error' ? 'plain' : 'number'
}

const asText = (text: string): FormattedNumber => ({ text, value: text })

function show(code: string, number: number): string {
  try {
    return format(code, number).trim()
  } catch {
    return ''
  }
}

/** Excel shows at most fifteen digits: 0.1 + 0.2 is 0.3. */
const plain = (number: number): string =>
  String(Number.isInteger(number) ? number : Number(number.toPrecision(15)))

/** From the first day of 1900 to the last of 9999. */
const isDay = (serial: number): boolean => serial >= 1 && serial < 2_958_466

function isoDate(serial: number, kind: 'date' | 'datetime'): string {
  const [year, month, day, hour, minute, second] = dateFromSerial(serial).map((part) =>
    String(part).padStart(2, '0'),
  )
  const date = `${year}-${month}-${day}`
  if (kind === 'date') return date
  return `${date} ${hour}:${minute}${second === '00' ? '' : `:${second}`}`
}
