import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
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
import { tags } from '@lezer/highlight'
import { useEffect, useEffectEvent, useRef } from 'react'
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

const COLOURS = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.keyword, tags.bool, tags.null], color: 'var(--code-keyword)' },
    { tag: [tags.string, tags.regexp], color: 'var(--code-string)' },
    { tag: tags.number, color: 'var(--code-number)' },
    { tag: tags.propertyName, color: 'var(--code-name)' },
    { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  ]),
)

const LOOK = EditorView.theme({
  '&': { fontSize: '12.5px', backgroundColor: 'var(--surface)', color: 'var(--text)', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '19px' },
  '.cm-content': { caretColor: 'var(--text)', padding: '6px 0' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--muted)', border: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in oklab, var(--accent), transparent 72%)',
  },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  // The marks of the package are images with data: addresses, which the policy of the page refuses.
  '.cm-lint-marker-error': {
    content: 'none',
    width: '9px',
    height: '9px',
    margin: '3px',
    borderRadius: '50%',
    backgroundColor: 'var(--danger)',
  },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--danger)',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip': { border: '1px solid var(--line)', backgroundColor: 'var(--raised)', color: 'var(--text)' },
})

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
