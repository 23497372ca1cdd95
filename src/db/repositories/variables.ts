import type { VariableRow, VariableStore } from '../../contract/variable-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { SqlDatabase, SqlRow, SqlSession, SqlWrite } from '../sql/session.ts'
import { insertRow, updateRow } from '../sql/statements.ts'

const BY_NAME = { index: 'variables_by_name', columns: 'variables.name' }

/** @throws SluiceError `variable_taken` where the name belongs to another variable */
async function refuseTaken({ dialect }: SqlSession, name: string, stored: Promise<number>): Promise<void> {
  try {
    await stored
  } catch (error) {
    if (!dialect.isDuplicate(error, BY_NAME)) throw error
    throw new SluiceError('variable_taken', { name }, { cause: error })
  }
}

export const insertVariable: SqlWrite<VariableRow, void> = {
  name: 'insertVariable',
  grows: true,
  isOneStatement: true,
  run(session, { id, name, type, value, createdAt, updatedAt }) {
    const row = { id, name, type, value, created_at: createdAt, updated_at: updatedAt }
    return refuseTaken(session, name, insertRow(session, 'variables', row))
  },
}

export const updateVariable: SqlWrite<VariableRow, void> = {
  name: 'updateVariable',
  isOneStatement: true,
  run(session, { id, name, type, value, updatedAt }) {
    const changes = { name, type, value, updated_at: updatedAt }
    return refuseTaken(session, name, updateRow(session, 'variables', id, changes))
  },
}

export const removeVariable: SqlWrite<string, boolean> = {
  name: 'removeVariable',
  isOneStatement: true,
  run: async (session, id) => (await session.run('DELETE FROM variables WHERE id = ?', id)) > 0,
}

export function variableStore({ reader, write }: SqlDatabase): VariableStore {
  return {
    async list() {
      return (await reader.all('SELECT * FROM variables ORDER BY name')).map(variableFromRow)
    },
    async find(id) {
      const row = await reader.get('SELECT * FROM variables WHERE id = ?', id)
      return row && variableFromRow(row)
    },
    insert: (variable) => write(insertVariable, variable),
    update: (variable) => write(updateVariable, variable),
    remove: (id) => write(removeVariable, id),
  }
}

const variableFromRow = (row: SqlRow): VariableRow => ({
  id: row.id as string,
  name: row.name as string,
  type: row.type as VariableRow['type'],
  value: row.value as string,
  createdAt: row.created_at as number,
  updatedAt: row.updated_at as number,
})
