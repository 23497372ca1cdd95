/** Runs in the page: playwright sends the text of this function. It cannot use anything outside of it. */
export function findMisfits(): string[] {
  const found: string[] = []
  const root = document.documentElement
  if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight)
    found.push('the page is larger than the window')
  const describe = (element: Element) =>
    `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 60)}"`
  const isDrawing = (element: Element) =>
    element.closest('.react-flow__viewport, .react-flow__minimap, [inert], [aria-hidden="true"]') !== null
  const dialog = [...document.querySelectorAll('[role="dialog"][data-open], [role="menu"]')].at(-1)
  for (const element of (dialog ?? document.body).querySelectorAll<HTMLElement>('*')) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || isDrawing(element))
      continue
    const style = getComputedStyle(element)
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === 3 && node.textContent!.trim() !== '',
    )
    const isCut =
      element.scrollWidth > element.clientWidth + 1 && ['hidden', 'clip'].includes(style.overflowX)
    // 1 × 1 px: a text for screen readers alone.
    if (hasText && isCut && element.clientWidth > 2) {
      if (style.textOverflow !== 'ellipsis') found.push(`${describe(element)}: text is cut`)
      else if (!element.closest('[title], [aria-label]'))
        found.push(`${describe(element)}: the whole text is nowhere to be read`)
    }
    if (
      !element.matches('button, a[href], input, select, textarea, [role="tab"], [role="menuitem"], summary')
    )
      continue
    const box = element.getBoundingClientRect()
    if (box.width <= 2 || box.height <= 2) continue
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
    if (scrollsOut(element, x, y)) continue
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) {
      found.push(`${describe(element)}: outside of the window`)
      continue
    }
    const top = document.elementFromPoint(x, y)
    if (top && !element.contains(top) && !top.contains(element) && !element.closest('label')?.contains(top))
      found.push(`${describe(element)}: under ${describe(top)}`)
  }
  return found

  /** Whether a point of an element lies outside of an ancestor that scrolls. */
  function scrollsOut(element: Element, x: number, y: number): boolean {
    for (let at = element.parentElement; at; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at)
      if (![overflowX, overflowY].some((value) => value === 'auto' || value === 'scroll')) continue
      const box = at.getBoundingClientRect()
      if (x < box.left || x > box.right || y < box.top || y > box.bottom) return true
    }
    return false
  }
}
