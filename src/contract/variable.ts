export const VARIABLE_TYPES = ['static', 'runtime'] as const

/** A variable of the workspace, `{{$vars.name}}`. A static one has its value here, a runtime one in the environment of the server. */
export type Variable = { name: string; type: (typeof VARIABLE_TYPES)[number]; value: string }

export type Variables = {
  list(): Promise<readonly Variable[]>
}
