import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { JsonObject } from '../drawing/flow-file.ts'
import { Button } from '../parts/button.tsx'
import { JsonInput } from './code-input.tsx'
import { FormField } from './form-field.tsx'
import styles from './forms.module.css'
import type { InputProps } from './input-props.ts'
import { cellValue, emptyRow, listRows } from './list-rows.ts'
import { textFor } from './text-input.tsx'

/** A list of rows. Its columns are not declared, so they are those of the rows that are there, and can be added. */
export function ListInput(props: InputProps) {
  const { id, input, value, onChange, refusal } = props
  const rows = listRows(value)
  const [column, setColumn] = useState('')
  if (!rows) return <JsonInput {...props} />
  const change = (at: number, row: JsonObject) =>
    onChange(rows.map((one, index) => (index === at ? row : one)))
  const addColumn = (at: number) => {
    if (column.trim() !== '') change(at, { ...rows[at], [column.trim()]: '' })
    setColumn('')
  }
  return (
    <FormField
      id={id}
      label={input.label}
      about={input.description}
      problem={refusal?.message}
      beside={
        <Button
          id={id}
          look="quiet"
          aria-label={`Add a row to ${input.label}`}
          onClick={() => onChange([...rows, emptyRow(rows)])}
        >
          <Plus aria-hidden="true" />
          Add row
        </Button>
      }
    >
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own
        <fieldset key={at} className={styles.rowBox} aria-label={`Row ${at + 1} of ${input.label}`}>
          <div className={styles.rowHead}>
            Row {at + 1}
            <Button
              look="quiet"
              square
              aria-label={`Remove row ${at + 1}`}
              onClick={() => onChange(rows.filter((_, index) => index !== at))}
            >
              <Trash2 />
            </Button>
          </div>
          {Object.entries(row).map(([name, cell]) => (
            <label key={name} className={styles.cell}>
              <span className={styles.cellName}>{name}</span>
              <textarea
                rows={1}
                className={styles.control}
                value={textFor(cell)}
                spellCheck={false}
                onChange={(event) => change(at, { ...row, [name]: cellValue(event.target.value, cell) })}
              />
            </label>
          ))}
          <form
            className={styles.row}
            onSubmit={(event) => {
              event.preventDefault()
              addColumn(at)
            }}
          >
            <input
              className={styles.control}
              aria-label={`Name of a new value in row ${at + 1}`}
              placeholder="Name of a new value"
              value={column}
              onChange={(event) => setColumn(event.target.value)}
            />
            <Button type="submit" square aria-label={`Add the value to row ${at + 1}`}>
              <Plus />
            </Button>
          </form>
        </fieldset>
      ))}
      {rows.length === 0 ? <p className={styles.about}>No rows</p> : null}
    </FormField>
  )
}
