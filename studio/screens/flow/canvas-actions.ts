import { useReactFlow } from '@xyflow/react'
import { useEffectEvent, useLayoutEffect } from 'react'
import { copyText, paste } from '../../drawing/clipboard.ts'
import { moveNodes, removeNodes } from '../../drawing/commands.ts'
import type { Size } from '../../drawing/card-size.ts'
import { tidyPositions } from '../../drawing/layout.ts'
import { complain } from '../../parts/toast.tsx'
import { messageOf } from '../../server/call.ts'
import { useActions } from '../../actions/use-actions.ts'
import { COMMANDS } from './canvas-commands.ts'
import { nodeIdOf } from './canvas-keys.ts'
import { useEditor } from './editor.ts'
import { type Shortcut, shortcutOf } from './shortcuts.ts'
import { wholeDrawing } from './whole-drawing.ts'

/** What the keys of the canvas need of the screen. */
export type CanvasScreen = {
  save(): Promise<boolean>
  onSearch(): void
  /** Shows what a node can be connected with. */
  onConnect(id: string): void
  onOutline(): void
  onText(): void
  onHelp(): void
  /** Opens or closes the panel of runs. */
  onRun(): void
}

/** What keys and buttons of the screen do with the drawing. */
export function useCanvasActions(screen: CanvasScreen) {
  const { save, onSearch, onConnect, onOutline, onText, onHelp, onRun } = screen
  const editor = useEditor()
  const { getNodes, fitView } = useReactFlow()

  function pasteText(text: string): void {
    const { history, run } = editor.getState()
    try {
      const command = paste(history.file, text)
      run(command, command.ids)
    } catch (error) {
      complain('Nothing was pasted', messageOf(error))
    }
  }

  function selectedText(): string | undefined {
    const { history, selection } = editor.getState()
    return selection.size > 0 ? copyText(history.file, [...selection]) : undefined
  }

  function duplicate(): void {
    const text = selectedText()
    if (text !== undefined) pasteText(text)
  }

  function tidyUp(): void {
    const { graph, run } = editor.getState()
    const sizes = new Map<string, Size>(
      getNodes().flatMap(({ id, measured }) =>
        measured?.width && measured.height ? [[id, { width: measured.width, height: measured.height }]] : [],
      ),
    )
    run(moveNodes(tidyPositions(graph, sizes), 'tidy up'))
    requestAnimationFrame(() => void fitView({ ...wholeDrawing(), duration: 200 }))
  }

  /** The node that has the focus; otherwise the selected one, if it is one. */
  function focusedOrSelected(): string | undefined {
    const { selection } = editor.getState()
    return nodeIdOf(document.activeElement) ?? (selection.size === 1 ? [...selection][0] : undefined)
  }

  /** False where the browser shall do what it does with the key. */
  function perform(shortcut: Shortcut): boolean {
    const { undo, redo, select, graph } = editor.getState()
    switch (shortcut) {
      case 'save':
        void save()
        return true
      case 'undo':
        undo()
        return true
      case 'redo':
        redo()
        return true
      case 'duplicate':
        duplicate()
        return true
      case 'select-all':
        select(graph.nodes.map(({ id }) => id))
        return true
      case 'search-nodes':
        onSearch()
        return true
      case 'connect': {
        const id = focusedOrSelected()
        if (id !== undefined) onConnect(id)
        return id !== undefined
      }
      case 'outline':
        onOutline()
        return true
      case 'text':
        onText()
        return true
      case 'help':
        onHelp()
        return true
      case 'run':
        onRun()
        return true
      case 'rename':
        return focusOn('#node-label')
      case 'deselect':
        select([])
        return true
    }
  }

  useActions(() => [
    ...COMMANDS.map(({ shortcut, label, keys }) => ({
      id: `canvas ${shortcut}`,
      label,
      keys,
      group: 'Here',
      words: 'canvas drawing',
      run: () => void perform(shortcut),
    })),
    { id: 'canvas tidy', label: 'Tidy up the canvas', group: 'Here', words: 'layout', run: tidyUp },
  ])

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isOverCanvas(event.target)) return
    const shortcut = shortcutOf(event, isText(event))
    if (shortcut && perform(shortcut)) event.preventDefault()
  })
  /** The events of the browser, because `navigator.clipboard` is not there on a plain http address. */
  const onCopy = useEffectEvent((event: ClipboardEvent) => {
    // A text that is selected on the page is copied as text.
    if (isText(event) || isOverCanvas(event.target) || getSelection()?.toString()) return
    const { selection, run } = editor.getState()
    const text = selectedText()
    if (text === undefined || !event.clipboardData) return
    event.clipboardData.setData('text/plain', text)
    event.preventDefault()
    if (event.type === 'cut') run(removeNodes([...selection], 'cut'))
  })
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (isText(event) || isOverCanvas(event.target)) return
    event.preventDefault()
    pasteText(event.clipboardData?.getData('text/plain') ?? '')
  })

  // The document, because a key that is pressed while nothing has the focus goes to no element of the screen. Before the
  // canvas is painted, so that no key is lost that is pressed as soon as the canvas is seen.
  useLayoutEffect(() => {
    const keys = (event: KeyboardEvent) => onKeyDown(event)
    const copied = (event: ClipboardEvent) => onCopy(event)
    const pasted = (event: ClipboardEvent) => onPaste(event)
    document.addEventListener('keydown', keys)
    document.addEventListener('copy', copied)
    document.addEventListener('cut', copied)
    document.addEventListener('paste', pasted)
    return () => {
      document.removeEventListener('keydown', keys)
      document.removeEventListener('copy', copied)
      document.removeEventListener('cut', copied)
      document.removeEventListener('paste', pasted)
    }
  }, [])

  return { duplicate, tidyUp }
}

/** Whether an event belongs to a dialog or a menu. */
const isOverCanvas = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null

function focusOn(selector: string): boolean {
  const element = document.querySelector<HTMLElement>(selector)
  element?.focus()
  return element !== null
}

/** Whether an event belongs to a text that is edited; editors of code stand in a shadow root. */
function isText(event: Event): boolean {
  const [target] = event.composedPath()
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.tagName === 'TEXTAREA' ||
      target.tagName === 'SELECT' ||
      (target.tagName === 'INPUT' &&
        !['checkbox', 'radio', 'button'].includes((target as HTMLInputElement).type)))
  )
}
