import { OCR_LIMITS, type PageRaster } from './ocr.ts'
import type { Matrix, PlacedPicture } from './pdf-pictures.ts'

/** A page as it is looked at: in points, with the transformation that its turn and its crop box give. */
export type PageFrame = { width: number; height: number; transform: Matrix }

/** The coarsest resolution at which a page is drawn: for less, the program guesses sizes badly. */
const LEAST_DPI = 150

/** Draws pictures on a white page, at the resolution of the largest one. Undefined for a page without any. */
export function drawPage(pictures: readonly PlacedPicture[], frame: PageFrame): PageRaster | undefined {
  const [largest] = pictures.toSorted((one, other) => areaOf(other.transform) - areaOf(one.transform))
  if (!largest) return undefined
  const [a, b] = largest.transform
  const own = (largest.width / Math.hypot(a, b)) * 72
  const most = Math.sqrt(OCR_LIMITS.pixels / (frame.width * frame.height)) * 72
  const dpi = Math.floor(Math.min(Math.max(own, LEAST_DPI), OCR_LIMITS.dpi, most))
  if (!(dpi > 0)) return undefined
  const scale = dpi / 72
  const width = Math.max(1, Math.floor(frame.width * scale))
  const height = Math.max(1, Math.floor(frame.height * scale))
  const pixels = new Uint8Array(width * height).fill(255)
  const toPixels = times([scale, 0, 0, scale, 0, 0], frame.transform)
  for (const picture of pictures)
    paint(picture, times(toPixels, picture.transform), { width, height, pixels })
  return { width, height, dpi, pixels }
}

/** The most samples in one direction for a pixel of the page, where the picture is finer than the page. */
const MOST_SAMPLES = 3

function paint(
  { width, height, grey, alpha, shade }: PlacedPicture,
  placed: Matrix,
  page: { width: number; height: number; pixels: Uint8Array },
): void {
  const back = inverse(placed)
  if (!back) return
  // From the middle of a pixel of the page to pixels of the picture, whose rows go down.
  const [a, b, c, d, e, f] = times([width, 0, 0, -height, 0, height], back)
  const box = boxOf(placed, page)
  const fineness = Math.max(Math.hypot(a, b), Math.hypot(c, d))
  const samples = Math.min(MOST_SAMPLES, Math.max(1, Math.round(fineness)))
  for (let y = box.top; y < box.bottom; y++)
    for (let x = box.left; x < box.right; x++) {
      let sum = 0
      let cover = 0
      for (let row = 0; row < samples; row++)
        for (let column = 0; column < samples; column++) {
          const at = x + (column + 0.5) / samples
          const down = y + (row + 0.5) / samples
          const u = Math.floor(a * at + c * down + e)
          const v = Math.floor(b * at + d * down + f)
          if (u < 0 || v < 0 || u >= width || v >= height) continue
          const place = v * width + u
          const part = alpha ? alpha[place]! : 255
          cover += part
          sum += (grey ? grey[place]! : shade) * part
        }
      if (cover === 0) continue
      const place = y * page.width + x
      const whole = 255 * samples * samples
      page.pixels[place] = (sum + page.pixels[place]! * (whole - cover)) / whole
    }
}

/** The pixels of the page that the unit square may cover. */
function boxOf([a, b, c, d, e, f]: Matrix, { width, height }: { width: number; height: number }) {
  const xs = [e, e + a, e + c, e + a + c]
  const ys = [f, f + b, f + d, f + b + d]
  const within = (value: number, end: number) => Math.min(Math.max(value, 0), end)
  return {
    left: within(Math.floor(Math.min(...xs)), width),
    right: within(Math.ceil(Math.max(...xs)), width),
    top: within(Math.floor(Math.min(...ys)), height),
    bottom: within(Math.ceil(Math.max(...ys)), height),
  }
}

const areaOf = ([a, b, c, d]: Matrix): number => Math.abs(a * d - b * c)

/** First the inner one, then the outer one. */
const times = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
]

/** Undefined where all points fall on one line. */
function inverse([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const area = a * d - b * c
  if (Math.abs(area) < 1e-9) return undefined
  return [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area]
}
