import type { Json, JsonObject } from '../../../drawing/flow-file.ts'

/** The texts of a list in a configuration; other values are left out. */
export const textsOf = (value: Json | undefined): string[] =>
  (Array.isArray(value) ? value : []).filter((one) => typeof one === 'string')

/** Starter prompts as Flowise stores them: `{"0": {"prompt": "…"}}`. */
export const promptsOf = (value: Json | undefined): string[] =>
  Object.values(typeof value === 'object' && value !== null ? value : {}).flatMap((one: Json) => {
    const { prompt } = (typeof one === 'object' && one !== null ? one : {}) as JsonObject
    return typeof prompt === 'string' ? [prompt] : []
  })

export const withPrompts = (prompts: readonly string[]): JsonObject =>
  Object.fromEntries(prompts.map((prompt, index) => [String(index), { prompt }]))

/** The lines of a text box, without empty ones. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
