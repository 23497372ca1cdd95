import { lazy, Suspense, useEffect, useState } from 'react'
import { onPaletteAsked } from '../parts/ask-palette.ts'
import { loadPart } from '../server/load-part.ts'

// The list of commands brings a part of its own; it is loaded when it is first opened.
const CommandPalette = lazy(() =>
  loadPart(() => import('./command-palette.tsx')).then(({ CommandPalette: palette }) => ({
    default: palette,
  })),
)

/** Opens the command palette at Ctrl K. */
export function PaletteKey() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isKey = event.key.toLowerCase() === 'k' && !event.altKey && !event.shiftKey
      if (!isKey || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      event.stopPropagation()
      setOpen((now) => !now)
    }
    // Before the keys of the open screen.
    document.addEventListener('keydown', onKey, { capture: true })
    const end = onPaletteAsked(() => setOpen(true))
    return () => {
      document.removeEventListener('keydown', onKey, { capture: true })
      end()
    }
  }, [])
  if (!open) return null
  return (
    <Suspense fallback={null}>
      <CommandPalette onClose={() => setOpen(false)} />
    </Suspense>
  )
}
