import { type RefObject, useEffect, useRef } from 'react'
import { type Anchor, heightOf, placeAt } from './scroll-anchors.ts'

/** The events by which a person takes a column. */
const TAKING = ['pointerenter', 'wheel', 'touchstart', 'focusin', 'keydown'] as const

/**
 * Scrolls columns together: the one that a person uses leads, the others show the same chunk at the same height. The elements of a
 * column that belong to a chunk have its number as `data-chunk`, from the top down.
 *
 * @param ready the columns are looked for again when it changes
 * @param onChunk called with the number of the chunk that is looked at, when it changes
 */
export function useScrollTogether(
  columns: readonly RefObject<HTMLElement | null>[],
  ready: unknown,
  onChunk: (chunk: number) => void,
): void {
  const told = useRef(onChunk)
  useEffect(() => {
    told.current = onChunk
  })
  const places = useRef(columns)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns are other elements then
  useEffect(() => {
    const elements = places.current.flatMap(({ current }) => current ?? [])
    const ending = new AbortController()
    let leader: HTMLElement | undefined
    let last: number | undefined
    let frame = 0
    const follow = (from: HTMLElement) => {
      // At the top of a column its first line is looked at, at the bottom its last one.
      const looked = from.scrollTop / Math.max(1, from.scrollHeight - from.clientHeight)
      const place = placeAt(anchorsOf(from), from.scrollTop + from.clientHeight * looked)
      if (!place) return
      for (const other of elements) {
        if (other === from) continue
        const height = heightOf(anchorsOf(other), place)
        if (height !== undefined) other.scrollTop = height - other.clientHeight * looked
      }
      if (last !== place.chunk) told.current(place.chunk)
      last = place.chunk
    }
    for (const element of elements) {
      const options = { passive: true, signal: ending.signal }
      for (const event of TAKING)
        element.addEventListener(
          event,
          () => {
            leader = element
          },
          options,
        )
      element.addEventListener(
        'scroll',
        () => {
          if (leader !== element) return
          cancelAnimationFrame(frame)
          frame = requestAnimationFrame(() => follow(element))
        },
        options,
      )
    }
    return () => {
      cancelAnimationFrame(frame)
      ending.abort()
    }
  }, [ready])
}

/** The first element of each chunk down to the first one of the next. */
function anchorsOf(column: HTMLElement): Anchor[] {
  const top = column.getBoundingClientRect().top - column.scrollTop
  const anchors = new Map<number, Anchor>()
  for (const element of column.querySelectorAll<HTMLElement>('[data-chunk]')) {
    const box = element.getBoundingClientRect()
    const chunk = Number(element.dataset.chunk)
    const known = anchors.get(chunk)
    if (known) known.bottom = Math.max(known.bottom, box.bottom - top)
    else anchors.set(chunk, { chunk, top: box.top - top, bottom: box.bottom - top })
  }
  return [...anchors.values()].sort((one, other) => one.top - other.top)
}
