import { Autocomplete } from '@base-ui/react/autocomplete'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../parts/button.tsx'
import menu from '../parts/menu.module.css'
import type { NodeChoice } from '../server/nodes.ts'
import { useChoices } from './choices.ts'
import { describedBy, FormField } from './form-field.tsx'
import styles from './forms.module.css'
import type { InputProps } from './input-props.ts'
import { textFor } from './text-input.tsx'

/** How many choices are shown at once; typing finds the others. */
const SHOWN = 200

/** One of the choices that the server finds, or any other text. */
export default function ListedInput(props: InputProps) {
  const { id, input, value, onChange, refusal } = props
  const [open, setOpen] = useState(false)
  const { choices = [], failure, isFetching, ask, askAgain } = useChoices(props)
  const problem = refusal?.message ?? failure
  return (
    <FormField id={id} label={input.label} about={input.description} problem={problem}>
      <Autocomplete.Root
        items={choices}
        value={textFor(value)}
        onValueChange={(text) => onChange(text)}
        itemToStringValue={({ name }: NodeChoice) => name}
        filter={(choice, query) => matches(choice, query, textFor(value))}
        limit={SHOWN}
        openOnInputClick
        open={open && (choices.length > 0 || isFetching)}
        onOpenChange={(next) => {
          setOpen(next)
          if (next) ask()
        }}
      >
        <div className={styles.row}>
          <Autocomplete.Input
            id={id}
            className={styles.control}
            placeholder={textFor(input.default)}
            spellCheck={false}
            autoComplete="off"
            onFocus={ask}
            {...describedBy(id, input.description, problem)}
          />
          <Button
            look="quiet"
            square
            aria-label={`Load the choices of ${input.label} again`}
            disabled={isFetching}
            onClick={askAgain}
          >
            <RefreshCw />
          </Button>
        </div>
        <Autocomplete.Portal>
          <Autocomplete.Positioner className={menu.place} sideOffset={4} align="start" collisionPadding={8}>
            <Autocomplete.Popup className={`${menu.menu} ${styles.choices}`}>
              <Autocomplete.Status className={styles.about}>
                {isFetching ? 'Loading the choices…' : ''}
              </Autocomplete.Status>
              <Autocomplete.List>
                {(choice: NodeChoice) => (
                  <Autocomplete.Item key={choice.name} value={choice} className={menu.item}>
                    <ChoiceText choice={choice} />
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
              <Autocomplete.Empty className={styles.about}>
                {isFetching ? null : 'No choice has this text; it is kept as you typed it.'}
              </Autocomplete.Empty>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      </Autocomplete.Root>
    </FormField>
  )
}

/** All choices are shown while the text is the chosen one. */
const matches = ({ name, label, description = '' }: NodeChoice, query: string, chosen: string): boolean =>
  query === chosen && query === name
    ? true
    : `${name} ${label} ${description}`.toLowerCase().includes(query.toLowerCase())

function ChoiceText({ choice: { name, label } }: { choice: NodeChoice }) {
  return (
    <span className={styles.choice}>
      {label}
      {label === name ? null : <span className={styles.about}> {name}</span>}
    </span>
  )
}
