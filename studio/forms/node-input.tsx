import { Plus, Trash2 } from 'lucide-react'
import type { JsonObject } from '../drawing/flow-file.ts'
import type { NodeInput } from '../drawing/node-kinds.ts'
import { Button } from '../parts/button.tsx'
import { ChoiceInput } from './choice-input.tsx'
import { CodeInput, JsonInput } from './code-input.tsx'
import { CredentialInput } from './credential-input.tsx'
import { FileInput } from './file-input.tsx'
import { FormField } from './form-field.tsx'
import styles from './forms.module.css'
import type { InputProps } from './input-props.ts'
import { ListInput } from './list-input.tsx'
import { listRows } from './list-rows.ts'
import { NumberInput } from './number-input.tsx'
import { SwitchInput } from './switch-input.tsx'
import { PasswordInput, TextInput } from './text-input.tsx'
import { visibleInputs } from './visible.ts'

/** By the type of an input; a type that is not here is shown as text, so that its value can be seen and changed. */
const INPUTS: Readonly<Record<string, (props: InputProps) => React.ReactNode>> = {
  array: RowsInput,
  boolean: SwitchInput,
  code: CodeInput,
  credential: CredentialInput,
  datagrid: ListInput,
  file: FileInput,
  json: JsonInput,
  number: NumberInput,
  options: ChoiceInput,
  password: PasswordInput,
  string: TextInput,
}

/** An input of a node, made from its declaration. */
export function NodeInputField(props: InputProps) {
  const Input = INPUTS[props.input.type] ?? TextInput
  return <Input {...props} />
}

/** A list of rows, each a form of the declared columns. */
function RowsInput({ id, input, value, onChange }: InputProps) {
  const columns = (input.array ?? []).map((column): NodeInput => ({ optional: true, ...column }) as NodeInput)
  const rows = listRows(value)
  if (columns.length === 0 || !rows) return <ListInput {...{ id, input, value, onChange }} />
  const change = (at: number, row: JsonObject) =>
    onChange(rows.map((one, index) => (index === at ? row : one)))
  const emptyRow = Object.fromEntries(
    columns.map((column) => [column.name, column.default ?? '']),
  ) as JsonObject
  return (
    <FormField
      id={id}
      label={input.label}
      about={input.description}
      beside={
        <Button id={id} look="quiet" onClick={() => onChange([...rows, emptyRow])}>
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
          {visibleInputs(columns, row).map((column) => (
            <NodeInputField
              key={column.name}
              id={`${id}-${at}-${column.name}`}
              input={column}
              value={row[column.name]}
              onChange={(next) => change(at, { ...row, [column.name]: next })}
            />
          ))}
        </fieldset>
      ))}
      {rows.length === 0 ? <p className={styles.about}>No rows</p> : null}
    </FormField>
  )
}
