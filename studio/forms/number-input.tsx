import { describedBy, FormField } from './form-field.tsx'
import styles from './forms.module.css'
import type { InputProps } from './input-props.ts'
import { numberOfText, numberProblem } from './number-text.ts'
import { useState } from 'react'
import { textFor } from './text-input.tsx'

/** A number; what is not one stays visible with a remark. */
export function NumberInput({ id, input, value, onChange, refusal }: InputProps) {
  // What is typed may be on its way to a number: `1.` is stored as 1 and still shown as `1.`.
  const [typed, setTyped] = useState<string>()
  const problem = numberProblem(value, input) ?? refusal?.message
  const shown = typed !== undefined && numberOfText(typed) === value ? typed : textFor(value)
  return (
    <FormField
      id={id}
      label={input.unit === undefined ? input.label : `${input.label} (${input.unit})`}
      about={input.description}
      problem={problem}
    >
      <input
        id={id}
        inputMode="decimal"
        className={styles.control}
        value={shown}
        placeholder={textFor(input.default)}
        onChange={(event) => {
          setTyped(event.target.value)
          onChange(numberOfText(event.target.value))
        }}
        {...describedBy(id, input.description, problem)}
      />
    </FormField>
  )
}
