/** As a `ref`: gives the focus to a field when it appears. */
export const focusFirst = (element: HTMLElement | null): void => element?.focus()
