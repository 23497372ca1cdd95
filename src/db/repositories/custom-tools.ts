import type { CustomToolRow, CustomToolStore } from '../../contract/custom-tool-store.ts'
import type { SqlDatabase, SqlRow, SqlWrite } from '../sql/session.ts'
import { insertRow, updateRow } from '../sql/statements.ts'

const columnsOf = ({ name, description, color, iconSrc, schema, func, updatedAt }: CustomToolRow) => ({
  ...{ name, description, color, icon_src: iconSrc, schema, func },
  updated_at: updatedAt,
})

export const insertCustomTool: SqlWrite<CustomToolRow, void> = {
  name: 'insertCustomTool',
  grows: true,
  isOneStatement: true,
  async run(session, tool) {
    await insertRow(session, 'custom_tools', {
      ...columnsOf(tool),
      id: tool.id,
      created_at: tool.createdAt,
    })
  },
}

export const updateCustomTool: SqlWrite<CustomToolRow, void> = {
  name: 'updateCustomTool',
  isOneStatement: true,
  async run(session, tool) {
    await updateRow(session, 'custom_tools', tool.id, columnsOf(tool))
  },
}

export const removeCustomTool: SqlWrite<string, boolean> = {
  name: 'removeCustomTool',
  isOneStatement: true,
  run: async (session, id) => (await session.run('DELETE FROM custom_tools WHERE id = ?', id)) > 0,
}

export function customToolStore({ reader, write }: SqlDatabase): CustomToolStore {
  return {
    async list() {
      return (await reader.all('SELECT * FROM custom_tools ORDER BY name, created_at, id')).map(toolFromRow)
    },
    async find(id) {
      const row = await reader.get('SELECT * FROM custom_tools WHERE id = ?', id)
      return row && toolFromRow(row)
    },
    insert: (tool) => write(insertCustomTool, tool),
    update: (tool) => write(updateCustomTool, tool),
    remove: (id) => write(removeCustomTool, id),
  }
}

const toolFromRow = (row: SqlRow): CustomToolRow => ({
  id: row.id as string,
  name: row.name as string,
  description: row.description as string,
  color: row.color as string,
  iconSrc: row.icon_src as string,
  schema: row.schema as string,
  func: row.func as string,
  createdAt: row.created_at as number,
  updatedAt: row.updated_at as number,
})
