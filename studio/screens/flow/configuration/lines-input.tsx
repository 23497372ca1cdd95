import { useState } from 'react'
import { FormField } from '../../../forms/form-field.tsx'
import forms from '../../../forms/forms.module.css'
import { linesOf } from './line-list.ts'

type LinesInputProps = {
  id: string
  label: string
  about: string
  placeholder: string
  value: readonly string[]
  onChange(value: string[]): void
}

/** A list of texts, one a line. */
export function LinesInput({ id, label, about, placeholder, value, onChange }: LinesInputProps) {
  // What is typed may have empty lines on the way to the next one.
  const [typed, setTyped] = useState<string>()
  const isTyping = typed !== undefined && JSON.stringify(linesOf(typed)) === JSON.stringify(value)
  return (
    <FormField id={id} label={label} about={about}>
      <textarea
        id={id}
        rows={3}
        className={forms.control}
        value={isTyping ? typed : value.join('\n')}
        placeholder={placeholder}
        spellCheck={false}
        aria-describedby={`${id}-about`}
        onChange={(event) => {
          setTyped(event.target.value)
          onChange(linesOf(event.target.value))
        }}
        onBlur={() => setTyped(undefined)}
      />
    </FormField>
  )
}
