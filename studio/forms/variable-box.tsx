import { type KeyboardEvent, use, useLayoutEffect, useRef, useState } from 'react'
import { FormContext } from './form-place.ts'
import styles from './forms.module.css'
import { namesFor, openPlace, withName } from './variable-text.ts'

type VariableBoxProps = {
  id: string
  text: string
  rows: number
  placeholder: string
  withVariables: boolean
  onChange(text: string): void
  className?: string | undefined
  /** The name of the box where no label belongs to it. */
  label?: string
  'aria-invalid'?: boolean | undefined
  'aria-describedby'?: string | undefined
}

/** A text in which the names of variables are offered behind `{{`, where variables may stand. */
export function VariableBox({
  id,
  text,
  rows,
  placeholder,
  withVariables,
  onChange,
  className,
  label,
  ...described
}: VariableBoxProps) {
  const { variables } = use(FormContext)
  const box = useRef<HTMLTextAreaElement>(null)
  const caretAfter = useRef<number>(undefined)
  const [caret, setCaret] = useState<number>()
  const [active, setActive] = useState(0)
  useLayoutEffect(() => {
    if (caretAfter.current === undefined) return
    box.current?.setSelectionRange(caretAfter.current, caretAfter.current)
    caretAfter.current = undefined
  })
  const place = withVariables && caret !== undefined ? openPlace(text, caret) : undefined
  const names = place ? namesFor(variables, place.typed) : []
  const open = names.length > 0
  const choose = (name: string) => {
    if (!place || caret === undefined) return
    const next = withName(text, caret, place, name)
    caretAfter.current = next.caret
    onChange(next.text)
    setCaret(undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setActive((active + step + names.length) % names.length)
    else if (event.key === 'Enter' || event.key === 'Tab')
      choose(names[Math.min(active, names.length - 1)]!.name)
    else if (event.key === 'Escape') setCaret(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const see = () => {
    setCaret(box.current?.selectionStart)
    setActive(0)
  }
  return (
    <>
      <textarea
        ref={box}
        id={id}
        rows={rows}
        className={[styles.control, className].filter(Boolean).join(' ')}
        value={text}
        placeholder={placeholder}
        spellCheck={false}
        aria-label={label}
        {...(withVariables
          ? {
              role: 'combobox',
              'aria-multiline': true,
              'aria-autocomplete': 'list' as const,
              'aria-expanded': open,
              'aria-controls': `${id}-names`,
              'aria-activedescendant': open ? `${id}-name-${active}` : undefined,
            }
          : {})}
        onChange={(event) => {
          onChange(event.target.value)
          see()
        }}
        onKeyDown={onKeyDown}
        onClick={see}
        onBlur={() => setCaret(undefined)}
        {...described}
      />
      {open ? (
        <div id={`${id}-names`} role="listbox" aria-label="Variables" className={styles.names}>
          {names.map(({ name, about }, at) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the text keeps the focus; aria-activedescendant names the option
            <div
              key={name}
              id={`${id}-name-${at}`}
              role="option"
              aria-selected={at === active}
              className={styles.nameItem}
              // A click must not take the focus from the text.
              onMouseDown={(event) => {
                event.preventDefault()
                choose(name)
              }}
            >
              <code>{name}</code>
              <span className={styles.about}>{about}</span>
            </div>
          ))}
        </div>
      ) : null}
    </>
  )
}
