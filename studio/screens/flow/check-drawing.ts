import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { FlowFile } from '../../drawing/flow-file.ts'
import { forCheck } from '../../drawing/problems.ts'
import { findFlowProblems } from '../../server/flow-problems.ts'
import { useEditor } from './editor.ts'

/** How long a drawing must rest before the server checks it, in milliseconds. */
const PAUSE_MS = 350

/** Lets the server check the drawing whenever it has changed; a check that a newer change overtakes is ended. */
export function useCheckedDrawing(): void {
  const editor = useEditor()
  const queries = useQueryClient()
  useEffect(() => {
    let running: AbortController | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let checked: FlowFile | undefined
    const check = async () => {
      const { file } = editor.getState().history
      checked = file
      const controller = new AbortController()
      running = controller
      try {
        editor.getState().setProblems(await findFlowProblems(forCheck(file), controller.signal))
      } catch {
        // Without an answer the marks stay; the next change is the next attempt.
        if (!controller.signal.aborted) checked = undefined
      }
    }
    const wait = (ms: number) => {
      clearTimeout(timer)
      running?.abort()
      timer = setTimeout(() => void check(), ms)
    }
    wait(0)
    const endChanges = editor.subscribe(({ history }) => {
      if (history.file !== checked) wait(PAUSE_MS)
    })
    // A credential that was made or removed changes what is right.
    const endQueries = queries.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && query.queryKey[0] === 'credentials' && query.state.status === 'success')
        wait(PAUSE_MS)
    })
    return () => {
      endChanges()
      endQueries()
      clearTimeout(timer)
      running?.abort()
    }
  }, [editor, queries])
}
