import { styleText } from 'node:util'
import type { Output, World } from './world.ts'

export type Style = Parameters<typeof styleText>[0]

/** Colours a text for a terminal; elsewhere it returns the text unchanged. */
export type Paint = (style: Style, text: string) => string

/** Colours for a terminal only, and not where NO_COLOR is set (no-color.org). */
export function paintFor(output: Output, environment: World['environment']): Paint {
  if (!output.isTTY || environment.NO_COLOR) return (_, text) => text
  return (style, text) => styleText(style, text, { validateStream: false })
}
