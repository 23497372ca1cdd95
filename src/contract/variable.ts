/** A variable of the workspace, `{{$vars.name}}`: its value stands here, or in the environment of the server. */
export type Variable = { name: string; type: 'static' | 'runtime'; value: string }

export type Variables = {
  list(): Promise<Variable[]>
}
