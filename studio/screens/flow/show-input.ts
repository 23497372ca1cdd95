import type { Editor } from './editor.ts'

/** How many frames an input may take until it is drawn. */
const PATIENCE = 60

/** Selects a node and puts the focus on one of its inputs; folded parts above it are opened. */
export function showInput(editor: Editor, nodeId: string, path: string | null): void {
  editor.getState().select([nodeId])
  focusWhenDrawn(() => {
    const panel = document.querySelector('[data-node-form]')
    if (!(panel instanceof HTMLElement) || panel.dataset.nodeForm !== nodeId) return undefined
    return path === null ? firstIn(panel) : inputAt(panel, path)
  })
}

/** The control of an input, or of the nearest one that contains it: a row of a list, a part. */
function inputAt(panel: HTMLElement, path: string): HTMLElement | undefined {
  for (let at = path; at !== ''; at = at.replace(/(\.|\[|^)[^.[]*$/, '')) {
    const field = panel.querySelector<HTMLElement>(`[data-input="${CSS.escape(at)}"]`)
    if (!field) continue
    for (let fold = field.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
      fold.open = true
    field.scrollIntoView({ block: 'nearest' })
    return firstIn(field)
  }
  return firstIn(panel)
}

/** The first control, or else the first button. Editors of code stand in a shadow root. */
function firstIn(element: HTMLElement): HTMLElement | undefined {
  for (const controls of ['select, textarea, input, [data-code]', 'button'])
    for (const one of element.querySelectorAll<HTMLElement>(controls))
      if (one.offsetParent !== null && (one.tabIndex >= 0 || one.shadowRoot))
        return one.shadowRoot?.querySelector<HTMLElement>('[contenteditable]') ?? one
  return undefined
}

/** Waits for an element to be drawn, and gives it the focus. */
export function focusWhenDrawn(find: () => HTMLElement | undefined, patience = PATIENCE): void {
  requestAnimationFrame(() => {
    const found = find()
    if (found) found.focus()
    else if (patience > 0) focusWhenDrawn(find, patience - 1)
  })
}
