import type { Json } from '../kit/json.ts'
import type { RunSpan } from './run-span.ts'

/**
 * Where the answers of tools come from when a run is repeated: from the record, from the record where it has them and else from the tool,
 * or from the tool. What came before the step is always from the record.
 */
export const TOOL_ANSWERS = ['recorded', 'missing', 'live'] as const
export type ToolAnswers = (typeof TOOL_ANSWERS)[number]

/** A recorded run that is done again from one of its steps. */
export type RunAgain = {
  /** Its spans, in the order in which they began. */
  spans: readonly RunSpan[]
  /** The id of the span that is done anew; what began before it has its recorded answers. */
  from: number
  /** What this step gets in place of its recorded input: a text for a model or a search, an object for a tool. */
  input?: Json | undefined
  tools: ToolAnswers
}
