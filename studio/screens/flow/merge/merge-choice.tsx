import { useId } from 'react'
import type { Json } from '../../../drawing/flow-file.ts'
import type { MergeItem, Side } from '../../../drawing/merge.ts'
import { partText } from '../part-text.ts'
import styles from './merge.module.css'

type MergeChoiceProps = { item: MergeItem; side: Side; onChoose(side: Side): void }

/** One thing that differs, with both values side by side; one of them is chosen. */
export function MergeChoice({ item, side, onChoose }: MergeChoiceProps) {
  const name = useId()
  const { nodeLabel, label, mine, theirs } = item
  return (
    <li>
      <fieldset className={styles.choice}>
        <legend>
          <strong>{nodeLabel}</strong> · {label}
        </legend>
        {(['mine', 'theirs'] as const).map((one) => (
          <label key={one} className={styles.side} data-chosen={side === one}>
            <span className={styles.who}>
              <input type="radio" name={name} checked={side === one} onChange={() => onChoose(one)} />
              {one === 'mine' ? 'Mine' : 'Theirs'}
            </span>
            <Value item={item} value={one === 'mine' ? mine : theirs} />
          </label>
        ))}
      </fieldset>
    </li>
  )
}

function Value({ item: { part, type }, value }: { item: MergeItem; value: Json | undefined }) {
  if (part === 'node')
    return (
      <span className={styles.quiet}>{value === undefined ? 'without this node' : 'with this node'}</span>
    )
  const text = partText(type, value)
  return text === '' ? (
    <span className={styles.quiet}>empty</span>
  ) : (
    <pre className={styles.value}>{text}</pre>
  )
}
