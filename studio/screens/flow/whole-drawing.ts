import type { FitViewOptions } from '@xyflow/react'
import { isNarrow } from '../../parts/narrow.ts'

/** How the whole drawing is shown; on a telephone beside the tools and the zoom buttons, which would cover cards. */
export const wholeDrawing = (): FitViewOptions => ({
  maxZoom: 1,
  padding: isNarrow() ? { top: '60px', right: '16px', bottom: '16px', left: '48px' } : 0.18,
})
