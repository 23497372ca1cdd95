import { isObject, type Json } from '../../kit/json.ts'

/** Whether a flow keeps the files of its documents: `originals` of its `apiConfig` is `keep`. */
export const keepsOriginals = (apiConfig: Json | unknown): boolean =>
  isObject(apiConfig) && (apiConfig as { originals?: unknown }).originals === 'keep'
