import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, redo, redoDepth, undo, undoDepth } from '@codemirror/commands'
import { indentOnInput, indentUnit } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import {
  Compartment,
  EditorState,
  RangeSetBuilder,
  StateEffect,
  StateField,
  Transaction,
} from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { useEffect, useEffectEvent, useRef } from 'react'
import { COLOURS, LOOK } from '../../../forms/code-look.ts'
import type { NodeKinds } from '../../../drawing/node-kinds.ts'
import type { ProblemInLines } from '../../../server/flow-text.ts'
import styles from './text-pane.module.css'
import { textOffers } from './text-offers.ts'
import { flowTextLanguage } from './yaml-look.ts'

export type TextEditorProps = {
  text: string
  kinds: NodeKinds
  problems: readonly ProblemInLines[]
  /** The lines that differ from the saved version, from 1. */
  unsaved: readonly number[]
  /** The lines of the selected node. */
  selected: { line: number; endLine: number } | undefined
  /** A line to go to; another object is another wish. */
  target: { line: number } | undefined
  /** Whether the text is typed and not in the drawing yet: then undo is that of the text. */
  isDraft: boolean
  onType(text: string, line: number): void
  /** The cursor has come to another line. */
  onLine(line: number): void
  onUndo(): void
  onRedo(): void
  onSave(): void
}

const ownLook = EditorView.theme({
  '.cm-unsaved': { boxShadow: 'inset 3px 0 var(--warning)', backgroundColor: 'var(--warning-soft)' },
  '.cm-chosen': { backgroundColor: 'var(--accent-soft)' },
  '.cm-wrong': { backgroundColor: 'var(--danger-soft)' },
  '.cm-lint-marker-warning': {
    content: 'none',
    width: '9px',
    height: '9px',
    margin: '3px',
    borderRadius: '2px',
    backgroundColor: 'var(--warning)',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--warning)',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '14em' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: 0.75, marginLeft: '1em' },
})

type Marks = { unsaved: readonly number[]; selected: TextEditorProps['selected']; wrong: readonly number[] }

const setMarks = StateEffect.define<Marks>()

/** Lines with a colour; they move with the text until they are set again. */
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(found, { changes, effects, state }) {
    for (const effect of effects) if (effect.is(setMarks)) return markLines(state, effect.value)
    return found.map(changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

function markLines({ doc }: EditorState, { unsaved, selected, wrong }: Marks): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  const [changed, mistaken] = [new Set(unsaved), new Set(wrong)]
  for (let line = 1; line <= doc.lines; line++) {
    const names = [
      ...(selected && selected.line <= line && line <= selected.endLine ? ['cm-chosen'] : []),
      ...(changed.has(line) ? ['cm-unsaved'] : []),
      ...(mistaken.has(line) ? ['cm-wrong'] : []),
    ]
    const at = doc.line(line).from
    if (names.length > 0) builder.add(at, at, Decoration.line({ class: names.join(' ') }))
  }
  return builder.finish()
}

/** The editor of the text of a flow. Tab leaves it, as it leaves all other inputs. */
export function TextEditor(props: TextEditorProps) {
  const { text, problems, unsaved, selected, target, isDraft, kinds } = props
  const host = useRef<HTMLDivElement>(null)
  const open = useRef<{ view: EditorView; past: Compartment }>(undefined)
  const first = useEffectEvent(() => text)
  const typed = useEffectEvent(props.onType)
  const moved = useEffectEvent(props.onLine)
  const save = useEffectEvent(props.onSave)
  const offers = useEffectEvent((whole: string, at: number) => textOffers(whole, at, kinds))
  /** While the text is typed and not in the drawing its own steps are undone, then those of the drawing. */
  const back = useEffectEvent((view: EditorView) => {
    if (isDraft && undoDepth(view.state) > 0) undo(view)
    else props.onUndo()
  })
  const forth = useEffectEvent((view: EditorView) => {
    if (isDraft && redoDepth(view.state) > 0) redo(view)
    else props.onRedo()
  })

  useEffect(() => {
    const element = host.current!
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const past = new Compartment()
    const key = (name: string, run: (view: EditorView) => void) => ({
      key: name,
      run: (view: EditorView) => {
        run(view)
        return true
      },
    })
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: first(),
        extensions: [
          lineNumbers(),
          lintGutter(),
          past.of(history()),
          drawSelection(),
          highlightSpecialChars(),
          indentOnInput(),
          indentUnit.of('  '),
          closeBrackets(),
          flowTextLanguage,
          COLOURS,
          LOOK,
          ownLook,
          marks,
          EditorView.contentAttributes.of({
            'aria-label': 'Flow as text',
            spellcheck: 'false',
            tabindex: '0',
          }),
          autocompletion({
            icons: false,
            override: [
              ({ state, pos, explicit }) => {
                const found = offers(state.doc.toString(), pos)
                if (
                  !found ||
                  (!explicit &&
                    found.from === pos &&
                    !/[:-] $/.test(state.sliceDoc(Math.max(0, pos - 2), pos)))
                )
                  return null
                return {
                  from: found.from,
                  options: found.offers.map(({ label, detail, insert }) => ({
                    label,
                    detail,
                    apply: insert,
                  })),
                  validFor: /^(<-? ?)?[\w-]*$/,
                }
              },
            ],
          }),
          keymap.of([
            key('Mod-z', back),
            key('Mod-y', forth),
            key('Mod-Shift-z', forth),
            key('Mod-s', () => save()),
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...defaultKeymap,
            ...historyKeymap,
          ]),
          EditorView.updateListener.of(({ docChanged, selectionSet, state, transactions }) => {
            const line = state.doc.lineAt(state.selection.main.head).number
            if (transactions.some((one) => one.annotation(Transaction.remote))) return
            if (docChanged) typed(state.doc.toString(), line)
            else if (selectionSet) moved(line)
          }),
        ],
      }),
    })
    open.current = { view, past }
    return () => {
      view.destroy()
      open.current = undefined
    }
  }, [])

  // The drawing was changed: only what differs is replaced, so that the cursor stays where it is.
  useEffect(() => {
    const view = open.current?.view
    if (!view || view.state.doc.toString() === text) return
    view.dispatch({
      changes: difference(view.state.doc.toString(), text),
      annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(false)],
    })
  }, [text])

  // What is in the drawing is undone with the drawing.
  useEffect(() => {
    const { view, past } = open.current ?? {}
    if (isDraft || !view || !past) return
    view.dispatch({ effects: past.reconfigure([]), annotations: Transaction.remote.of(true) })
    view.dispatch({ effects: past.reconfigure(history()), annotations: Transaction.remote.of(true) })
  }, [isDraft])

  useEffect(() => {
    const view = open.current?.view
    if (!view) return
    const wrong = problems.filter(({ severity }) => severity === 'error').map(({ line }) => line)
    view.dispatch(
      setDiagnostics(
        view.state,
        problems.map((one) => diagnostic(view.state, one)),
      ),
    )
    view.dispatch({
      effects: setMarks.of({ unsaved, selected, wrong }),
      annotations: Transaction.remote.of(true),
    })
  }, [problems, unsaved, selected])

  // A node that is selected on the canvas comes into sight; the cursor is left alone.
  const line = selected?.line
  useEffect(() => {
    const view = open.current?.view
    if (!view || line === undefined || view.hasFocus || line > view.state.doc.lines) return
    view.dispatch({
      effects: EditorView.scrollIntoView(view.state.doc.line(line).from, { y: 'nearest', yMargin: 40 }),
    })
  }, [line])

  useEffect(() => {
    const view = open.current?.view
    if (!view || !target) return
    const at = view.state.doc.line(Math.min(target.line, view.state.doc.lines)).from
    view.focus()
    view.dispatch({ selection: { anchor: at }, scrollIntoView: true })
  }, [target])

  return <div ref={host} data-code="" className={styles.host} />
}

function diagnostic(
  { doc }: EditorState,
  { line, endLine, column, severity, message }: ProblemInLines,
): Diagnostic {
  const start = doc.line(Math.min(line, doc.lines))
  const from = Math.min(start.from + column - 1, start.to)
  const to = line === endLine ? start.to : doc.line(Math.min(endLine, doc.lines)).to
  return { from, to: Math.max(from, Math.min(to, start.to)), severity, message }
}

function difference(before: string, after: string): { from: number; to: number; insert: string } {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let end = 0
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) }
}
