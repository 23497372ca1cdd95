/**
 * Runs in the page. Marks the parts of a screen, such as its bars, tables, rows and dialogs, by their number in the attribute
 * `data-part`, and gives for each the number of the part around it and a key: parts with the same key look the same at the same
 * place, in a window and theme alike.
 */
export function partKeys(): { key: string; around: number | undefined }[] {
  for (const one of document.querySelectorAll('[data-part]')) one.removeAttribute('data-part')
  const looks = `${innerWidth} × ${innerHeight} ${matchMedia('(prefers-color-scheme: dark)').matches}`
  const parts = [
    ...document.querySelectorAll(
      'header, nav, main, aside, section, article, table, tr, li, form, [role="dialog"], [role="menu"], .react-flow__node',
    ),
  ]
  const keys = parts.map((part) => ({
    key: hashOf(`${looks} ${placeOf(part)} ${part.outerHTML}`),
    around: parts.findLastIndex((one) => one !== part && one.contains(part)),
  }))
  for (const [at, part] of parts.entries()) part.setAttribute('data-part', String(at))
  return keys.map(({ key, around }) => ({ key, around: around < 0 ? undefined : around }))

  function placeOf(part: Element): string {
    const above: string[] = []
    for (let at = part.parentElement; at; at = at.parentElement)
      above.push(`${at.tagName}.${at.getAttribute('class')}`)
    return above.join(' ')
  }

  /** Two hashes of 32 bits (FNV-1a with two offsets): texts of many kilobytes need not leave the page. */
  function hashOf(text: string): string {
    let [one, other] = [0x811c9dc5, 0x1b873593]
    for (let at = 0; at < text.length; at++) {
      one = Math.imul(one ^ text.charCodeAt(at), 0x01000193)
      other = Math.imul(other ^ text.charCodeAt(at), 0x85ebca6b)
    }
    return `${text.length} ${one} ${other}`
  }
}
