import { accessScreens } from './access.ts'
import { askScreens } from './ask.ts'
import { canvasScreens } from './canvas.ts'
import { compareScreens } from './compare.ts'
import { documentScreens } from './documents.ts'
import { executionScreens } from './executions.ts'
import { flowListScreens } from './flow-list.ts'
import { paletteScreens } from './palette.ts'
import { questionScreens } from './questions.ts'
import { revisionScreens } from './revisions.ts'
import type { Screen } from './screen.ts'
import { storeScreens } from './stores.ts'
import { upsertScreens } from './upsert.ts'

/** All screens of the studio in all their states. A new screen is a row here. */
export const SCREENS: readonly Screen[] = [
  ...flowListScreens,
  ...canvasScreens,
  ...compareScreens,
  ...documentScreens,
  ...revisionScreens,
  ...paletteScreens,
  ...upsertScreens,
  ...accessScreens,
  ...storeScreens,
  ...askScreens,
  ...questionScreens,
  ...executionScreens,
]
