import type { ToolDescription } from '../contract/tool.ts'

/** In the descriptions of the corpus, JSON of schemas has 4.3 characters per token of o200k_base on average. */
const CHARACTERS_PER_TOKEN = 4

/** Estimates the tokens that the description of a tool takes in every request to a model. */
export const estimateToolTokens = ({ name, description, parameters }: ToolDescription): number =>
  Math.ceil((name.length + description.length + JSON.stringify(parameters).length) / CHARACTERS_PER_TOKEN)
