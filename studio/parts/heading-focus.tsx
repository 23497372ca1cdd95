import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/**
 * Moves the focus to the heading of a screen that was navigated to, so that a screen reader tells where it is and Tab goes
 * on from there. A screen that takes the focus by itself, such as one with a question to type, keeps it. It renders nothing.
 */
export function HeadingFocus() {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
        // The first screen begins where the browser begins.
        if (!fromLocation || !pathChanged) return
        requestAnimationFrame(() => {
          if (document.querySelector('[role="dialog"]') || isInContent(document.activeElement)) return
          const heading = headingOf(toLocation.hash)
          if (!heading) return
          heading.tabIndex = -1
          heading.focus({ preventScroll: true })
        })
      }),
    [router],
  )
  return null
}

const isInContent = (element: Element | null): boolean =>
  element !== null && element.closest('main, [role="main"]') !== null

/** The heading of the part that the address names, else the first of the content, else that of the screen. */
function headingOf(hash: string): HTMLElement | null {
  const named = hash === '' ? null : document.getElementById(hash)?.querySelector<HTMLElement>('h1, h2, h3')
  return (
    named ??
    document.querySelector<HTMLElement>('main h1, main h2') ??
    document.querySelector<HTMLElement>('h1')
  )
}
