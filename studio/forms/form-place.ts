import { createContext, use } from 'react'
import type { JsonObject } from '../drawing/flow-file.ts'
import type { NodeKinds } from '../drawing/node-kinds.ts'
import type { VariableName } from '../drawing/variable-names.ts'

/** A problem that the server found at an input. */
export type InputProblem = { input: string; line: number | null; message: string }

/** What all inputs of a node share. */
export type FormSurroundings = {
  kinds: NodeKinds
  /** The names that may stand between `{{` and `}}`. */
  variables: readonly VariableName[]
  problems: readonly InputProblem[]
}

export const FormContext = createContext<FormSurroundings>({ kinds: new Map(), variables: [], problems: [] })

/** The form in which an input stands: that of a node, of a part within it, or of a row of a list. */
export type FormPlace = {
  /** The name of the node kind that has the inputs. */
  kind: string
  /** What comes before the name of an input in its path: empty for a node, `agentModel.` for a part. */
  path: string
  /** The values of all inputs of the form. */
  values: JsonObject
  /** Changes some of the values. @param path the input that was changed, and its label, for undo */
  change(values: JsonObject, path: string, label: string): void
}

/** The path of an input in its node: `chunkSize`, `agentModel.temperature`, `agentTools[0].agentSelectedTool`. */
export const pathOf = (place: FormPlace | undefined, input: string): string => `${place?.path ?? ''}${input}`

/** The first problem that the server found at an input. */
export function useInputProblem(path: string): InputProblem | undefined {
  return use(FormContext).problems.find(({ input }) => input === path)
}
