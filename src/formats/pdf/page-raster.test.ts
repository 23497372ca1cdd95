import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OCR_LIMITS } from './ocr.ts'
import { drawPage, type PageFrame } from './page-raster.ts'
import type { Matrix, PlacedPicture } from './pdf-pictures.ts'

/** A frame of points whose y goes up, as PDF pages have it. */
const frame = (width: number, height: number): PageFrame => ({
  width,
  height,
  transform: [1, 0, 0, -1, 0, height],
})

const picture = (width: number, grey: readonly number[], transform: Matrix): PlacedPicture => ({
  ...{
    width,
    height: grey.length / width,
    grey: Uint8Array.from(grey),
    alpha: undefined,
    shade: 0,
    transform,
  },
})

/** The mean grey of the quarters of a drawn page: upper left, upper right, lower left, lower right. */
function quarters(pictures: readonly PlacedPicture[], of: PageFrame): number[] {
  const { width, height, pixels } = drawPage(pictures, of)!
  const sums = [0, 0, 0, 0]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      sums[(y * 2 < height ? 0 : 2) + (x * 2 < width ? 0 : 1)]! += pixels[y * width + x]!
  return sums.map((sum) => Math.round((sum * 4) / (width * height)))
}

test('drawPage() draws a picture as it stands, turned and mirrored', () => {
  const grey = [10, 60, 110, 160]
  assert.deepEqual(quarters([picture(2, grey, [96, 0, 0, 96, 0, 0])], frame(96, 96)), [10, 60, 110, 160])
  // A quarter turn to the left: what was right is above.
  assert.deepEqual(quarters([picture(2, grey, [0, 96, -96, 0, 96, 0])], frame(96, 96)), [60, 160, 10, 110])
  assert.deepEqual(quarters([picture(2, grey, [-96, 0, 0, 96, 96, 0])], frame(96, 96)), [60, 10, 160, 110])
  // A page that is turned by its own entry.
  const turned: PageFrame = { width: 96, height: 96, transform: [0, 1, 1, 0, 0, 0] }
  assert.deepEqual(quarters([picture(2, grey, [96, 0, 0, 96, 0, 0])], turned), [110, 10, 160, 60])
})

test('drawPage() puts strips, stencils and transparent pictures one over the other, on white', () => {
  const upper = picture(1, [100], [96, 0, 0, 48, 0, 48])
  const stencil = {
    ...picture(2, [0, 0], [96, 0, 0, 96, 0, 0]),
    grey: undefined,
    shade: 20,
    alpha: Uint8Array.of(255, 0),
  }
  assert.deepEqual(quarters([upper], frame(96, 96)), [100, 100, 255, 255])
  assert.deepEqual(quarters([upper, stencil], frame(96, 96)), [20, 100, 20, 255])
  const veil = { ...picture(1, [0], [96, 0, 0, 96, 0, 0]), alpha: Uint8Array.of(51) }
  assert.deepEqual(quarters([upper, veil], frame(96, 96)), [80, 80, 204, 204])
})

test('drawPage() takes the resolution of the largest picture, as far as pages may be large', () => {
  const sizeOf = (pixels: number, points: number) => {
    const grey = new Uint8Array(pixels)
    const drawn = drawPage(
      [
        {
          width: pixels,
          height: 1,
          grey,
          alpha: undefined,
          shade: 0,
          transform: [points, 0, 0, points, 0, 0],
        },
      ],
      frame(points, points),
    )!
    return [drawn.dpi, drawn.width, drawn.height]
  }
  assert.deepEqual(sizeOf(200, 72), [200, 200, 200])
  assert.deepEqual(sizeOf(600, 72), [300, 300, 300])
  assert.deepEqual(sizeOf(20, 72), [150, 150, 150])
  const [dpi, width, height] = sizeOf(10_000, 14_400) as [number, number, number]
  assert.ok(dpi < 30 && width * height <= OCR_LIMITS.pixels)
  assert.equal(drawPage([], frame(10, 10)), undefined)
  assert.equal(
    drawPage([picture(1, [0], [0, 0, 0, 0, 0, 0])], frame(10, 10))?.pixels.every((one) => one === 255),
    true,
  )
})
