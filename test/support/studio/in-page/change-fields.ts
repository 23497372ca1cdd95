import type { FieldChange } from '../field-change.ts'

/**
 * Runs in the page. Changes inputs one after another as a person does: folded parts are unfolded, text is inserted at the focus, and a
 * control that is not to be seen or takes nothing is not changed. It waits for an input that an earlier one makes appear.
 *
 * @returns what is wrong, by the path of the input
 */
export async function changeFields(changes: readonly FieldChange[]): Promise<string[]> {
  const faults: string[] = []
  for (const { path, kind, value } of changes) {
    const field = await found(() => document.querySelector(`aside [data-input="${path}"]`))
    const control = field && (await found(() => controlOf(field, kind, value)))
    const fault = control ? (refusalOf(control) ?? change(control, kind, value)) : 'is not there'
    if (fault !== undefined) faults.push(`${path}: ${fault}`)
    // What a change puts off until its event is over, it does here. No frame is drawn between two changes.
    for (let turn = 0; turn < 5; turn++) await undefined
    if (fault === undefined && kind !== 'row' && shownBy(control!) !== value)
      faults.push(`${path}: shows ${shownBy(control!)} after ${value} was set`)
  }
  return faults

  function controlOf(field: Element, kind: FieldChange['kind'], value: string): HTMLElement | null {
    if (kind === 'row') return field.querySelector(`button[aria-label="Add a row to ${value}"]`)
    if (kind === 'choice') {
      // The server may have yet to tell the choices.
      const select = field.querySelector('select')
      return select && [...select.options].some((option) => option.value === value) ? select : null
    }
    if (kind !== 'code') return field.querySelector('textarea, input')
    const host = [...field.querySelectorAll('[data-code]')].find(({ shadowRoot }) => shadowRoot !== null)
    return host?.shadowRoot?.querySelector<HTMLElement>('.cm-content') ?? null
  }

  /** Why a person could not use a control. */
  function refusalOf(control: HTMLElement): string | undefined {
    const root = control.getRootNode() as Document | ShadowRoot
    const inPage = root instanceof ShadowRoot ? root.host : control
    for (let folded = closedAround(inPage); folded; folded = closedAround(inPage))
      folded.querySelector('summary')!.click()
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return 'cannot be seen'
    return control.matches(':disabled, [readonly]') ? 'takes nothing' : undefined
  }

  function closedAround(element: Element): Element | null {
    return element.closest('details:not([open])')
  }

  function change(control: HTMLElement, kind: FieldChange['kind'], value: string): string | undefined {
    if (kind === 'switch' || kind === 'row') control.click()
    else if (kind === 'choice') {
      const select = control as HTMLSelectElement
      select.value = value
      for (const name of ['input', 'change']) select.dispatchEvent(new Event(name, { bubbles: true }))
    } else {
      control.focus()
      if (kind === 'text') (control as HTMLInputElement).select()
      // As typing does, it meets what the box allows.
      if (!document.execCommand('insertText', false, value)) return 'takes no text'
    }
    return undefined
  }

  function shownBy(control: HTMLElement): string {
    if (control instanceof HTMLInputElement && control.type === 'checkbox') return String(control.checked)
    return control.isContentEditable
      ? control.textContent
      : (control as HTMLInputElement | HTMLSelectElement).value
  }

  /** What a condition finds, looked for until it is there; null after half a minute. */
  async function found<One>(look: () => One | null): Promise<One | null> {
    const deadline = performance.now() + 30_000
    let one = look()
    while (one === null && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      one = look()
    }
    return one
  }
}
