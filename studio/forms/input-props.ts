import type { Json } from '../drawing/flow-file.ts'
import type { NodeInput } from '../drawing/node-kinds.ts'
import type { FormPlace, InputProblem } from './form-place.ts'

/** What each kind of input is given: its declaration, the value in the flow file, and where a new value goes. */
export type InputProps = {
  /** Unique in the page. */
  id: string
  input: NodeInput
  value: Json | undefined
  onChange(value: Json): void
  /** The form in which it stands; undefined for an input without others. */
  place?: FormPlace | undefined
  /** What the server says is wrong with the value. */
  refusal?: InputProblem | undefined
}
