import type { ComponentProps } from 'react'

/** A box that scrolls, by keyboard too. With `aria-label` it is a region for screen readers. */
export function ScrollBox(props: ComponentProps<'section'>) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too
  return <section tabIndex={0} {...props} />
}
