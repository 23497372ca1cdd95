import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

/** A line of text at a place, in points from the lower left corner; 72 from the left and 12 high unless said. */
export type PdfLine = {
  text: string
  y: number
  x?: number
  size?: number
  /** The direction it runs in, in degrees counted from the right upward; 0 unless said. */
  angle?: number
  /** Writes it in a font without a map to Unicode in which a space is the glyph of this number, and so on as in ASCII. */
  firstGlyph?: number
  /** Writes it in Courier. */
  isFixedWidth?: boolean
}

/**
 * A picture on a page: grey bytes, or bits where `bits` is true, row by row from the upper left corner; in bits a 1 is white. The matrix
 * leads from the unit square to the page, all of which it covers unless said. `stencil`: bits that are 0 paint in black.
 */
export type PdfPicture = {
  width: number
  height: number
  data: Uint8Array
  bits?: boolean
  stencil?: boolean
  matrix?: readonly number[]
}

export type PdfPage = {
  lines: readonly PdfLine[]
  pictures?: readonly PdfPicture[]
  /** The turn of the page, in degrees clockwise. */
  rotate?: number
  /** The bodies of annotation dictionaries, in PDF syntax. */
  annotations?: readonly string[]
}

export type PdfOptions = {
  info?: Record<string, string>
  /** An XFA form, as one XML document, of which the pages are only a stand-in. */
  xfa?: string
  /** Marks the file as encrypted with an unknown password. */
  encrypted?: boolean
  /** Encrypts the pages with this password (RC4, 40 bits); the texts of `info` and annotations stay as they are. */
  password?: string
}

/** Writes a small PDF 1.4 file: A4 pages of Helvetica and Courier, uncompressed, text of Windows-1252. */
export function writePdf(pages: readonly PdfPage[], options: PdfOptions = {}): Buffer {
  const objects: string[] = []
  const add = (body: string): string => `${objects.push(body)} 0 R`
  const font = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')
  const courier = add('<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>')
  const bare = add(
    '<< /Type /Font /Subtype /Type0 /BaseFont /Bare /Encoding /Identity-H /DescendantFonts [<< /Type /Font ' +
      '/Subtype /CIDFontType2 /BaseFont /Bare /DW 500 /CIDToGIDMap /Identity /CIDSystemInfo << /Registry (Adobe) ' +
      '/Ordering (Identity) /Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /Bare /Flags 4 ' +
      '/FontBBox [0 0 999 999] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>] >>',
  )
  const parent = `${objects.length + 1 + pages.length * 2 + count(pages)} 0 R`
  const kids = pages.map(({ lines, pictures = [], rotate = 0, annotations = [] }) => {
    const shown = pictures.map(
      ({ matrix = [595, 0, 0, 842, 0, 0] }, at) => `q ${matrix.join(' ')} cm /P${at} Do Q`,
    )
    const content = [...shown, ...lines.map(drawn)].join('\n')
    const named = pictures.map((picture, at) => `/P${at} ${add(pictureObject(picture))}`).join(' ')
    const contents = add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
    const notes = annotations.map((body) => add(`<< /Type /Annot ${body} >>`))
    return add(
      `<< /Type /Page /Parent ${parent} /MediaBox [0 0 595 842] /Contents ${contents} ` +
        `/Rotate ${rotate} /Resources << /Font << /F ${font} /C ${courier} /B ${bare} >> /XObject << ${named} >> >> /Annots [${notes.join(' ')}] >>`,
    )
  })
  add(`<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`)
  const xfa = options.xfa ?? ''
  const form = xfa && add(`<< /Length ${Buffer.byteLength(xfa)} >>\nstream\n${xfa}\nendstream`)
  const forms = form && `/NeedsRendering true /AcroForm << /Fields [] /XFA ${form} >>`
  const root = add(`<< /Type /Catalog /Pages ${parent} ${forms} >>`)
  const entries = Object.entries(options.info ?? {}).map(([key, value]) => `/${key} ${literal(value)}`)
  const info = add(`<< ${entries.join(' ')} >>`)
  const trailer = [`/Size ${objects.length + 1} /Root ${root} /Info ${info}`]
  if (options.encrypted) {
    const key = `<${'5a'.repeat(32)}>`
    trailer.push(
      `/ID [${key} ${key}]`,
      `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -4 >>`,
    )
  }
  if (options.password === undefined) return assembled(objects, trailer.join(' '))
  const { key, entries: protection } = protectedBy(options.password)
  trailer.push(protection)
  const sealed = objects.map((body, index) => {
    const at = body.indexOf('>>\nstream\n') + 10
    if (at < 10) return body
    const end = body.lastIndexOf('\nendstream')
    const own = md5(key, Buffer.from([(index + 1) & 255, (index + 1) >> 8, 0, 0, 0])).subarray(0, 10)
    const bytes = rc4(own, Buffer.from(body.slice(at, end), 'latin1'))
    return body.slice(0, at) + bytes.toString('latin1') + body.slice(end)
  })
  return assembled(sealed, trailer.join(' '))
}

const FILLING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

const md5 = (...parts: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest()

/** The key of a file and the entries of its trailer: ISO 32000-1, 7.6.3, revision 2. */
function protectedBy(password: string): { key: Buffer; entries: string } {
  const filled = Buffer.concat([Buffer.from(password, 'latin1'), FILLING]).subarray(0, 32)
  const id = Buffer.alloc(16, 7)
  const owner = rc4(md5(filled).subarray(0, 5), filled)
  const key = md5(filled, owner, Buffer.from([0xfc, 0xff, 0xff, 0xff]), id).subarray(0, 5)
  const [hexOwner, hexUser, hexId] = [owner, rc4(key, FILLING), id].map(
    (bytes) => `<${bytes.toString('hex')}>`,
  )
  return {
    key,
    entries: `/ID [${hexId} ${hexId}] /Encrypt << /Filter /Standard /V 1 /R 2 /O ${hexOwner} /U ${hexUser} /P -4 >>`,
  }
}

function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at)
  const swap = (one: number, other: number) => {
    const held = state[one]!
    state[one] = state[other]!
    state[other] = held
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255
    swap(i, j)
  }
  let [i, j] = [0, 0]
  return Buffer.from(
    bytes.map((byte) => {
      i = (i + 1) & 255
      j = (j + state[i]!) & 255
      swap(i, j)
      return byte ^ state[(state[i]! + state[j]!) & 255]!
    }),
  )
}

const count = (pages: readonly PdfPage[]): number =>
  pages.reduce((total, page) => total + (page.annotations?.length ?? 0) + (page.pictures?.length ?? 0), 0)

function pictureObject({ width, height, data, bits = false, stencil = false }: PdfPicture): string {
  const bytes = deflateSync(data).toString('latin1')
  const kind = stencil ? '/ImageMask true' : '/ColorSpace /DeviceGray'
  return (
    `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${kind} ` +
    `/BitsPerComponent ${bits || stencil ? 1 : 8} /Filter /FlateDecode /Length ${bytes.length} >>\nstream\n${bytes}\nendstream`
  )
}

const literal = (text: string): string => `(${text.replaceAll(/[\\()]/g, '\\$&')})`

function drawn({ text, y, x = 72, size = 12, angle = 0, firstGlyph, isFixedWidth }: PdfLine): string {
  const [cosine, sine] = [Math.cos, Math.sin].map((of) => of((angle * Math.PI) / 180))
  const matrix = [cosine, sine, -sine!, cosine].map((value) => value!.toFixed(6))
  const shown = firstGlyph === undefined ? literal(text) : numbers(text, firstGlyph)
  const font = firstGlyph === undefined ? (isFixedWidth ? 'C' : 'F') : 'B'
  return `BT /${font} ${size} Tf ${matrix.join(' ')} ${x} ${y} Tm ${shown} Tj ET`
}

const numbers = (text: string, first: number): string =>
  `<${Array.from(text, (letter) => (letter.charCodeAt(0) - 32 + first).toString(16).padStart(4, '0')).join('')}>`

function assembled(objects: readonly string[], trailer: string): Buffer {
  let file = '%PDF-1.4\n'
  const offsets = objects.map((body, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${body}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  return Buffer.from(`${file}trailer\n<< ${trailer} >>\nstartxref\n${start}\n%%EOF\n`, 'latin1')
}

/** Lines one below the other, 14 points apart, from the top of a page. */
export function paragraphLines(texts: readonly string[], top = 780): PdfLine[] {
  return texts.map((text, index) => ({ text, y: top - index * 14 }))
}
