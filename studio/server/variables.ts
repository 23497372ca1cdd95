import type { VariableAnswer } from '../../src/api/variable.ts'
import { call } from './call.ts'

export type Variable = VariableAnswer

export type VariableChange = Pick<Variable, 'name' | 'type' | 'value'>

const VARIABLES = '/api/v1/variables'
const one = (id: string) => `${VARIABLES}/${encodeURIComponent(id)}`

/** The variables of the workspace: `{{$vars.name}}` in the texts of flows. */
export const listVariables = (): Promise<Variable[]> => call(VARIABLES)
/** With the flows that use each. */
export const listUsedVariables = (): Promise<Variable[]> => call(VARIABLES, { query: { usage: true } })
export const getVariable = (id: string): Promise<Variable> => call(one(id))
export const createVariable = (body: VariableChange): Promise<Variable> =>
  call(VARIABLES, { method: 'POST', body })
export const changeVariable = (id: string, body: VariableChange): Promise<Variable> =>
  call(one(id), { method: 'PUT', body })
export const deleteVariable = (id: string): Promise<unknown> => call(one(id), { method: 'DELETE' })
