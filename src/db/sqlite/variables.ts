import type { VariableRow, VariableStore } from '../../contract/variable-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { variableFromRow } from '../rows/variable.ts'
import type { Connection } from './connection.ts'
import type { Database } from './database.ts'
import type { Write } from './write.ts'

function checkName(connection: Connection, { id, name }: VariableRow): void {
  const owner = connection.get<{ id: string }>('SELECT id FROM variables WHERE name = ?', name)
  if (owner && owner.id !== id) throw new SluiceError('variable_taken', { name })
}

export const insertVariable: Write<VariableRow, void> = {
  name: 'insertVariable',
  grows: true,
  run(connection, variable) {
    checkName(connection, variable)
    const { id, name, type, value, createdAt, updatedAt } = variable
    connection.run(
      'INSERT INTO variables (id, name, type, value, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
      id,
      name,
      type,
      value,
      createdAt,
      updatedAt,
    )
  },
}

export const updateVariable: Write<VariableRow, void> = {
  name: 'updateVariable',
  run(connection, variable) {
    checkName(connection, variable)
    const { id, name, type, value, updatedAt } = variable
    connection.run(
      'UPDATE variables SET name = ?, type = ?, value = ?, updated_at = ? WHERE id = ?',
      name,
      type,
      value,
      updatedAt,
      id,
    )
  },
}

export const removeVariable: Write<string, boolean> = {
  name: 'removeVariable',
  run: (connection, id) => connection.run('DELETE FROM variables WHERE id = ?', id) > 0,
}

export function variableStore(database: Database): VariableStore {
  const { reader } = database
  return {
    async list() {
      return reader.all('SELECT * FROM variables ORDER BY name').map(variableFromRow)
    },
    async find(id) {
      const row = reader.get('SELECT * FROM variables WHERE id = ?', id)
      return row && variableFromRow(row)
    },
    insert: (variable) => database.write(insertVariable, variable),
    update: (variable) => database.write(updateVariable, variable),
    remove: (id) => database.write(removeVariable, id),
  }
}
