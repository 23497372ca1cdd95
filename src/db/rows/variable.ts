import type { VariableRow } from '../../contract/variable-store.ts'
import type { StoredRow } from './stored-row.ts'

export function variableFromRow(row: StoredRow): VariableRow {
  return {
    id: row.id as string,
    name: row.name as string,
    type: row.type as VariableRow['type'],
    value: row.value as string,
    createdAt: row.created_at as number,
    updatedAt: row.updated_at as number,
  }
}
