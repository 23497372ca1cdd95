import { affixes, type Stemmer, withoutSuffix } from './suffix.ts'

/** Without accents: й is и, ё is е. Longest first. */
const ENDINGS = affixes(
  'иями ями ами ого его ому ему ыми ими иях ях ах ов ев еи ои ом ем ам ям ую юю ая яя ое ее ые ие ыи ии ых их ым им ию ия ью у ю а я о е ы и ь',
)

/** Removes endings of number, gender and case: those of Russian, many of which related languages share. */
export const stemCyrillic: Stemmer = (word, length) => withoutSuffix(word, length, ENDINGS, 3)
