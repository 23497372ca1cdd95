import { Plus, Trash2 } from 'lucide-react'
import { FormField } from '../../forms/form-field.tsx'
import forms from '../../forms/forms.module.css'
import { Button } from '../../parts/button.tsx'
import { ROW_TYPES, type SchemaRow } from './schema-rows.ts'
import styles from './tools.module.css'

type SchemaTableProps = {
  id: string
  rows: readonly SchemaRow[]
  problem: string | undefined
  onChange(rows: SchemaRow[]): void
}

/** The inputs of a tool, a row each. */
export function SchemaTable({ id, rows, problem, onChange }: SchemaTableProps) {
  const change = (at: number, changes: Partial<SchemaRow>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...changes } : row)))
  return (
    <FormField
      id={id}
      label="Inputs"
      about="The code reads an input as $name. The model sees name, type and description."
      problem={problem}
      beside={
        <Button
          id={id}
          look="quiet"
          aria-label="Add input"
          onClick={() =>
            onChange([...rows, { property: '', type: 'string', description: '', required: true }])
          }
        >
          <Plus aria-hidden="true" />
          Add input
        </Button>
      }
    >
      <div className={styles.rows}>
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own
          <div key={at} className={styles.row}>
            <input
              className={forms.control}
              aria-label={`Name of input ${at + 1}`}
              placeholder="name"
              value={row.property}
              spellCheck={false}
              onChange={(event) => change(at, { property: event.target.value })}
            />
            <select
              className={forms.control}
              aria-label={`Type of input ${at + 1}`}
              value={row.type}
              onChange={(event) => change(at, { type: event.target.value })}
            >
              {[...new Set<string>([...ROW_TYPES, row.type])].map((type) => (
                <option key={type}>{type}</option>
              ))}
            </select>
            <input
              className={forms.control}
              aria-label={`Description of input ${at + 1}`}
              placeholder="what it is"
              value={row.description}
              onChange={(event) => change(at, { description: event.target.value })}
            />
            <label className={styles.required}>
              <input
                type="checkbox"
                aria-label={`Input ${at + 1} is required`}
                checked={row.required}
                onChange={(event) => change(at, { required: event.target.checked })}
              />
              required
            </label>
            <Button
              look="quiet"
              square
              aria-label={`Remove input ${at + 1}`}
              onClick={() => onChange(rows.filter((_, index) => index !== at))}
            >
              <Trash2 />
            </Button>
          </div>
        ))}
        {rows.length === 0 ? (
          <p className={forms.about}>No inputs: the model calls it with nothing.</p>
        ) : null}
      </div>
    </FormField>
  )
}
