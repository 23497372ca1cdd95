import type { JsonSchema } from './tool.ts'

/** The form that an answer of a model must have. */
export type AnswerForm = {
  nodeId: string
  /** Whether the model is asked once more where its answer has another form. */
  repairs: boolean
} & (
  | {
      type: 'json'
      /** The schema of an object. */
      schema: JsonSchema
      /** The key of that object whose value is the answer, where the answer itself is no object. */
      within?: string
    }
  | {
      type: 'list'
      separator: string
      /** How many values the list must have; any number if absent. */
      length?: number
    }
)
