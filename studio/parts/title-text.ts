import { createStore } from 'zustand'

/** The name of the open flow, which stands in the title of its screens; undefined on other screens. */
export const openFlowName = createStore<{ name: string | undefined }>(() => ({ name: undefined }))

/**
 * The title of a browser tab, the most special part first: a tab strip shows only its beginning.
 *
 * @param parts the screen, then the flow; those that are not known yet are left out
 */
export const titleText = (...parts: readonly (string | undefined)[]): string =>
  [...parts, 'Sluice'].filter((part) => part !== undefined && part !== '').join(' · ')
