/** What the fields of a flow are called on the screen. */
const NAMES: Record<string, string> = {
  flowData: 'Drawing',
  name: 'Name',
  slug: 'Slug',
  type: 'Type',
  apiConfig: 'Overrides and limits',
  chatbotConfig: 'Chat window and origins',
  apikeyid: 'Key',
  category: 'Category',
}

/** What a save changed, in words; the first save of a flow changed nothing. */
export const changeNames = (changes: readonly string[]): string[] =>
  changes.map((field) => NAMES[field] ?? field)

/** The search parameters of the revisions: the chosen one, and the one that it is compared with. */
export type RevisionSearch = { n?: number; with?: number }

export function readRevisionSearch(search: Record<string, unknown>): RevisionSearch {
  const whole = (value: unknown) =>
    typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined
  const [n, other] = [whole(search.n), whole(search.with)]
  return { ...(n === undefined ? {} : { n }), ...(other === undefined ? {} : { with: other }) }
}
