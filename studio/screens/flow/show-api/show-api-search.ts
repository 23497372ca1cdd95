import type { Json } from '../../../drawing/flow-file.ts'
import { type Language, LANGUAGES, REQUEST_KINDS } from './sample-request.ts'

/** What the screen shows: a request, or the flow as a chat on a web page. */
export const API_VIEWS = [...REQUEST_KINDS, 'embed'] as const
export type ApiView = (typeof API_VIEWS)[number]

/** What the address of Show API holds. */
export type ShowApiSearch = {
  request?: ApiView
  language?: Language
  question?: string
  /** The chosen overrides, by the key of the row. */
  with?: Record<string, Json>
}

/** Reads the address; what is not valid is left out. */
export function readShowApiSearch(search: Record<string, unknown>): ShowApiSearch {
  const request = API_VIEWS.find((kind) => kind === search.request)
  const language = LANGUAGES.find((one) => one === search.language)
  const { question, with: chosen } = search
  return {
    ...(request ? { request } : {}),
    ...(language ? { language } : {}),
    ...(typeof question === 'string' ? { question } : {}),
    ...(typeof chosen === 'object' && chosen !== null && !Array.isArray(chosen)
      ? { with: chosen as Record<string, Json> }
      : {}),
  }
}
