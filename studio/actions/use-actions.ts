import { useEffect, useRef } from 'react'
import { type Action, registerActions } from './registry.ts'

/** Makes actions known while the component is shown. `list` is called when the palette opens. */
export function useActions(list: () => readonly Action[]): void {
  // Not an effect event: the palette calls it while it is rendered.
  const newest = useRef(list)
  useEffect(() => {
    newest.current = list
  })
  useEffect(() => registerActions(() => newest.current()), [])
}
