import type { ReactNode } from 'react'
import styles from './forms.module.css'

type FormFieldProps = {
  id: string
  label: string
  about?: string | undefined
  problem?: string | undefined
  /** A control beside the label. */
  beside?: ReactNode
  /** The label stands beside the control: switches. */
  inline?: boolean
  children: ReactNode
}

/** Label, control, help and what is wrong. The control has `id`, and `describedBy(…)` as `aria-describedby`. */
export function FormField({ id, label, about, problem, beside, inline, children }: FormFieldProps) {
  return (
    <div className={styles.field} data-inline={inline === true}>
      <div className={styles.labelRow}>
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
        {beside}
      </div>
      {children}
      {problem === undefined ? null : (
        <p className={styles.problem} id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {about === undefined || about === '' ? null : (
        <p className={styles.about} id={`${id}-about`}>
          {about}
        </p>
      )}
    </div>
  )
}

/** The ids of help and problem of a field, for its control. */
export const describedBy = (id: string, about?: string, problem?: string) => ({
  'aria-invalid': problem !== undefined,
  'aria-describedby':
    [problem === undefined ? '' : `${id}-problem`, about ? `${id}-about` : ''].filter(Boolean).join(' ') ||
    undefined,
})
