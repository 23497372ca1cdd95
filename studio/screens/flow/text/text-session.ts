import { createStore, type StoreApi } from 'zustand'
import type { FlowFile } from '../../../drawing/flow-file.ts'
import { readFlowFile } from '../../../drawing/flow-file.ts'
import { placeMissing } from '../../../drawing/layout.ts'
import { messageOf, ServerFailure } from '../../../server/call.ts'
import {
  type FlowText,
  type ProblemInLines,
  readFlowText,
  type SpanInText,
  writeFlowText,
} from '../../../server/flow-text.ts'
import type { Editor } from '../editor.ts'

/** How long a text or a drawing must rest before the server reads or writes it, in milliseconds. */
const PAUSE_MS = { read: 300, write: 120 }

/** The text beside a drawing. */
export type TextState = {
  text: string
  /** Whether the text is there: the first answer of the server has come. */
  isThere: boolean
  /** Whether it was typed and is not in the drawing: it is being read, or has a mistake. */
  isDraft: boolean
  /** Whether the drawing was changed elsewhere while the text was a draft. */
  isBehind: boolean
  spans: readonly SpanInText[]
  problems: readonly ProblemInLines[]
  /** The text of the version that the server has. */
  savedText: string | undefined
  /** Why the server gave no answer. */
  failure: string | undefined
}

/** The text of an open flow, as long as the flow is open: a draft stays while another tab is looked at. */
export type TextSession = {
  store: StoreApi<TextState>
  /** Follows the drawing from now on. @returns ends that */
  follow(): () => void
  /** The person has typed. @param node the node in whose lines; changes of one node are undone together */
  type(text: string, node: string): void
  /** Reads what was typed now. @returns whether the drawing has it */
  flush(): Promise<boolean>
  /** Takes the text of the drawing instead of the draft. */
  discard(): void
}

const sessions = new WeakMap<Editor, TextSession>()

/** The text of the flow in an editor. */
export function textSession(editor: Editor): TextSession {
  const found = sessions.get(editor) ?? createSession(editor)
  sessions.set(editor, found)
  return found
}

/** Whether a text was typed that the drawing does not have: it has a mistake, or is being read. */
export const hasTextDraft = (editor: Editor): boolean =>
  sessions.get(editor)?.store.getState().isDraft ?? false

function createSession(editor: Editor): TextSession {
  const store = createStore<TextState>(() => ({
    text: '',
    isThere: false,
    isDraft: false,
    isBehind: false,
    spans: [],
    problems: [],
    savedText: undefined,
    failure: undefined,
  }))
  /** The drawings that the text and the saved text are of. */
  let [source, savedSource]: (FlowFile | undefined)[] = [undefined, undefined]
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: AbortController | undefined
  let typedAt = ''

  const file = () => editor.getState().history.file
  const later = (ms: number, work: () => Promise<unknown>) => {
    clearTimeout(timer)
    running?.abort()
    timer = setTimeout(() => void work(), ms)
  }
  /** Nothing waits any more. @returns whether something did */
  const stopWaiting = () => {
    const waited = timer !== undefined
    clearTimeout(timer)
    timer = undefined
    return waited
  }

  async function asked(work: (signal: AbortSignal) => Promise<FlowText>): Promise<FlowText | undefined> {
    stopWaiting()
    running?.abort()
    const controller = new AbortController()
    running = controller
    try {
      const answer = await work(controller.signal)
      if (controller.signal.aborted) return undefined
      store.setState({ failure: undefined })
      return answer
    } catch (error) {
      if (!controller.signal.aborted && !(error instanceof ServerFailure && error.status === 401))
        store.setState({ failure: messageOf(error) })
      return undefined
    }
  }

  async function write(): Promise<void> {
    const now = file()
    const answer = await asked((signal) => writeFlowText(now, signal))
    if (!answer || answer.text === null) return
    source = now
    const { text, spans, problems } = answer
    store.setState({ text, spans, problems, isThere: true, isDraft: false, isBehind: false })
    await writeSaved(text)
  }

  /** The text of the saved version, against which lines are marked. */
  async function writeSaved(present?: string): Promise<void> {
    const { saved } = editor.getState().history
    if (saved === savedSource) return
    if (saved === source && present !== undefined) {
      savedSource = saved
      store.setState({ savedText: present })
      return
    }
    try {
      const { text } = await writeFlowText(saved)
      savedSource = saved
      if (text !== null) store.setState({ savedText: text })
    } catch {
      // Without an answer no line is marked.
    }
  }

  async function read(): Promise<boolean> {
    const { text } = store.getState()
    const before = file()
    const answer = await asked((signal) => readFlowText(text, before, signal))
    if (!answer) return false
    const { flow, spans, problems } = answer
    if (!flow) {
      store.setState({ problems, ...(spans.length > 0 ? { spans } : {}) })
      return false
    }
    const isSame = flow.flowData === JSON.stringify(before)
    const after = isSame ? before : placeMissing(readFlowFile(flow.flowData), editor.getState().kinds)
    source = after
    store.setState({ spans, problems, isDraft: false, isBehind: false })
    if (!isSame)
      editor.getState().run({ title: 'edit the text', merge: `text ${typedAt}`, apply: () => after })
    return true
  }

  return {
    store,
    follow() {
      const changed = () => {
        const { history } = editor.getState()
        if (history.saved !== savedSource && source !== undefined && !store.getState().isDraft)
          void writeSaved()
        if (history.file === source) return
        if (store.getState().isDraft) store.setState({ isBehind: true })
        else later(PAUSE_MS.write, write)
      }
      if (source === undefined) void write()
      else changed()
      const end = editor.subscribe(({ history }, before) => {
        if (history !== before.history) changed()
      })
      return () => {
        end()
        // What was typed last is read though the text is closed: the drawing has it, or it waits with its mistake.
        if (stopWaiting() && store.getState().isDraft) void read()
      }
    },
    type(text, node) {
      typedAt = node
      store.setState({ text, isDraft: true })
      later(PAUSE_MS.read, read)
    },
    async flush() {
      return store.getState().isDraft ? read() : true
    },
    discard() {
      store.setState({ isDraft: false, isBehind: false, problems: [] })
      source = undefined
      void write()
    },
  }
}
