import { useMatches, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { openFlowName, titleText } from './title-text.ts'

/** Keeps the title of the browser tab: `Ask · Quickstart · Sluice`. It renders nothing. */
export function ScreenTitle() {
  const screen = useMatches({ select: (matches) => matches.at(-1)?.staticData.title })
  const { source } = useParams({ strict: false })
  const flow = useStore(openFlowName, ({ name }) => name)
  useEffect(() => {
    document.title = titleText(source ?? screen, flow)
  }, [source, screen, flow])
  return null
}
