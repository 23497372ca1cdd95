import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState, Transaction } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder as placeholderText,
} from '@codemirror/view'
import { useEffect, useEffectEvent, useRef } from 'react'
import { COLOURS, LOOK } from './code-look.ts'
import styles from './forms.module.css'

type CodeEditorProps = {
  id?: string
  text: string
  label: string
  placeholder: string
  language: 'json' | 'javascript'
  /** The line of a mistake, from 1. */
  mistake: { line: number; message: string } | undefined
  problem: string | undefined
  isLarge?: boolean
  /** The text box that had the place of the editor until it was loaded. */
  textBox?: { hasFocus: boolean }
  onChange(text: string): void
}

const LANGUAGES = { json, javascript }

/**
 * An editor for code. It stands in a shadow root: there its style sheets are objects, and the policy of the page allows
 * no style elements.
 */
export default function CodeEditor({
  id,
  text,
  label,
  placeholder,
  language,
  mistake,
  problem,
  isLarge = false,
  textBox,
  onChange,
}: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const open = useRef<{ view: EditorView; attributes: Compartment }>(undefined)
  const changed = useEffectEvent(onChange)
  const first = useEffectEvent(() => ({ text, placeholder, hasFocus: textBox?.hasFocus === true }))

  useEffect(() => {
    const element = host.current!
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const attributes = new Compartment()
    const start = first()
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: start.text,
        extensions: [
          lineNumbers(),
          lintGutter(),
          history(),
          drawSelection(),
          highlightSpecialChars(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          COLOURS,
          LOOK,
          EditorView.lineWrapping,
          placeholderText(start.placeholder),
          LANGUAGES[language](),
          attributes.of([]),
          // Tab leaves the editor, as it leaves all other inputs.
          keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((one) => one.annotation(Transaction.remote)))
              changed(update.state.doc.toString())
          }),
        ],
      }),
    })
    open.current = { view, attributes }
    if (start.hasFocus) {
      view.focus()
      view.dispatch({ selection: { anchor: view.state.doc.length } })
    }
    return () => {
      view.destroy()
      open.current = undefined
    }
  }, [language])

  // Undo of the canvas, or the same input in the large editor.
  useEffect(() => {
    const view = open.current?.view
    if (!view || view.state.doc.toString() === text) return
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: text },
      annotations: Transaction.remote.of(true),
    })
  }, [text])

  useEffect(() => {
    const view = open.current?.view
    if (!view) return
    const { doc } = view.state
    const line = mistake && doc.line(Math.min(Math.max(1, mistake.line), doc.lines))
    const found = line && mistake ? [{ ...line, severity: 'error' as const, message: mistake.message }] : []
    view.dispatch(setDiagnostics(view.state, found))
  }, [mistake])

  useEffect(() => {
    open.current?.view.dispatch({
      effects: open.current.attributes.reconfigure(
        EditorView.contentAttributes.of({
          'aria-label': label,
          'aria-invalid': String(problem !== undefined),
          ...(problem === undefined ? {} : { 'aria-description': problem }),
        }),
      ),
    })
  }, [label, problem])

  return (
    <div
      ref={host}
      id={id}
      data-code=""
      className={isLarge ? `${styles.codeHost} ${styles.largeHost}` : styles.codeHost}
      data-invalid={problem !== undefined}
    />
  )
}
