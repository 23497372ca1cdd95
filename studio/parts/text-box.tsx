import styles from './text-box.module.css'

type TextBoxProps = {
  label: string
  /** Long lines are broken; otherwise the box scrolls sideways. */
  wraps?: boolean
  children: string
}

/** A text that is only read, such as code or an answer; it scrolls, by keyboard too. */
export function TextBox({ label, wraps = false, children }: TextBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too
    <section className={styles.box} aria-label={label} tabIndex={0} data-wraps={wraps}>
      <pre>{children}</pre>
    </section>
  )
}
