/** The state of a list in its address: the text that is searched for. */
export type TextSearch = { search?: string }

export const readTextSearch = ({ search }: Record<string, unknown>): TextSearch =>
  search === undefined || search === '' ? {} : { search: String(search) }
