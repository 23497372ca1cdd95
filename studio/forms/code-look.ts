import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The colours of code, in both themes. */
export const COLOURS = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.keyword, tags.bool, tags.null], color: 'var(--code-keyword)' },
    { tag: [tags.string, tags.regexp], color: 'var(--code-string)' },
    { tag: tags.number, color: 'var(--code-number)' },
    { tag: tags.propertyName, color: 'var(--code-name)' },
    { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  ]),
)

/** The look of an editor of code. It stands in a shadow root, where the policy of the page allows its style sheets. */
export const LOOK = EditorView.theme({
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
