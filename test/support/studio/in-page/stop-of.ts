/** Runs in the page. Returns '' for a good stop, `end` where the walk is over, otherwise what is wrong. */
export function stopOf(): string {
  const element = document.activeElement
  if (!(element instanceof HTMLElement || element instanceof SVGElement) || element === document.body)
    return 'end'
  if (element.hasAttribute('data-walked')) return 'end'
  element.setAttribute('data-walked', '')
  // The guards of a dialog pass the focus on.
  if (element.hasAttribute('data-base-ui-focus-guard')) return ''
  const name = `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 60)}"`
  const box = element.getBoundingClientRect()
  const shown = element.matches('input[type="file"], input[type="checkbox"], input[type="radio"]')
    ? (element.closest('label') ?? element)
    : element
  const style = getComputedStyle(shown)
  if (!element.matches(':focus-visible')) return ''
  if (box.bottom < 0 || box.top > innerHeight || box.right < 0 || box.left > innerWidth)
    return `${name}: has the focus outside of the window`
  const isMarked = (one: CSSStyleDeclaration) =>
    (one.outlineStyle !== 'none' && one.outlineWidth !== '0px') || one.boxShadow !== 'none'
  const isFramed =
    shown.parentElement?.matches(':focus-within') && isMarked(getComputedStyle(shown.parentElement))
  return isMarked(style) || isFramed || element.closest('.react-flow__node')
    ? ''
    : `${name}: does not show that it has the focus`
}
