/** A tool whose code an author wrote, as the node `customTool` names it by its id. */
export type CustomToolRow = {
  id: string
  /** Several tools may have the same name. */
  name: string
  description: string
  /** How the studio shows it: a CSS colour, and the address of a picture; both may be empty. */
  color: string
  iconSrc: string
  /** JSON text: a list of rows `{property, type, description, required}`, the inputs of the tool. */
  schema: string
  /** The code. */
  func: string
  createdAt: number
  updatedAt: number
}

export type CustomToolStore = {
  /** By name, and those of one name by the time of their creation. */
  list(): Promise<CustomToolRow[]>
  find(id: string): Promise<CustomToolRow | undefined>
  insert(tool: CustomToolRow): Promise<void>
  update(tool: CustomToolRow): Promise<void>
  remove(id: string): Promise<boolean>
}
