import type { JsonObject } from '../kit/json.ts'

/**
 * A node that makes a value while a chat flow answers. Texts of other nodes have it as `{{ID.data.instance}}`. Code and inputs are as they are
 * drawn: the engine fills the inputs.
 */
export type ValuePart =
  | { type: 'function'; name: string; inputs: JsonObject; code: string }
  /** The branch `returnTrue` follows where `code` gives a value that counts as true; else `otherwise` makes the value. */
  | { type: 'condition'; name: string; inputs: JsonObject; code: string; otherwise: string }
  | { type: 'setVariable'; variable: string; input: string }
  | { type: 'getVariable'; variable: string }
