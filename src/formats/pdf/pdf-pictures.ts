import { OPS, type PDFPageProxy, Util } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** A picture of a page in grey, 0 is black. `alpha`: how much of it covers what is below; all of it without. */
export type PlacedPicture = {
  width: number
  height: number
  grey: Uint8Array | undefined
  /** The grey of all of its pixels, where it is a stencil. */
  shade: number
  alpha: Uint8Array | undefined
  /** From the unit square, whose y goes up, to points of the page. */
  transform: Matrix
}

export type Matrix = readonly [number, number, number, number, number, number]

/** The pictures of a page in the order in which they are drawn, and whether one is missing: it is too large to be decoded. */
export type PagePictures = { pictures: PlacedPicture[]; isMissingLarge: boolean }

/** The part of a page from which on a picture that is not there matters. */
const LARGE = 0.1

/**
 * The pictures of a page. Each is decoded by pdf.js (JPEG, JPEG 2000, JBIG2, fax), and given when it is needed: a page may hold more
 * of them than fit in memory together.
 */
export async function picturesOf(page: PDFPageProxy): Promise<PagePictures> {
  const { fnArray, argsArray } = await page.getOperatorList()
  const [left, bottom, right, top] = page.view as [number, number, number, number]
  const pageArea = Math.abs((right - left) * (top - bottom))
  const pictures: PlacedPicture[] = []
  const stack: { matrix: Matrix; shade: number }[] = []
  let matrix: Matrix = [1, 0, 0, 1, 0, 0]
  let shade = 0
  let isMissingLarge = false
  /** Whether the last thing that happened was a transformation, as it comes before a picture. */
  let awaitsPicture = false

  for (const [index, operator] of fnArray.entries()) {
    const args = argsArray[index] as unknown[]
    const isNext: boolean = awaitsPicture
    awaitsPicture = false
    switch (operator) {
      case OPS.save:
        stack.push({ matrix, shade })
        break
      case OPS.paintFormXObjectBegin:
        stack.push({ matrix, shade })
        if (args[0]) matrix = joined(matrix, args[0])
        break
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        if (isNext && areaOf(matrix) > LARGE * pageArea) isMissingLarge = true
        ;({ matrix, shade } = stack.pop() ?? { matrix, shade })
        break
      case OPS.transform:
        matrix = joined(matrix, args)
        awaitsPicture = true
        break
      case OPS.setFillRGBColor:
        shade = greyOf(args)
        break
      case OPS.dependency:
      case OPS.setGState:
        awaitsPicture = isNext
        break
      case OPS.paintImageXObject:
      case OPS.paintInlineImageXObject: {
        const picture = await decoded(page, args[0])
        if (picture) pictures.push({ ...picture, shade: 0, transform: matrix })
        break
      }
      case OPS.paintImageMaskXObject: {
        const stencil = await decoded(page, args[0], true)
        if (stencil) pictures.push({ ...stencil, shade, transform: matrix })
        break
      }
    }
  }
  return { pictures, isMissingLarge }
}

const joined = (outer: Matrix, inner: unknown): Matrix =>
  Util.transform([...outer], Array.from(inner as ArrayLike<number>)) as unknown as Matrix

const areaOf = ([a, b, c, d]: Matrix): number => Math.abs(a * d - b * c)

/** Of `#rrggbb`, or three numbers to 255. */
function greyOf([first, green, blue]: unknown[]): number {
  if (typeof first !== 'string') return luma(Number(first), Number(green), Number(blue))
  const code = Number.parseInt(first.slice(1), 16)
  return luma(code >> 16, (code >> 8) & 255, code & 255)
}

/** Rec. 601, in whole numbers. */
const luma = (red: number, green: number, blue: number): number => (red * 77 + green * 150 + blue * 29) >> 8

type Decoded = {
  width: number
  height: number
  kind?: number
  data?: Uint8Array | Uint8ClampedArray | string
}

/** The kinds of pixel that pdf.js gives: `ImageKind`. */
const [BITS, RGB, RGBA] = [1, 2, 3]

async function decoded(
  page: PDFPageProxy,
  reference: unknown,
  isStencil = false,
): Promise<Pick<PlacedPicture, 'width' | 'height' | 'grey' | 'alpha'> | undefined> {
  const found = await objectOf(page, reference)
  if (!found) return undefined
  const { width, height, kind = BITS } = found
  const data = typeof found.data === 'string' ? (await objectOf(page, found.data))?.data : found.data
  if (!data || typeof data === 'string') return undefined
  const size = width * height
  const rowBytes = (width + 7) >> 3
  const enough = isStencil || kind === BITS ? rowBytes * height : size * (kind === RGB ? 3 : 4)
  if (!(size > 0) || data.length < enough) return undefined
  if (isStencil) return { width, height, grey: undefined, alpha: ofBits(data, width, height, 255, 0) }
  if (kind === BITS) return { width, height, grey: ofBits(data, width, height, 0, 255), alpha: undefined }
  const grey = new Uint8Array(size)
  const alpha = kind === RGBA ? new Uint8Array(size) : undefined
  const step = kind === RGB ? 3 : 4
  for (let at = 0, from = 0; at < size; at++, from += step) {
    grey[at] = luma(data[from]!, data[from + 1]!, data[from + 2]!)
    if (alpha) alpha[at] = data[from + 3]!
  }
  return { width, height, grey, alpha }
}

/** A picture of bits as bytes. */
function ofBits(
  data: Uint8Array | Uint8ClampedArray,
  width: number,
  height: number,
  clear: number,
  set: number,
): Uint8Array {
  const bytes = new Uint8Array(width * height)
  const rowBytes = (width + 7) >> 3
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++)
      bytes[at] = (data[y * rowBytes + (x >> 3)]! >> (7 - (x & 7))) & 1 ? set : clear
  return bytes
}

/** What an operator paints; pdf.js gives null where it could not be decoded. */
async function objectOf(page: PDFPageProxy, reference: unknown): Promise<Decoded | undefined> {
  const name = typeof reference === 'string' ? reference : ((reference as Decoded | null)?.data as unknown)
  if (typeof name !== 'string') return (reference as Decoded | null) ?? undefined
  const objects = name.startsWith('g_') ? page.commonObjs : page.objs
  const { promise, resolve } = Promise.withResolvers<Decoded | null>()
  objects.get(name, resolve)
  return (await promise) ?? undefined
}
