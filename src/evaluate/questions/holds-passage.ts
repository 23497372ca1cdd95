import { questionKey } from '../../documents/question-key.ts'

/** How many words in a row tell a place of a text; a shorter text is one place. */
const SHINGLE = 4

/** The share of the places of a passage that a chunk needs, or the share of its own that the passage has. */
const ENOUGH = 0.5

/** A passage, prepared to be looked for in many chunks. */
export type SoughtPassage = { key: string; places: ReadonlySet<string> }

/**
 * Makes a passage ready for {@link holdsPassage}. It is known by its words alone, so that it survives another cutting, a head before
 * the text and other blanks.
 */
export function soughtPassage(text: string): SoughtPassage {
  const key = questionKey(text)
  return { key, places: placesOf(key) }
}

/**
 * Whether a chunk has a passage: all of it, at least half of it, or where the chunk is the shorter one, at least half of the chunk is of
 * the passage. A passage that was cut in the middle is in both halves.
 */
export function holdsPassage(chunk: SoughtPassage, passage: SoughtPassage): boolean {
  if (chunk.key === '' || passage.key === '') return false
  if (chunk.key.includes(passage.key) || passage.key.includes(chunk.key)) return true
  const [small, large] = [chunk.places, passage.places].toSorted((one, other) => one.size - other.size)
  let shared = 0
  for (const place of small!) if (large!.has(place)) shared++
  return shared >= ENOUGH * small!.size
}

function placesOf(key: string): Set<string> {
  const words = key.split(' ')
  const places = new Set<string>()
  for (let at = 0; at + SHINGLE <= words.length; at++) places.add(words.slice(at, at + SHINGLE).join(' '))
  if (places.size === 0) places.add(key)
  return places
}
