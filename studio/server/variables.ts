import type { VariableAnswer } from '../../src/api/variable.ts'
import { call } from './call.ts'

export type Variable = VariableAnswer

/** The variables of the workspace: `{{$vars.name}}` in the texts of flows. */
export const listVariables = (): Promise<Variable[]> => call('/api/v1/variables')
