import { MAX_TABLE_DEPTH } from '../cell-story.ts'

/** What a group of rich text inherits from the group around it, and what ends with it. */
export type RtfGroup = {
  destination: string
  isSkipped: boolean
  font: number
  /** How many characters stand for one of `\u` in programs that do not know it. */
  fallback: number
  /** Hidden, or deleted by a tracked change. */
  isHidden: boolean
  inTable: boolean
  depth: number
  style: number
  outline: number | undefined
  level: number
}

/** The properties of a paragraph as they are at its beginning. */
export const PLAIN_PARAGRAPH = { inTable: false, depth: 0, style: -1, outline: undefined, level: 0 } as const

export const firstGroup = (): RtfGroup => ({
  ...PLAIN_PARAGRAPH,
  destination: '',
  isSkipped: false,
  font: -1,
  fallback: 1,
  isHidden: false,
})

/** Changes the properties of a group; a word that means nothing here changes none. */
export function formatGroup(group: RtfGroup, word: string, value: number | undefined): void {
  switch (word) {
    case 'pard':
      Object.assign(group, PLAIN_PARAGRAPH)
      break
    case 'plain':
      group.isHidden = false
      break
    case 'intbl':
      group.inTable = true
      break
    case 'itap':
      group.depth = Math.min(MAX_TABLE_DEPTH, Math.max(0, value ?? 0))
      break
    case 's':
      group.style = value ?? 0
      break
    case 'outlinelevel':
      group.outline = value ?? 0
      break
    case 'ilvl':
      group.level = value ?? 0
      break
    case 'v':
    case 'deleted':
      group.isHidden = value !== 0
      break
    case 'uc':
      group.fallback = Math.min(100, Math.max(0, value ?? 1))
      break
    case 'f':
      group.font = value ?? 0
  }
}
