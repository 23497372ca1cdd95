import { Plus, Trash2 } from 'lucide-react'
import { lazy, Suspense, use } from 'react'
import type { Json, JsonObject } from '../drawing/flow-file.ts'
import { isPlug, type NodeInput } from '../drawing/node-kinds.ts'
import { selectableKinds, selectPart, valuesOfPart } from '../drawing/parts-within.ts'
import { Button } from '../parts/button.tsx'
import { loadPart } from '../server/load-part.ts'
import { ChoiceInput } from './choice-input.tsx'
import { CodeInput, JsonInput } from './code-input.tsx'
import { CredentialInput } from './credential-input.tsx'
import { FileInput } from './file-input.tsx'
import { describedBy, FormField } from './form-field.tsx'
import { FormContext, type FormPlace, pathOf, useInputProblem } from './form-place.ts'
import styles from './forms.module.css'
import type { InputProps } from './input-props.ts'
import { ListInput } from './list-input.tsx'
import { listRows } from './list-rows.ts'
import { NumberInput } from './number-input.tsx'
import { SeveralInput } from './several-input.tsx'
import { SwitchInput } from './switch-input.tsx'
import { PasswordInput, TextInput, textFor } from './text-input.tsx'
import { visibleInputs } from '../drawing/visible-inputs.ts'

/* A part within a node and a row of a list are forms themselves: the components of this file contain one another. */

/** Loaded with the first such input: its list of choices is larger than most other inputs. */
const ListedInput = lazy(() => loadPart(() => import('./listed-input.tsx')))

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

const componentFor = ({ type, selects, loadMethod, list, language }: NodeInput) => {
  if (selects !== undefined) return PartInput
  if (loadMethod !== undefined) return list ? SeveralInput : ListedInput
  if (type === 'string' && language !== undefined) return CodeInput
  return INPUTS[type] ?? TextInput
}

/** An input of a node, made from its declaration. */
export function NodeInputField(props: InputProps) {
  const Input = componentFor(props.input)
  const path = pathOf(props.place, props.input.name)
  const refusal = useInputProblem(path)
  return (
    <div className={styles.place} data-input={path}>
      <Suspense fallback={<TextInput {...props} refusal={refusal} />}>
        <Input {...props} refusal={refusal} />
      </Suspense>
    </div>
  )
}

type FormFieldsProps = { id: string; inputs: readonly NodeInput[]; place: FormPlace }

/** The inputs of a form that its values show; those that are seldom needed are folded. */
export function FormFields({ id, inputs, place }: FormFieldsProps) {
  const shown = visibleInputs(inputs, place.values)
  const additional = shown.filter(({ additionalParams }) => additionalParams === true)
  const field = (input: NodeInput) => {
    const path = pathOf(place, input.name)
    return (
      <NodeInputField
        key={input.name}
        id={`${id}-${input.name}`}
        input={input}
        value={heldValue(input, place.values)}
        onChange={(value) => place.change(changeOf(input, value, place.values), path, input.label)}
        place={place}
      />
    )
  }
  const changed = additional.filter((input) => isChanged(input, place.values[input.name])).length
  return (
    <>
      {shown.filter(({ additionalParams }) => additionalParams !== true).map(field)}
      {additional.length === 0 ? null : (
        <details className={styles.additional}>
          <summary>
            Additional parameters
            {changed === 0 ? null : <span className={styles.changed}> {changed} changed</span>}
          </summary>
          <div className={styles.form}>{additional.map(field)}</div>
        </details>
      )}
    </>
  )
}

/** Older files hold the id of a credential under another name. */
const heldValue = ({ type, name }: NodeInput, values: JsonObject): Json | undefined =>
  type === 'credential' ? values.FLOWISE_CREDENTIAL_ID || values[name] : values[name]

const changeOf = ({ type, name }: NodeInput, value: Json, values: JsonObject): JsonObject =>
  type === 'credential' && 'FLOWISE_CREDENTIAL_ID' in values
    ? { [name]: value, FLOWISE_CREDENTIAL_ID: '' }
    : { [name]: value }

const isChanged = (input: NodeInput, value: Json | undefined): boolean =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  !['{}', '[]', JSON.stringify(input.default ?? '')].includes(JSON.stringify(value))

/** Selects the kind of a part within the node; its form stands below. */
function PartInput({ id, input, value, place, refusal }: InputProps) {
  const { kinds } = use(FormContext)
  const name = textFor(value)
  const kind = kinds.get(name)
  const offered = selectableKinds(kinds, input)
  const unknown = name !== '' && !offered.some((one) => one.name === name)
  const problem = refusal?.message ?? (unknown && !kind ? `This server has no node ${name}` : undefined)
  if (!place) return null
  const path = pathOf(place, input.name)
  const values = valuesOfPart(input, place.values)
  const inner: FormPlace | undefined = kind && {
    kind: kind.name,
    path: `${path}.`,
    values,
    change: (changes, at, label) =>
      place.change(
        input.config === undefined ? {} : { [input.config]: { ...values, ...changes } },
        at,
        label,
      ),
  }
  return (
    <>
      <FormField id={id} label={input.label} about={input.description} problem={problem}>
        <select
          id={id}
          className={styles.control}
          value={name}
          onChange={(event) =>
            place.change(selectPart(input, kinds.get(event.target.value), place.values), path, input.label)
          }
          {...describedBy(id, input.description, problem)}
        >
          <option value="">{input.optional ? 'None' : 'Choose'}</option>
          {unknown ? <option value={name}>{kind?.label ?? name}</option> : null}
          {offered.map((one) => (
            <option key={one.name} value={one.name}>
              {one.label}
            </option>
          ))}
        </select>
      </FormField>
      {kind && inner ? (
        <fieldset className={styles.part} aria-label={`${kind.label}, ${input.label}`}>
          <FormFields id={`${id}-part`} inputs={kind.inputs.filter((one) => !isPlug(one))} place={inner} />
        </fieldset>
      ) : null}
    </>
  )
}

/** A list of rows, each a form of the declared columns. */
function RowsInput(props: InputProps) {
  const { id, input, value, onChange, place, refusal } = props
  const columns = (input.array ?? []).map((column): NodeInput => ({ optional: true, ...column }) as NodeInput)
  const rows = listRows(value)
  if (columns.length === 0 || !rows) return <ListInput {...props} />
  const emptyRow = Object.fromEntries(
    columns.map((column) => [column.name, column.default ?? '']),
  ) as JsonObject
  const path = pathOf(place, input.name)
  const rowPlace = (row: JsonObject, at: number): FormPlace => ({
    kind: place?.kind ?? '',
    path: `${path}[${at}].`,
    values: row,
    change(changes, changedPath, label) {
      const changed = rows.map((one, index) => (index === at ? { ...one, ...changes } : one))
      if (place) place.change({ [input.name]: changed }, changedPath, label)
      else onChange(changed)
    },
  })
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
          onClick={() => onChange([...rows, emptyRow])}
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
              aria-label={`Remove row ${at + 1} of ${input.label}`}
              onClick={() => onChange(rows.filter((_, index) => index !== at))}
            >
              <Trash2 />
            </Button>
          </div>
          <FormFields id={`${id}-${at}`} inputs={columns} place={rowPlace(row, at)} />
        </fieldset>
      ))}
      {rows.length === 0 ? <p className={styles.about}>No rows</p> : null}
    </FormField>
  )
}
