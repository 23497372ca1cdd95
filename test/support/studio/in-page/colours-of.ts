/** Runs in the page: the number of different colours of a canvas, at most 2. */
export function coloursOf(element: Element): number {
  const canvas = element as HTMLCanvasElement
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
  const pixels = new Uint32Array(data.buffer)
  return pixels.some((pixel) => pixel !== pixels[0]) ? 2 : 1
}
