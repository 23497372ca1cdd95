import { stemArabic } from './arabic.ts'
import { stemCyrillic } from './cyrillic.ts'
import { stemHindi } from './hindi.ts'
import { stemLatin } from './latin.ts'
import type { Stemmer } from './suffix.ts'

const unchanged: Stemmer = (_, length) => length

/** The stemmer for words of a script, by their first letter: the script is known at once, the language is not. */
export function stemmerOf(letter: number): Stemmer {
  if (isLatin(letter)) return stemLatin
  if (letter >= 0x400 && letter < 0x530) return stemCyrillic
  if (letter >= 0x600 && letter < 0x700) return stemArabic
  if (letter >= 0x900 && letter < 0x980) return stemHindi
  return unchanged
}

/** Whether a lower-case letter is Latin. */
export const isLatin = (letter: number): boolean => letter >= 0x61 && letter < 0x250
