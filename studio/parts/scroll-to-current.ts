import { type RefObject, useEffect } from 'react'

/** Scrolls a row of links, sideways only, so that the one of the present screen is in sight. */
export function useScrollToCurrent(row: RefObject<HTMLElement | null>, address: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address marks another link
  useEffect(() => {
    const box = row.current
    const link = box?.querySelector<HTMLElement>('[aria-current="page"]')
    if (!box || !link) return
    const [begin, end] = [
      link.offsetLeft - box.offsetLeft,
      link.offsetLeft - box.offsetLeft + link.offsetWidth,
    ]
    if (begin < box.scrollLeft) box.scrollLeft = begin
    else if (end > box.scrollLeft + box.clientWidth) box.scrollLeft = end - box.clientWidth
  }, [row, address])
}
