import type { Catalog } from '../../catalog.ts'
import type { Draft } from './draft.ts'
import type { OldDrawing, OldNode } from './old-drawing.ts'
import type { VariableOfNode } from './prompts.ts'
import type { StateKey } from './state-key.ts'

/** What the translation of a node knows. */
export type Context = {
  old: OldDrawing
  catalog: Catalog
  draft: Draft
  /** The keys of the state, with those that nodes write and no State node declares. */
  keys: readonly StateKey[]
  /** The variable with what a node said. */
  variableOf: VariableOfNode
  /** The model of the Start node or of the supervisor, if it has one. */
  startModel: OldNode | undefined
  /** The variable with the message before a node: of the node that comes before it, of the question, or the last of the run. */
  messageBefore(id: string): string
}

/** A step and the ways into and out of what a node became. */
export type Translated = {
  entry: string
  /** The outputs of steps that an output of the node became. */
  exits(output: string): { from: string; output: number }[]
}
