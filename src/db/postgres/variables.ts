import type { VariableStore } from '../../contract/variable-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { variableFromRow } from '../rows/variable.ts'
import type { PostgresDatabase } from './database.ts'
import { isDuplicate } from './failures.ts'

export function postgresVariables({ reader, writer }: PostgresDatabase): VariableStore {
  /** @throws SluiceError `variable_taken` where the name belongs to another variable */
  const write = (name: string, sql: string, ...values: (string | number)[]) =>
    writer.run(sql, ...values).catch((error: unknown) => {
      throw isDuplicate(error, 'variables_by_name')
        ? new SluiceError('variable_taken', { name }, { cause: error })
        : error
    })
  return {
    async list() {
      return (await reader.all('SELECT * FROM variables ORDER BY name')).map(variableFromRow)
    },
    async find(id) {
      const row = await reader.get('SELECT * FROM variables WHERE id = $1', id)
      return row && variableFromRow(row)
    },
    async insert({ id, name, type, value, createdAt, updatedAt }) {
      await write(
        name,
        `INSERT INTO variables (id, name, type, value, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6)`,
        id,
        name,
        type,
        value,
        createdAt,
        updatedAt,
      )
    },
    async update({ id, name, type, value, updatedAt }) {
      await write(
        name,
        'UPDATE variables SET name = $2, type = $3, value = $4, updated_at = $5 WHERE id = $1',
        id,
        name,
        type,
        value,
        updatedAt,
      )
    },
    remove: async (id) => (await writer.run('DELETE FROM variables WHERE id = $1', id)) > 0,
  }
}
