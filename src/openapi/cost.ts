import type { ToolDescription } from '../contract/tool.ts'

/** The JSON of schemas has 4.3 characters a token of o200k_base on average, in the descriptions of the corpus. */
const CHARACTERS_PER_TOKEN = 4

/** About how many tokens the description of a tool takes in every request to a model. */
export const estimateToolTokens = ({ name, description, parameters }: ToolDescription): number =>
  Math.ceil((name.length + description.length + JSON.stringify(parameters).length) / CHARACTERS_PER_TOKEN)
