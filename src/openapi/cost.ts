import type { ToolDescription } from '../contract/tool.ts'
import { estimateTokens } from '../embed/token-estimate.ts'

/** About how many tokens a tool takes of every question to a model, before anybody has called it. */
export const tokensOf = ({ name, description, parameters }: ToolDescription): number =>
  estimateTokens(name) + estimateTokens(description) + estimateTokens(JSON.stringify(parameters))
