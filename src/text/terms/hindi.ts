import { affixes, type Stemmer, withoutSuffix } from './suffix.ts'

const [[CANDRABINDU], [ANUSVARA]] = affixes('\u0901 \u0902') as [[number], [number]]
const ENDINGS = affixes('ियों ाओं ाएं ुओं ुएं ियां ों ें ीं ां ो े ू ु ी ि ा')

/** Removes endings of number, gender and case. (After Ramanathan and Rao, "A Lightweight Stemmer for Hindi", 2003.) */
export const stemHindi: Stemmer = (word, length) => {
  for (let at = 0; at < length; at++) if (word[at] === CANDRABINDU) word[at] = ANUSVARA
  return withoutSuffix(word, length, ENDINGS, 2)
}
