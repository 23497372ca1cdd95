import type { Variable } from './variable.ts'

/** A variable of the workspace, `{{$vars.name}}` in a flow. The value of a runtime variable comes from the environment of the server. */
export type VariableRow = {
  id: string
  name: string
  type: Variable['type']
  /** Empty for a runtime variable. */
  value: string
  createdAt: number
  updatedAt: number
}

export type VariableStore = {
  list(): Promise<VariableRow[]>
  find(id: string): Promise<VariableRow | undefined>
  /** @throws SluiceError `variable_taken` */
  insert(variable: VariableRow): Promise<void>
  /** @throws SluiceError `variable_taken` */
  update(variable: VariableRow): Promise<void>
  remove(id: string): Promise<boolean>
}
